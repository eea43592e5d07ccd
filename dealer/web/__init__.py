"""The page for the projector: what a tournament has come to, for everybody with a browser.

Nothing in the dealer tells the page anything. A ``Board`` looks at the ``Scene`` a few times a second, and whoever
watches gets what it saw last: so the page costs nothing while nobody watches, and no viewer can hold up a hand.
"""
