"""The folder of a report. Each file is listed before it is written, and no file that is not listed is ever deleted."""

from collections import defaultdict
from contextlib import suppress
from pathlib import Path, PurePosixPath

from dealer.errors import OptionError, ReportError

#: The file that lists all others, one a line, with ``/`` between folders.
LIST = ".casino-report"

#: Lines of one file that wait in memory; few files are open at a time then, and little memory is needed.
FLUSH_LINES = 2000

#: Its first line, by which an earlier report is recognised.
_HEADING = "Written by `casino report`, which replaces these files when it writes here again:"


class ReportFolder:
    """A folder that a report is being written to. Use ``open_folder``.

    Attributes:
        path: of the folder.
        files: written so far, relative to the folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: list[str] = []
        self._listed: set[str] = set()
        self._waiting: dict[str, list[str]] = defaultdict(list)

    def add(self, name: str, *lines: str) -> None:
        """Add lines at the end of a file; the last ones are written by ``flush``. It raises what ``append`` does."""
        waiting = self._waiting[name]
        waiting += lines
        if len(waiting) > FLUSH_LINES:
            self._write(name)

    def flush(self) -> None:
        """Write all lines that still wait."""
        for name in self._waiting:
            self._write(name)

    def _write(self, name: str) -> None:
        self.append(name, "".join([f"{line}\n" for line in self._waiting[name]]))
        self._waiting[name].clear()

    def append(self, name: str, text: str) -> None:
        """Add ``text`` at the end of a file, which is created if it is new.

        Raises:
            ReportError: a file of that name was there before the report, or the system refuses.
        """
        try:
            if name not in self._listed:
                self._begin(name)
            with (self.path / name).open("a", encoding="utf-8", newline="") as file:
                file.write(text)
        except FileExistsError:
            raise ReportError(f"{self.path / name} is there, but no report wrote it; choose another folder") from None
        except OSError as error:
            raise ReportError(f"cannot write {self.path / name}: {error.strerror}") from None

    def discard(self) -> None:
        """Delete what was written, because half a report looks like a whole one."""
        _remove(self.path, self.files)
        with suppress(OSError):
            (self.path / LIST).unlink()
        self.files, self._listed = [], set()

    def _begin(self, name: str) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() or path.is_symlink():
            raise FileExistsError
        with (self.path / LIST).open(
            "a", encoding="utf-8"
        ) as file:  # listed first, so that an interrupt leaves no unlisted file
            file.write(f"{name}\n")
        path.touch(exist_ok=False)
        self._listed.add(name)
        self.files.append(name)


def check_folder(path: Path) -> None:
    """Make sure that a report may be written to ``path``; changes nothing.

    Raises:
        OptionError: it is a file, cannot be read, or holds something else than a report.
    """
    try:
        if path.exists() and not path.is_dir():
            raise OptionError(f"{path} is a file; --out needs a folder")
        if path.exists() and any(path.iterdir()) and _earlier_files(path) is None:
            raise OptionError(
                f"the folder {path} is not empty, and what is in it is no earlier report; name a new folder with --out"
            )
    except OSError as error:
        raise OptionError(f"cannot use the folder {path}: {error.strerror}") from None


def open_folder(path: Path) -> ReportFolder:
    """Create the folder, or delete the files of an earlier report in it.

    Raises:
        OptionError: see ``check_folder``.
        ReportError: the file system refuses.
    """
    check_folder(path)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)  # private: a report holds grades
        _remove(path, _earlier_files(path) or [])
        (path / LIST).write_text(f"{_HEADING}\n", encoding="utf-8")
    except OSError as error:
        raise ReportError(f"cannot write to the folder {path}: {error.strerror}") from None
    return ReportFolder(path)


def _earlier_files(folder: Path) -> list[str] | None:
    """The files of an earlier report; None if there was none."""
    listing = folder / LIST
    if listing.is_symlink() or not listing.is_file():
        return None
    heading, *names = listing.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
    return names if heading == _HEADING else None


def _remove(folder: Path, names: list[str]) -> None:
    """Delete these files, and the folders they leave empty. The list may be forged: nothing outside is deleted."""
    root = folder.resolve()
    for name in names:
        path = folder / name
        inside = _is_plain(name) and path.parent.resolve().is_relative_to(root)
        if inside and path.is_file() and not path.is_symlink():
            path.unlink()
    for parent in sorted({folder / up for name in names if _is_plain(name) for up in PurePosixPath(name).parents}):
        if parent != folder:
            _drop_if_empty(parent)
    _drop_if_empty(folder / "players")


def _drop_if_empty(folder: Path) -> None:
    if not folder.is_symlink():
        with suppress(OSError):  # not empty, or gone
            folder.rmdir()


def _is_plain(name: str) -> bool:
    """True if a path stays below the folder from which it begins."""
    parts = PurePosixPath(name).parts
    return bool(parts) and not name.startswith("/") and "\\" not in name and ":" not in name and ".." not in parts
