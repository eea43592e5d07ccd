"""The journal: an append-only file of all that is needed to play a tournament again.

The file is a sequence of MessagePack arrays ``[checksum, link, body]``, each of which is a *batch*. The body is one or
more records, each a MessagePack map with a ``type``. The link is the SHA-256 of the link before it (32 zero bytes
before the first) and the body; the last link is the *head* of the journal. The checksum is the CRC-32 of the link, four
bytes, big-endian. A batch is written before any player is told what is in it; so a dealer that is killed leaves at most
one torn batch, at the end, and no player was told of it. It is forced to the disk within a second; so a power cut takes
at most a second of play. ``dealer/docs/journal.md`` says the same for readers of the file, and more.

    forced  bytes that were on the disk by then; first in a batch, and for the file only: readers of records skip it
    start   version, started (seconds since 1970), game and what is agreed about it (hands, stack, ante ...), seed,
            seed_text, commitment, games, limit, lives, table_size, duplicate, rejoin, secrets, levels, format, rounds;
            players: id, avatar, program, proof (of the player's secret, or nil), acpc (whether it is a program of the
            ACPC; older journals do not tell);
            origin: what a league was started with (bots, commands, sandbox, acpc_commands,
                sandbox_python), or the open ports (host,
            port, line_port, people_port, people_limit, acpc_port);
            acpc_terms: how programs of the ACPC take part (names, limit, strict, average), or nil
    round   round, tables (a list of players each): all players who have not left sit down anew
    game    table, game, hand: a new game with equal stacks begins with that hand
    level   level: antes have risen; hands under way are played as they were dealt
    move    player, table: after the last hand of its own table the player goes there
    hand    table, hand, level at which it was dealt, players, stacks before the hand, deck, actions, faults, pot,
            payoffs; corrections, where a program of the ACPC asked for what the rules forbid
    corrected  player (index), hand, reason: a program of the ACPC asked for what the rules forbid, and the nearest
            allowed action was taken
    out     player (index), hand, chips before it, kind of the fault or nil, reason
    away    player, hand: the connection ended, the player may come back
    back    player, hand
    desk    what the host said: command (pause, resume, step, length, pace, remove, level, suspend, end), player
            (index), seconds, reason; nil where a command has no such thing
    services  ports (as in origin), page_port, open_cards, desk, feed_port: what the dealer opened, after start and
            resume
    resume  started, cut (bytes of a torn end that were cut off): the dealer was started again
    void    table, hand: the hand that was in progress does not count, and all chips go back
    stopped the host suspended the tournament, and no table has dealt a hand since its last record
    end     standings

``players`` of a hand are indices into those of ``start``, in seat order; ``deck`` is one byte a card, its place in
``protocol.cards.DECK``. An action is ``[seat, chips put in now, microseconds until the reply]``; a fold is -1 chips,
and an action of the dealer for a seat has no reply time (nil). A fault is ``[seat, kind, reason]``, a correction
``[place of the action among those of the hand, what was asked for]``.

A journal of imported hands has ``imported`` (true) in its start, and in each hand ``recorded``: what is known of a deal
that follows from no seed. Unknown cards of its decks are the byte 255.
"""
