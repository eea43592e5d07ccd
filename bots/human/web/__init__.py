"""The seat for a person in a browser: a page, and the server side that keeps a seat for each of them.

A ``Session`` is one person's seat. It hears the news of the game from its thread, and stays when a browser loses its
connection: a browser that names the session's token goes on there. ``Guests`` keeps the sessions and the nursery in
which they play. A ``Room`` says what tables there are: ``HouseRoom`` seats house bots in this process, ``DealerRoom``
is used by a dealer that serves the page on its own port.
"""
