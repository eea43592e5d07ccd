"""Bulk tournaments: everybody plays everybody for millions of rounds in one process, at the speed of compiled code."""
