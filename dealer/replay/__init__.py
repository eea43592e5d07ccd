"""A recorded tournament watched again: in the terminal, as JSON lines or as CSV.

``reading`` takes a journal through the rules and chooses what was asked for; ``script`` turns each hand into plain
events, of which no card is more than the viewer may see; ``terminal`` and ``export`` know nothing but those events.
"""
