"""Compiled twins of the rules, for millions of hands; each is tested equal to its game. They need the extra ``sim``."""
