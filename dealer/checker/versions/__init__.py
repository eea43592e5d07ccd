"""Two versions of a program in the same deals: ``casino regress``.

``answerer.py`` is who answers for a seat: a house bot in this process, or a program over a socket. ``compared.py``
keeps what both versions won, and says whether the new one is worse.
"""
