"""Leduc hold'em: a game of six cards for two, brought to the house by a package of its own."""
