"""Tournament formats: who meets whom, what a result is worth, and how good that says a program is.

Nothing here knows sockets, clocks or chance. Scores are told what happened, in order, and everything else follows from
that: so the dealer and a journal that is read again come to the same pairings, points and ratings.

Round robin: ``round_robin.py`` says who meets whom. Swiss: ``swiss.py`` does, round by round; it asks ``matching.py``
whether everybody else can still be paired. Both keep ``pairing_scores.py``, whose ties ``tie_breaks.py`` breaks. A
series of tournaments keeps ``series.py``. All of them rate programs (``rating.py``) and are shown by ``tables.py``.
"""
