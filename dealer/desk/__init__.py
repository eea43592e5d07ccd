"""The desk: what a host may tell a dealer, whichever way the order comes.

An ``Order`` is one command (``orders.py``). The ``Desk`` carries it out or refuses it with a reason (``desk.py``), and
``view.py`` has what the host sees. Every order that changes a tournament has a record in its journal, and is answered
when that record is written. ``files.py`` makes what a host takes home of a tournament. Whoever knows the token is the
host (``token.py``).
"""
