"""Compiled rules for two players at thousands of tables, one file a game; tests hold each equal to the rules."""
