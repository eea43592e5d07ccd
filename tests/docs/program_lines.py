"""The lines of the documentation in which ``casino check`` and ``casino practice`` start a bot, as they are typed."""

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import trio

from protocol.installed_bots import is_bot_file
from tests.docs.pages import ROOT
from tests.docs.test_pages import PAGES, command_lines
from tests.end_to_end.casino import ENVIRONMENT, Outcome
from tests.end_to_end.forked import run_forked
from tests.patience import PATIENCE


def search_path(folder: Path) -> str:
    """A search path on which ``casino`` and ``python3`` are those under test, as in a virtual environment.

    Args:
        folder: for the two scripts.
    """
    folder.mkdir(exist_ok=True)
    python = shlex.quote(sys.executable)
    for name, command in {"python3": python, "casino": f"{python} -m dealer.main"}.items():
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        script.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


#: The language of a starter, by the first word of the command that runs it.
LANGUAGES = {"python3": "python", "java": "java", "./poker": "cpp"}

#: What is typed between the game and the rest of a line, so that it ends soon and a busy machine keeps the limit.
SHORTER = {"check": "--limit 30", "practice": "--limit 30 --tournaments 1 --stack 10"}

#: Opponents of a practice whose line names none, in games whose teacher thinks for long about a hand of many.
FEWER = {"holdem": "--against tight "}

#: A page all of whose commands are run by its own test.
ELSEWHERE = ROOT / "bots/docs/tutorial.md"


def program_lines(language: str, game: str) -> list[str]:
    """The distinct lines of all pages that check or practise a bot of this language and game.

    A practice starts the bot as a check does, and takes longer; those of compiled bots are left out.
    """
    commands = {"check", "practice"} if language == "python" else {"check"}
    found = (words for words in _all() if (_language(words), words[1]) == (language, game) and words[0] in commands)
    return list(dict.fromkeys(map(_typed, found)))


async def run_line(line: str, folder: Path) -> Outcome:
    """Run a line that begins with ``casino`` in a folder, as in a virtual environment."""
    command, *words = shlex.split(line)
    assert command == "casino"
    variables = {"PATH": search_path(folder / "bin"), "PYTHONPATH": str(ROOT)}
    with trio.fail_after(PATIENCE):
        done = await run_forked(words, b"", ENVIRONMENT, folder, variables)
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def _all() -> Iterator[list[str]]:
    for path in PAGES:
        for words in command_lines(path):
            if words[0] in SHORTER and "--sandbox" not in words and path != ELSEWHERE and not is_bot_file(words[-1]):
                yield words


def _language(words: list[str]) -> str:
    return LANGUAGES[words[words.index("--") + 1]]


def _typed(words: list[str]) -> str:
    command, game, *rest = words
    typed = " ".join(word if word in {"{host}", "{port}"} else shlex.quote(word) for word in rest)
    fewer = FEWER.get(game, "") if command == "practice" and "--against" not in rest else ""
    return f"casino {command} {game} {SHORTER[command]} {fewer}{typed}"
