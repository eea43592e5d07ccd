"""A tournament as one HTML file that replays it in a browser, without a dealer and without a network.

``recording.py`` follows a journal and makes the file of each viewer, in which only what changes from frame to frame is
kept, as the page shows it of a tournament in progress, and finds the moments to jump to. ``document.py`` joins data,
styles and scripts, which are those of
``dealer/web/page`` and of ``page/``. ``command.py`` is ``casino replay --web``; reports hold such files too.
"""
