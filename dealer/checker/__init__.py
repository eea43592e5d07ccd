"""What is said of one program: ``casino check`` tests it against the rules.

The checker asks as a dealer does, and judges every reply against a rubric. ``check.py`` is its command. ``session/``
starts the program, talks to it and logs every byte; ``cases/`` says what it is asked in each game; ``scoring/`` makes
causes and points of what was found; ``output/`` shows them. ``asked_programs.py`` lets ``casino regress``, a simulation
of ``bots``, ask programs.
"""
