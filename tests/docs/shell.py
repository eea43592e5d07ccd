"""A search path for commands of the documentation, which are typed without the path of this Python."""

import os
import shlex
import sys
from pathlib import Path


def search_path(folder: Path) -> str:
    """A search path on which ``casino`` and ``python3`` are those under test, as in a virtual environment.

    Args:
        folder: a new folder for the two scripts.
    """
    folder.mkdir()
    python = shlex.quote(sys.executable)
    for name, command in {"python3": python, "casino": f"{python} -m dealer.main"}.items():
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        script.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"
