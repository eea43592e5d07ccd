"""What a program is asked in a check. ``parts.py`` and ``deals.py`` work for every game; the rest is one game a file."""
