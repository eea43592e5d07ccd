"""``casino replay``: hands of a recorded tournament, shown again in a terminal or exported as JSON or CSV.

``journal_reader`` takes a journal through the rules and selects what was asked for; ``seen_hand`` turns each hand into
plain events without any card that the viewer may not see; ``hand_screen`` and ``export`` know
nothing but those events.
"""
