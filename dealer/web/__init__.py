"""The page for the projector: the tournament as everybody with a browser may see it, and the host's desk.

Nothing in the dealer waits for the page. A ``Board`` hears what the dealer tells (``dealer.feed.host_view``), in the
dealer's process or over its stream in another one (``link.py``), and all viewers are sent what it was told last. So no
viewer can hold up a hand.
"""
