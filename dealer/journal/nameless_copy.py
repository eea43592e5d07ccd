"""A second copy of a journal in a file without a name, which nobody can delete or open by its path.

With it a lost journal can be written again, and bytes that were overwritten in the journal are found.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO


class NamelessCopy:
    """The bytes of a journal once more. It goes away with this process.

    Where there is no folder or no room for it, or it fails, there is no copy from then on; nothing raises an error.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        try:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        except OSError:  # a container may have no folder for it
            return

    def add_all_of(self, path: Path) -> None:
        """Add what a file holds."""

        def add_all(copy: IO[bytes]) -> None:
            with path.open("rb") as file:
                shutil.copyfileobj(file, copy)

        self._do(add_all)

    def add(self, data: bytes) -> None:
        """Add bytes at the end."""
        self._do(lambda copy: copy.write(data))

    def read(self, start: int, count: int) -> bytes | None:
        """Bytes from ``start`` on, ``count`` of them or as many as there are; None if there is no copy."""
        read: list[bytes] = []

        def read_part(copy: IO[bytes]) -> None:
            copy.seek(start)
            read.append(copy.read(count))
            copy.seek(0, os.SEEK_END)

        self._do(read_part)
        return read[0] if read else None

    def cut(self, whole: int) -> None:
        """Keep the first ``whole`` bytes only."""

        def cut(copy: IO[bytes]) -> None:
            copy.truncate(whole)
            copy.seek(whole)

        self._do(cut)

    def close(self) -> None:
        """Give the copy up. Closing it again does nothing."""
        if self._file is not None:
            with suppress(OSError):  # the last bytes may find no room
                self._file.close()
            self._file = None

    def _do(self, work: Callable[[IO[bytes]], object]) -> None:
        if self._file is None:
            return
        try:
            work(self._file)
        except OSError:
            self.close()
