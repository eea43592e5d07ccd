"""The spectator feed: what happens at the tables, for programs; ``protocol/docs/feed.md`` describes its events.

The events are the journal's records, told when they are on the disk, less what is not public (``events.py``). Who joins
late begins with the state so far (``state.py``). Everybody who listens has a bounded buffer of its own
(``listener.py``), and the dealer never waits for any of them (``feed.py``).
"""

VERSION = 1
