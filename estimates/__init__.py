"""Estimates with 95 % confidence intervals, for all numbers that dealer and bots print: pure Python, no I/O.

This is a package of its own because dealer and bots never import each other, and `protocol` holds rules, not
statistics; so there is one copy, and what a dealer prints as 95 % means the same as what a simulation does.
"""
