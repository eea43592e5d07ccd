"""The folders of a program: what a sandbox must show it so that it can run, and nothing more.

The host writes the command, so the files that it names are meant. What lies in a program's folder is not to be trusted:
a link or the first line of a script in there leads only to the folder itself, the system, or the host's own Python.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dealer.errors import OptionError
from dealer.sandbox.sandbox import in_system

#: Folders with programs; the folder around one is the whole installation.
_BINARIES = {"bin", "sbin", "shims", "Scripts"}

#: Programs that are told what to run, and may find it in the current folder.
_INTERPRETERS = re.compile(r"(python|pypy|java|node|ruby|perl|php|mono|dotnet)[\d.]*")

#: Bytes of a script's first line that are read.
_FIRST_LINE = 256


def program_folders(
    words: Sequence[str], hidden: Iterable[Path] = (), pythons: Iterable[Path] = ()
) -> tuple[Path, ...]:
    """What the command ``words`` needs to see, beside the system's folders.

    Those are the folders and files that it names, or the current folder if it names none, and the installation of the
    program that it starts. A file brings the folder in which it lies, for the files beside it, unless something hidden
    lies there too: then the file alone is shown.

    Args:
        words: the command, not yet filled in.
        hidden: files and folders that it may not see, such as the journal and other programs.
        pythons: installations of Python that it may use beside the one that runs the dealer.

    Returns:
        Absolute paths.

    Raises:
        OptionError: it cannot run without seeing what is hidden from it, or something in its folder leads out of it.
    """
    kept_from_it = {Path.home(), Path("/tmp"), *(form for path in hidden for form in _forms(path))}
    installed = [form for path in pythons for form in _forms(path)]
    host = [*installed, *(form for prefix in (sys.prefix, sys.base_prefix) for form in _forms(Path(prefix)))]
    # Each file or folder of the program itself, and the folder that it brings.
    own = [(path, path if path.is_dir() else path.parent) for word in words[1:] for path in _named(word)]
    program = _own_program(words[0])
    # A student's ``bin/run`` looks like an installation if a ``lib`` lies beside that ``bin``, but is not one.
    if program is None or (_is_installed(program) and _INTERPRETERS.fullmatch(program.name)):
        own = own or [(Path.cwd(), Path.cwd())]
    if program is not None:
        own.append((program, program.parent.parent if _is_installed(program) else program.parent))
    seen = set(installed)
    for path, folder in own:
        seen |= _own_folder(path, folder, kept_from_it, words, host)
    if program is None:
        for path in _starters(words[0]):
            seen |= _installation(path, kept_from_it)
    else:
        seen |= _interpreter_folders(program, seen, host)
    _refuse_hidden(seen | {Path(sys.base_prefix)}, kept_from_it, words)
    _refuse_closed(seen)
    return tuple(sorted(path for path in seen if not in_system(path)))


def _refuse_hidden(seen: Iterable[Path], hidden: set[Path], words: Sequence[str]) -> None:
    """Refuse to show what is hidden, wherever links lead."""
    for path in seen:
        for form in _forms(path):
            shared = next((other for other in hidden if other.is_relative_to(form)), None)
            if shared is not None and not in_system(form):
                raise OptionError(_needs_hidden(words, form, shared))


def _needs_hidden(words: Sequence[str], folder: Path, shared: Path) -> str:
    return (
        f"--sandbox: the program {' '.join(words)!r} needs the folder {folder}, which is or holds {shared}; "
        "put the program into a folder of its own"
    )


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
    program = _own_program(words[0])
    paths = [path for word in words[1:] for path in _named(word)]
    if program is not None and not _is_installed(program):
        paths.append(program)
    return {path for path in map(_absolute, paths) if not in_system(path) and path != Path.cwd()}


def folders_of_each(
    commands: Sequence[Sequence[str]], journal: Path | None = None, pythons: Sequence[Path] = ()
) -> list[tuple[Path, ...]]:
    """``program_folders`` of several programs, each hidden from the others.

    Args:
        commands: of the programs.
        journal: hidden from all of them.
        pythons: installations of Python that all of them may use beside the one that runs the dealer.

    Raises:
        OptionError: a program cannot run without seeing the journal or another program, or every program sees it.
    """
    if journal is not None and in_system(shown := journal.resolve()):
        raise OptionError(f"--sandbox: programs can read {shown}, a folder of the system; name another one")
    for folder in pythons:
        if not folder.is_dir():
            raise OptionError(f"--sandbox-python: {folder} is no folder; name that of an installation, such as /opt/py")
    own = [named_paths(words) for words in commands]
    everybody = set().union(*own)
    kept = set() if journal is None else {journal}
    return [
        program_folders(words, everybody - paths | kept, pythons) for words, paths in zip(commands, own, strict=True)
    ]


def _absolute(path: Path) -> Path:
    """A path from the root, as it is written but for ``..``."""
    return Path(os.path.normpath(path.absolute()))


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


def _own_program(word: str) -> Path | None:
    """The program that a command starts, if its path is written or it lies in no ``bin``; never one of the system."""
    found = shutil.which(word)
    if found is None:
        return None
    path = _absolute(Path(found))
    by_name = "/" not in word and path.parent.name in _BINARIES
    return None if by_name or in_system(path) else Path(found)


def _is_installed(program: Path) -> bool:
    """Whether a program whose path is written is part of an installation, such as the Python of an environment."""
    folder = _absolute(program).parent
    return folder.name in _BINARIES and (folder.parent / "lib").is_dir()


def _starters(word: str) -> Iterator[Path]:
    """The program that a word starts, and the interpreter that its first line names."""
    found = shutil.which(word)
    if found is None:
        return
    path = Path(found).absolute()
    yield path
    for name in _first_line(path):
        if name != word:
            yield from _starters(name)


def _first_line(path: Path) -> list[str]:
    """The interpreter that a script names in its first line, and the one that ``env`` is to find; none of a program."""
    if not path.is_file():  # a pipe would be waited for without end
        return []
    with path.open("rb") as file:
        first = file.readline(_FIRST_LINE)
    if not first.startswith(b"#!"):
        return []
    words = first[2:].decode(errors="replace").split()
    if not words or not words[0].endswith("/env"):
        return words[:1]
    return [words[0], *[word for word in words[1:] if not word.startswith("-") and "=" not in word][:1]]


def _own_folder(path: Path, folder: Path, hidden: set[Path], words: Sequence[str], host: Sequence[Path]) -> set[Path]:
    """What a file or folder of the program brings: ``folder``, or if something hidden lies in that, the file alone.

    Raises:
        OptionError: the folder itself is or holds something hidden, or a link leads out of it.
    """
    absolute = _absolute(path)
    if in_system(absolute) or (absolute in hidden and not path.is_dir()):
        return set()
    around = path if path.is_dir() else path.parent
    if around.resolve() != _absolute(around):
        raise OptionError(
            f"--sandbox: {path} lies behind a link that leads to {around.resolve()}; name that folder in the command "
            "if the program may see it"
        )
    shown = _absolute(folder)
    if shared := next((other for other in hidden if other.is_relative_to(shown)), None):
        if path.is_dir():
            raise OptionError(_needs_hidden(words, shown, shared))
        shown = absolute
    target = path.resolve()
    return {shown} if target.is_relative_to(shown) else {shown, _allowed(target, f"{path} is a link to {target}", host)}


def _allowed(path: Path, what: str, host: Sequence[Path]) -> Path:
    """What must be shown so that a program sees ``path``, which is the system's or belongs to the host's Python.

    Raises:
        OptionError: it is neither; the text begins with ``what`` names it.
    """
    if in_system(path):
        return path
    if python := next((folder for folder in host if path.is_relative_to(folder)), None):
        return python
    raise OptionError(
        f"--sandbox: {what}, which lies outside the program's folder; put a copy into that folder, "
        "or if it is a Python that you have installed, allow it with --sandbox-python and its folder"
    )


def _interpreter_folders(program: Path, seen: set[Path], host: Sequence[Path]) -> set[Path]:
    """What the interpreter needs that a script of the program's folder names in its first line."""
    folders = set()
    for name in _first_line(program):
        found = shutil.which(name)
        for path in () if found is None else {_absolute(Path(found)), Path(found).resolve()}:
            if not any(path.is_relative_to(folder) for folder in seen):
                folders.add(_allowed(path, f"{program} starts with {name}, that is {path}", host))
    return folders


def _installation(path: Path, hidden: set[Path]) -> set[Path]:
    """What a program needs that is found by its name: the folder around its ``bin``."""
    seen = set()
    for form in _forms(path):
        if in_system(form):
            continue
        around = form.parent.parent
        if form.parent.name in _BINARIES and not any(other.is_relative_to(around) for other in hidden):
            seen.add(around)
        else:
            seen.add(form)
    return seen
