"""What a program is asked in a check.

``deals.py`` works for every game, from its rules. What one game adds is in a module or folder with the
name of the game, which ``game_cases.py`` finds.
"""
