"""``casino`` itself: help where a person looks for it, Ctrl-C while it starts, and forks of it."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import trio

from dealer.cli.casino_app import build_app
from tests.dealer.cli.test_help import COMMANDS
from tests.docs.pages import ROOT
from tests.end_to_end.casino import ENVIRONMENT, casino, run
from tests.end_to_end.forked import run_forked
from tests.patience import PATIENCE


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
async def test_casino_explains_itself(words: list[str]) -> None:
    outcome = await run(*words)
    assert (outcome.code, outcome.err) == (0, "")
    for command in COMMANDS:
        assert command in outcome.out


def test_list_of_commands_says_what_each_does() -> None:
    """The summaries are read from the files; here they are compared with the docstrings of the imported commands."""
    listed, imported = build_app(summaries=True), build_app()
    for name in (name for name in imported if not name.startswith("-")):
        sentence = " ".join(imported[name].help.partition("\n\n")[0].split())
        assert sentence.endswith(".")
        assert " ".join(listed[name].help.split()) == sentence


@pytest.mark.parametrize(
    "words", [["league", "stud", "caller", "tight", "--seed", "my", "seed"], ["serve", "stud", "--seed", "my", "seed"]]
)
async def test_seed_without_quotes_is_told(words: list[str]) -> None:
    outcome = await run(*words)
    assert outcome.code == 2
    assert outcome.complaint[-1] == "casino: a seed of several words needs quotes: --seed 'my seed'"


async def test_bots_behind_a_seed_are_no_seed() -> None:
    outcome = await run("simulate", "stud", "--seed", "my", "caller", "--players", "99")
    assert outcome.code == 2
    assert "quotes" not in outcome.err


@pytest.mark.parametrize("command", COMMANDS)
async def test_every_command_explains_itself(command: str) -> None:
    """The page of commands, which is compared with the flags, says which there are."""
    outcome = await run(*command.split(), "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert f"casino {command}" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert "--empty" not in outcome.out
    words = " ".join(outcome.out.split())
    assert {word for word in ("None", "False", "()") if f"[default: {word}]" in words} == set()


async def test_the_version_is_the_packages() -> None:
    outcome = await run("--version")
    assert (outcome.code, outcome.out.strip()) == (0, version("casino-day"))


async def test_an_unknown_command_is_bad_usage() -> None:
    outcome = await run("leauge")
    assert outcome.code == 2
    assert "leauge" in outcome.err
    assert outcome.complaint[-1] == "casino: did you mean 'league'?"


async def test_words_too_many_are_named() -> None:
    outcome = await run("serve", "stud", "tight", "be ta")
    assert outcome.code == 2
    assert outcome.complaint[-1] == (
        "casino: casino serve has no use for tight, 'be ta'; what it takes: casino serve --help"
    )


@pytest.mark.parametrize(("game", "bulk"), [("dice", ", casino round-robin dice"), ("stud", "")])
async def test_a_game_in_place_of_a_command_is_told_which_commands_take_it(game: str, bulk: str) -> None:
    outcome = await run(game, "--rounds", "100")
    assert outcome.code == 2
    ways = f"casino league {game}, casino serve {game}, casino simulate {game}{bulk}"
    assert outcome.complaint[-1] == f"casino: '{game}' is a game; name a command before it, such as {ways}"


#: Runs ``casino`` as the installed script does, and interrupts it where it looks for a module.
SCRIPT = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == MODULE:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from dealer.main import main
main()
"""


@pytest.mark.parametrize(
    "module", ["dealer.cli.casino_app", "cyclopts", "dealer.cli.streams", "dealer.commands", "trio"]
)
def test_interrupt_while_a_module_is_imported(module: str) -> None:
    words = ("verify", "no.journal")
    command = [sys.executable, "-c", SCRIPT.replace("MODULE", repr(module)), *words]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["league", "stud", "caller", "caller", "--hands", "0"],
        ["new", "there", "--lang", "cobol"],
        ["verify", "nowhere.journal"],
        ["verify", "-"],
    ],
)
async def test_streams_and_exit_code(words: list[str]) -> None:
    forked = await run_forked(words, b"no journal", ENVIRONMENT)
    started = subprocess.run(
        casino(*words), input=b"no journal", capture_output=True, check=False, env=ENVIRONMENT, timeout=PATIENCE
    )
    assert forked.stdout + forked.stderr
    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)


async def test_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert (await run("new", "mine", "--lang", "python")).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


async def test_cancelled_process_is_killed() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    with trio.fail_after(PATIENCE):
        async with listener, trio.open_nursery() as nursery:
            nursery.start_soon(run, "bot", "caller", "127.0.0.1", str(port))
            program = await listener.accept()
            nursery.cancel_scope.cancel()
        async with program:
            async for _ in program:  # until nobody is at the other end any more
                pass


def test_process_in_another_folder_imports_what_is_tested(tmp_path: Path) -> None:
    """An installed copy may be an older one, and each test that uses its kernels would compile them."""
    words = [sys.executable, "-P", "-c", "import protocol; print(protocol.__file__)"]
    imported = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()
    assert Path(imported) == ROOT / "protocol" / "__init__.py"
