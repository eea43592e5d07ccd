"""Talking to the program under test, and writing down what passes."""
