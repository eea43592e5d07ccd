"""Tournament formats: who meets whom, what a result is worth, and how good that says a program is.

Nothing here knows sockets, clocks or chance. Scores are told what happened, in order, and everything else follows from
that: so the dealer and a journal that is read again come to the same pairings and points.

``format.py`` is the base of all formats, ``registry.py`` finds them. Each has a file of its own in ``named``:
``freezeout.py``, with the scores of a series; ``round_robin.py``; ``swiss.py``, drawn round by round by
``swiss_draw.py``, which asks ``matching.py`` whether everybody else can still be paired.
``duplicate.py`` has a flag of its own. Round robin and Swiss share ``pairings.py``.
"""
