"""``casino simulate``: many games in one process, and what they say with which certainty."""
