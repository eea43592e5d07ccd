"""The desk: orders of the host to a tournament, from a browser or another terminal.

An ``Order`` is one command (``orders.py``). The ``Desk`` carries it out or refuses it with a reason (``host_desk.py``).
``admin_routes.py`` takes orders over HTTP from clients that know the token and do not come from a foreign page
(``guard.py``). ``remote_desk.py`` is such a client. The host's page, ``page/host.html``, is another: it gives the
token once, for which it gets a cookie (``host_routes.py``), and is told what changes
(``desk_view.py``). Every order that changes a tournament has a record in its journal,
and is answered when that record is written. Both download what ``files.py`` makes of a tournament, the client with
``remote_files.py``.
"""
