"""The journal: an append-only file of all that is needed to play a tournament again.

The file is a sequence of MessagePack arrays ``[checksum, link, body]``, each of which is a *batch*. The body is one or
more records, each a MessagePack map with a ``type``. The link is the SHA-256 of the link before it (32 zero bytes
before the first) and the body; the last link is the *head* of the journal. The checksum is the CRC-32 of the link, four
bytes, big-endian. A batch is written before any player is told what is in it; so a dealer that is killed leaves at most
one torn batch, at the end, and no player was told of it. It is forced to the disk within a second; so a power cut takes
at most a second of play. ``dealer/docs/journal.md`` says the same for readers of the file, and what each field of a
record means; ``records.py`` has a class for each type of record.

``players`` of a hand are indices into those of ``start``, in seat order; ``deck`` is one byte a card, its place in
``protocol.cards.DECK``. An action is ``[seat, chips put in now, microseconds until the reply]``; a fold is -1 chips,
and an action of the dealer for a seat has no reply time (nil). A fault is ``[seat, kind, reason]``, a correction
``[place of the action among those of the hand, what was asked for]``.

A journal of imported hands has ``imported`` (true) in its start, and in each hand ``recorded``: what is known of a deal
that follows from no seed. Unknown cards of its decks are the byte 255.
"""
