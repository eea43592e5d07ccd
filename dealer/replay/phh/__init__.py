"""Hold'em hands in PHH, the Poker Hand History file format: written from a journal, and read to check our rules."""
