"""The folders of a program: what a sandbox must show it so that it can run, and nothing more."""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dealer.errors import OptionError
from dealer.sandbox.sandbox import in_system

#: Folders with programs; the folder around one is the whole installation.
_BINARIES = {"bin", "sbin", "shims", "Scripts"}

#: Bytes of a script's first line that are read.
_FIRST_LINE = 256


def program_folders(words: Sequence[str], hidden: Iterable[Path] = ()) -> tuple[Path, ...]:
    """What the command ``words`` needs to see, beside the system's folders.

    Those are the folders and files that it names, or the current folder if it names none, and the installation of each
    program in it: of a virtual environment also that of its Python. A file brings the folder in which it lies, for the
    files beside it, unless something hidden lies there too: then the file alone is shown.

    Args:
        words: the command, not yet filled in.
        hidden: files and folders that it may not see, such as the journal and other programs.

    Returns:
        Absolute paths.

    Raises:
        OptionError: it cannot run without seeing what is hidden from it.
    """
    named = [path for word in words[1:] for path in _named(word)]
    starters = list(_starters(words[0]))
    own = [*named, *(path for path in starters if _belongs_to_program(path))] or [Path.cwd()]
    kept_from_it = {Path.home(), Path("/tmp"), *(form for path in hidden for form in _forms(path))}
    seen: set[Path] = set()
    for path in own:
        for form in _forms(path):
            seen |= _own_folder(form, kept_from_it, words)
    for path in starters:
        seen |= _installation(path, kept_from_it)
    _refuse_closed(seen)
    return tuple(sorted(path for path in seen if not in_system(path)))


def _refuse_closed(seen: Iterable[Path]) -> None:
    """Refuse what only root can read, if root runs the dealer: there programs run as another user."""
    for path in seen if os.geteuid() == 0 else ():
        needed = 0o005 if path.is_dir() else 0o004
        if path.stat().st_mode & needed != needed:
            raise OptionError(
                f"--sandbox: only root can read {path}, and programs do not run as root; chmod -R o+rX it"
            )


def named_paths(words: Sequence[str]) -> set[Path]:
    """The files and folders of a program, which are hidden from other programs; the current folder is nobody's own."""
    starters = [path for path in _starters(words[0]) if _belongs_to_program(path)]
    paths = [path for word in words[1:] for path in _named(word)] + starters
    forms = {form for path in paths for form in _forms(path)}
    return {path for path in forms if not in_system(path) and path != Path.cwd()}


def folders_of_each(commands: Sequence[Sequence[str]], journal: Path | None = None) -> list[tuple[Path, ...]]:
    """``program_folders`` of several programs, each hidden from the others.

    Args:
        commands: of the programs.
        journal: hidden from all of them.

    Raises:
        OptionError: a program cannot run without seeing the journal or another program.
    """
    if journal is not None:
        refuse_visible(journal)
    own = [named_paths(words) for words in commands]
    everybody = set().union(*own)
    kept = set() if journal is None else {journal}
    return [program_folders(words, everybody - paths | kept) for words, paths in zip(commands, own, strict=True)]


def refuse_visible(journal: Path) -> None:
    """Refuse a journal in a folder that every program sees.

    Raises:
        OptionError: programs in a sandbox could read it there.
    """
    if in_system(journal.resolve()):
        raise OptionError(f"--sandbox: programs can read {journal.resolve()}, a folder of the system; name another one")


def _forms(path: Path) -> set[Path]:
    """A path from the root, as it is written and with its links followed."""
    return {path.absolute(), path.resolve()}


def _named(word: str) -> Iterator[Path]:
    """The files and folders that a word of a command names: alone, behind = or in a list of them."""
    for part in {word, *re.split(r"[=:,]", word)}:
        if part and not part.startswith("{"):
            path = Path(part)
            try:
                if path.exists():
                    yield path
            except OSError:  # a word that is too long for a name, or a folder that is closed to this user
                continue


def _starters(word: str) -> Iterator[Path]:
    """The program that a word starts, and the interpreter that its first line names."""
    found = shutil.which(word)
    if found is None:
        return
    path = Path(found).absolute()
    yield path
    with path.open("rb") as file:
        first = file.readline(_FIRST_LINE)
    if first.startswith(b"#!"):
        interpreter = first[2:].decode(errors="replace").split()
        for name in interpreter[:1] + [name for name in interpreter[1:2] if interpreter[0].endswith("/env")]:
            if name != word:
                yield from _starters(name)


def _belongs_to_program(path: Path) -> bool:
    """Whether a started file is the program itself, not an interpreter that is installed."""
    return path.parent.name not in _BINARIES and not in_system(path)


def _own_folder(path: Path, hidden: set[Path], words: Sequence[str]) -> set[Path]:
    """The folder itself; of a file its folder, or if something hidden lies in that, the file alone."""
    if path in hidden and not path.is_dir():
        return set()
    folder = path if path.is_dir() else path.parent
    shared = next((other for other in hidden if other.is_relative_to(folder)), None)
    if shared is None or in_system(folder):
        return {folder}
    if folder != path:
        return {path}
    raise OptionError(
        f"--sandbox: the program {' '.join(words)!r} needs the folder {folder}, which is or holds {shared}; "
        "put the program into a folder of its own"
    )


def _installation(path: Path, hidden: set[Path]) -> set[Path]:
    """What an installed program needs: the folder around its ``bin``, and that of the Python of an environment."""
    seen = set()
    for form in _forms(path):
        if in_system(form) or _belongs_to_program(form):
            continue
        if form.parent.name in _BINARIES and not any(other.is_relative_to(form.parent.parent) for other in hidden):
            seen.add(form.parent.parent)
            settings = form.parent.parent / "pyvenv.cfg"
            if settings.is_file() and (home := re.search(r"^home\s*=\s*(.+)$", settings.read_text(), re.MULTILINE)):
                seen.add(Path(home[1].strip()).parent)
        else:
            seen.add(form)
    return seen
