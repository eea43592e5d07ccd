"""The page: the tournament as everybody with a browser may see it, the host's desk, and seats for people.

It is a process of its own (``own_process.py``), or ``casino page`` on another machine, and knows its dealer by what it
is told alone (``dealer.feed.told``). ``link.py`` follows the dealer's stream, a ``Board`` makes of it what all viewers
are sent, and ``dealer_page.py`` puts together what is served.
"""
