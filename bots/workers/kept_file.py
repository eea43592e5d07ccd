"""Replace a file at once, so that a reader finds the old text or the new one, also after a crash."""

import os
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, text: str) -> None:
    """Write ``text`` beside the file, have it on disk, and give it the file's name.

    Raises:
        OSError: it cannot be written.
    """
    new = path.with_name(f"{path.name}.new")
    try:
        with new.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        with suppress(OSError):
            new.unlink()
