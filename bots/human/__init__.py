"""A seat for a person: the same table for house bots in this process and for somebody's dealer.

The game runs in a thread of its own and drives a ``Hand`` with the loop every driver uses; the person is a
``Strategy`` whose ``decide`` waits at a ``ThreadBridge``. What there is to see travels the other way as frozen *news*, so the
screen never looks at a hand, and shows nothing that a person in that seat could not see.
"""
