"""``casino practice``: a program against house bots in a few short tournaments, and what there is to learn from them.

The tournaments are a league like any other, in one session and one journal. Everything that is told of them is read
back from that journal, and the house's best player is asked what it would have done in the program's place.
"""
