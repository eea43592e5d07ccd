"""The seat for a person: one table for house bots in this process and for a dealer elsewhere.

The game runs in a thread of its own and drives a ``Hand`` with the loop that every driver uses. The person is a
``Strategy`` whose ``decide`` waits at a ``ThreadBridge``. The game tells the screen what happens in frozen values (see
``updates``), so the screen never holds a hand, and shows nothing that a person in that seat could not see.
"""
