"""Tell what happens: the records of a journal and the hands of a table become events, and events become words.

``record_events.py`` and ``hand_events.py`` make the events, in the same way while a tournament is played and when its
journal is read. ``seen_hand.py`` is a finished hand as one viewer saw it, and ``phrases.py`` has the sentences.
"""
