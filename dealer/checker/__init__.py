"""``casino check``: the tester of one program. It asks as a dealer does, and judges every reply against a rubric.

From the wire up: ``wire.py`` is a connection of which nothing is lost, ``program.py`` starts what is tested,
``visit.py`` brings the two together, ``session.py`` talks as the dealer does and writes down what was wrong, in
``findings.py``. What is asked comes from ``parts.py``, where hands are dealt by the rules of the game
(``deals.py``, ``scripted.py``), and ``situations.py`` and ``boards.py`` say what a sensible player does with them.
``examiner.py`` goes through all parts, ``verdict.py`` makes points of what was found, ``report.py`` and ``junit.py``
show them, ``transcript.py`` and ``recorded.py`` do the same for a connection that was written down.
"""
