"""Estimates with 95 % confidence intervals, for all numbers that dealer and bots print: pure Python, no I/O.

They lie under both, so that what a dealer prints as 95 % means the same as what a simulation does.
"""
