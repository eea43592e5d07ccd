"""``casino replay``: hands of a recorded tournament, shown again in a terminal or exported as JSON or CSV.

``journal_reader`` takes a journal through the rules and selects what was asked for: hands as a viewer saw them, and the
events between them. ``hand_screen`` and ``show`` know nothing but those.
"""
