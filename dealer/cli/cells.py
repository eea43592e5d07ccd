"""Cells of CSV files. Names are strangers' text: no spreadsheet may take one for a formula."""

import re

_FORMULA = re.compile(r"(^|[;,\t|])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Where a spreadsheet may see a formula begin: in front, and behind what it may take for the end of a cell."""


def safe_cell(text: str) -> str:
    """A text that stays one: an apostrophe stands before what would begin a formula."""
    return _FORMULA.sub(r"\1\2'", text)
