"""Environments for learning: every game for PettingZoo and Gymnasium, many tables at once, and an example that learns.

``aec.py`` has the PettingZoo environment and ``single.py`` that of Gymnasium. ``vector.py`` plays thousands of tables
of some games in compiled code. What a learner is told is in ``encoding.py`` and, for each game, in ``games``.
"""
