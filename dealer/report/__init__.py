"""``casino report``: what everybody takes home, made of a journal alone.

``command.py`` does all of it in turn: ``reading.py`` goes through the journal, and three watchers learn from what they
see: ``tally.py`` (each player's figures), ``curves.py`` and ``head_to_head.py`` (each table's), ``transcript.py`` (what
each program was told). What they learned becomes a page (``page.py``, ``figures.py``, ``tables.py``), two CSV files
(``sheets.py``) and a folder for each player (``handout.py``), all written through ``folder.py``.
"""
