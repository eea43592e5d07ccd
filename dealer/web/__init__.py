"""The page for the projector: the tournament as everybody with a browser may see it, and the host's desk.

Nothing in the dealer waits for the page. A ``Board`` reads the ``Scene`` a few times a second, and all viewers are sent
what it read last. So the page costs nothing while nobody watches, and no viewer can hold up a hand.
"""
