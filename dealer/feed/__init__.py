"""The spectator feed: events at the tables, for programs; ``protocol/docs/feed.md`` describes its messages.

A program that joins late first gets the state so far. Every subscriber has its own bounded buffer, and the dealer waits
for none of them (``feed.py``). ``port.py`` sends what waits.
"""

#: The version of the feed's messages.
VERSION = 2
