"""What a decision was worth: the actions of a recorded situation in chips, by roll-outs against named opponents.

``situation.py`` is what one seat knew, ``deals.py`` deals what it did not know so that it fits what the others did, and
``rollouts.py`` plays each action to the end of the hand, and finds the decisions that cost most.
"""
