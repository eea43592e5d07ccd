"""The host's desk: what its host may tell a tournament from a browser or another terminal.

An ``Order`` is one command (``orders.py``); the ``Desk`` obeys it or refuses it in a sentence (``desk.py``).
``routes.py`` takes orders over HTTP, from whoever knows the token and comes from the dealer's own page (``guard.py``);
``client.py`` gives them. Every order that changes a tournament has a record in its journal, and is answered when that
is on the disk.
"""
