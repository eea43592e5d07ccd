"""The spectator feed: events at the tables, for programs; ``protocol/docs/feed.md`` describes its messages.

An event is a record of the journal without its private parts (``events.py``), sent as soon as the record is on the
disk. A program that joins late first gets the state so far (``state.py``). Every subscriber has its own bounded buffer
(``subscriber.py``), and the dealer waits for none of them (``feed.py``).
"""

#: The version of the feed's messages.
VERSION = 1
