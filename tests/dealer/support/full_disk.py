"""A journal's file on a disk that a test can fill and empty."""

import errno

from dealer.journal.file import AppendFile


class FileOnFullDisk(AppendFile):
    """A file that can take no more bytes while ``full`` is set."""

    full = False

    def _write(self, data: bytes) -> None:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super()._write(data)
