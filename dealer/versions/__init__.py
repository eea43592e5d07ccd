"""Versions of a program in the same hands: ``casino whatif`` deals a journal again, ``casino regress`` deals anew.

``answerer.py`` is who answers for a seat: a house bot in this process, or a program over a socket
(``program_seat.py``). ``second_hand.py`` plays a recorded hand once more, and ``paired_chips.py`` says what the
difference is worth. ``whatif.py`` and ``regress.py`` are the commands; what they found is in ``outcome.py`` and
``compared.py``.
"""
