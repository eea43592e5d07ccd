"""``casino practice``: a program plays short tournaments against house bots, and learns from them.

``practice.py`` is the command. The tournaments are a league with one journal, and all results are read back from that
journal (``practice_session.py``). A house bot, the *teacher*, is asked what it would have done, and ``mistakes.py``
finds the habits whose difference cost most. ``games/`` holds what practice needs to know of each game.
"""
