"""``casino report``: pages, sheets and a folder for each player, made from a journal alone.

``write.py`` is the command. ``journal_pass.py`` reads the journal and shows each record to watchers:
``player_statistics.py``, ``course.py``, ``head_to_head.py`` and ``transcript.py``. What they collected is the
``Contents`` of the report, from which ``report_page.py`` with ``charts.py``, ``sheets.py`` and ``summary.py`` make the
text of the files, and ``folder.py`` writes them.
"""
