"""The desk over HTTP: orders of the host from a browser or another terminal.

``host_routes.py`` takes orders from clients that know the token and do not come from a foreign page (``guard.py``),
and the dealer's desk carries them out (``dealer.desk``), which is reached over its stream (``stream_desk.py``).
``remote_desk.py`` is such a client. The host's page, ``page/host.html``, is another: it gives the token once, for
which it gets a cookie, and is told what changes. Both download what the desk makes of a tournament.
"""
