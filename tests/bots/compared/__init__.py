"""Hands a second of our rules, arena and kernel beside other libraries: ``python -m tests.bots.compared``."""
