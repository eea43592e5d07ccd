"""Solvers, and the tables they make for the bots of Blockhead: see README.md beside this file."""

from importlib.util import find_spec

_missing = [name for name in ("numba", "numpy") if find_spec(name) is None]
if _missing:
    raise ImportError(f"making tables needs {' and '.join(_missing)}: pip install '.[sim]' in the folder of Casino Day")
