"""The spectator feed: events at the tables, for programs; ``protocol/docs/feed.md`` describes its messages.

``teller.py`` makes the events. A program that joins late first gets the state so far. Every subscriber has its own
bounded buffer (``subscriber.py``), and the dealer waits for none of them (``feed.py``). ``port.py`` sends what waits,
and takes what hosts send (``host.py``). Pages are told the state in parts, and hands with all that it takes to draw
them (``told.py``, ``page_stream.py``).
"""

#: The version of the feed's messages.
VERSION = 2
