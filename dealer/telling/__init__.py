"""Tell what happens: the records of a journal and the hands of a table become events, and events become words.

``record_events.py`` and ``hand_events.py`` make the events, in the same way while a tournament is played and when its
journal is read. ``seen_hand.py`` is a finished hand as one viewer saw it, ``scene.py`` what a table looks like,
``phrases.py`` has the sentences, ``moments.py`` the course of a tournament and what is worth seeing, and ``curves.py``
chips over hands.
"""
