"""Programs in sandboxes, in whole leagues, checks and practices as users type them."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.compiled import STARTERS, starter_command
from tests.dealer.sandbox.sandboxed import needs_sandbox
from tests.end_to_end.casino import ENVIRONMENT, run

WHERE = "{host} {port}"
FLAGS = ("--hands", "30", "--stack", "60", "--limit", "30", "--seed", "sandbox")
PYTHON = str(Path(sys.executable).resolve())

#: Plays like the starter, unless it finds the journal, the dealer or another program: then it ends at once.
SPY = """
import os, pathlib, runpy, sys
journal, other = bytes.fromhex(sys.argv.pop()).decode(), bytes.fromhex(sys.argv.pop()).decode()
for process in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        command = (process / "cmdline").read_bytes()
    except OSError:  # it ended since it was listed
        continue
    if b"dealer.main\\0league" in command:
        sys.exit("I see the dealer")
for path in (journal, other):
    if os.path.exists(path):
        sys.exit("I see " + path)
runpy.run_path(str(pathlib.Path(__file__).with_name("poker.py")), run_name="__main__")
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A folder for each student."""
    needs_sandbox()
    for student in ("ada", "bob"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "poker.py").write_bytes((STARTERS / "python" / "poker.py").read_bytes())
        (tmp_path / student / "spy.py").write_text(SPY)
    return tmp_path


def hidden(path: Path) -> str:
    """A path that a spy knows, written so that nobody sees that its command names it."""
    return str(path).encode().hex()


def failures(results: dict[str, Any]) -> list[str]:
    return [line for failure in results["failures"] for line in [failure["what"], *failure["stderr"]]]


async def test_spies_of_a_league_find_nothing(room: Path) -> None:
    journal = room / "day.journal"
    guests = []
    for student, other in (("ada", "bob"), ("bob", "ada")):
        known = f"{hidden(room / other / 'secret')} {hidden(journal)}"
        spy = f"{PYTHON} {room}/{student}/spy.py {WHERE} {student} {student} {known}"
        guests += ["--bot-cmd", spy]
        (room / student / "secret").touch()
    played = await run("league", "stud", *guests, *FLAGS, "--journal", journal, "--sandbox", "--json")
    results = json.loads(played.out)
    assert (played.code, failures(results)) == (0, []), played.err
    assert {standing["id"]: standing["faults"] for standing in results["standings"]} == {"ada": [], "bob": []}
    assert "Warning" not in played.err
    assert (await run("verify", journal)).code == 0


async def test_without_the_sandbox_they_find_it_and_the_host_is_warned(room: Path) -> None:
    journal = room / "day.journal"
    spy = f"{PYTHON} {room}/ada/spy.py {WHERE} ada Ada {hidden(room / 'bob' / 'poker.py')} {hidden(journal)}"
    played = await run("league", "stud", "caller", "tight", "--bot-cmd", spy, *FLAGS, "--journal", journal, "--json")
    assert played.code == 1
    assert "I see" in " ".join(failures(json.loads(played.out)))
    assert "Warning: the programs of --bot-cmd run as you do" in played.err


#: A program that says which of these files it can read.
THIEF = """
import os, sys
for path in ("ada/poker.py", "bob/poker.py", "day.journal", os.path.expanduser("~root/.bashrc")):
    print("I see" if os.path.exists(path) else "hidden", path, file=sys.stderr)
sys.exit(5)
"""


async def test_submission_cannot_choose_what_it_sees(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(room)
    room.chmod(0o755)  # so that nothing but the sandbox hides it
    for folder in (*("eve/venv/bin", "eve/venv/lib"), "mallory"):
        (room / folder).mkdir(parents=True)
    (room / "eve/venv/bin/python").symlink_to(PYTHON)
    (room / "eve/run").write_text("#!/usr/bin/env eve/venv/bin/python" + THIEF)
    (room / "eve/run").chmod(0o755)
    (room / "mallory/poker.py").symlink_to("../bob/poker.py")
    ada = ("--bot-cmd", f"{PYTHON} ada/poker.py {WHERE}", *FLAGS, "--journal", "day.journal", "--sandbox", "--json")
    for home in (room / "bin", "/bin"):
        (room / "eve/venv/pyvenv.cfg").write_text(f"home = {home}\n")
        played = await run("league", "stud", "caller", "--bot-cmd", f"eve/run {WHERE}", *ada)
        said = failures(json.loads(played.out))
        assert sum(line.startswith("hidden") for line in said) == 4, played.err
        (room / "day.journal").unlink()
    refused = await run("league", "stud", "caller", "--bot-cmd", f"{PYTHON} mallory/poker.py {WHERE}", *ada)
    assert (refused.code, refused.out) == (2, "")
    assert "mallory/poker.py is a link to" in refused.err


async def test_a_league_without_a_journal_or_guests_warns_of_nothing(room: Path) -> None:
    guest = ("--bot-cmd", f"{PYTHON} {room}/ada/poker.py {WHERE}")
    for words in (("caller", *guest), ("caller", "tight", "--journal", str(room / "day.journal"))):
        assert "Warning" not in (await run("league", "stud", *words, *FLAGS)).err


async def test_programs_of_all_starter_languages_play_in_sandboxes(
    room: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    environment = room / "ada" / "venv"
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", str(environment)], check=True)
    commands = {
        "java": shlex.join(starter_command(tmp_path_factory, "java")),
        "cpp": shlex.join(starter_command(tmp_path_factory, "cpp")),
        "python": f"{environment}/bin/python {room}/ada/poker.py",
    }
    guests = [word for id, command in commands.items() for word in ("--bot-cmd", f"{command} {WHERE} {id} {id}")]
    played = await run("league", "stud", *guests, *FLAGS, "--sandbox", "--json")
    results = json.loads(played.out)
    assert (played.code, failures(results)) == (0, []), played.err
    assert {standing["id"]: standing["faults"] for standing in results["standings"]} == {id: [] for id in commands}


@pytest.mark.long
async def test_a_check_in_the_sandbox_gives_the_same_points(room: Path) -> None:
    program = [PYTHON, str(room / "ada" / "poker.py"), "{host}", "{port}"]
    flags = ("--hands", "20", "--limit", "30", "--json")
    points = []
    for sandbox in ((), ("--sandbox",)):
        checked = await run("check", "stud", *flags, *sandbox, "--", *program)
        lines = json.loads(checked.out)["lines"]
        points.append([(line["id"], line["points"]) for line in lines if line["id"] != "clock"])
    assert points[0] == points[1]


@pytest.mark.long
async def test_practice_in_the_sandbox(room: Path) -> None:
    program = [PYTHON, str(room / "ada" / "poker.py"), "{host}", "{port}"]
    flags = ("--tournaments", "1", "--stack", "20", "--against", "caller", "--limit", "30", "--out", str(room / "out"))
    practised = await run("practice", "stud", *flags, "--sandbox", "--json", "--", *program)
    assert practised.code == 0, practised.err
    assert json.loads(practised.out)["failures"] == []


@pytest.mark.parametrize(
    "words",
    [
        ("league", "stud", "caller", "--bot-cmd", f"cat {WHERE}", "--sandbox"),
        ("check", "stud", "--sandbox", "--", "cat", "{host}", "{port}"),
        ("practice", "stud", "--sandbox", "--", "cat", "{host}", "{port}"),
    ],
)
async def test_no_sandbox_no_game(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where bubblewrap is not installed, nothing is started without it."""
    monkeypatch.setitem(ENVIRONMENT, "PATH", str(tmp_path))
    monkeypatch.setitem(ENVIRONMENT, "XDG_DATA_HOME", str(tmp_path))
    refused = await run(*words)
    assert refused.code == 2
    assert refused.complaint[-1].startswith("casino: --sandbox needs bubblewrap: install it")


async def test_every_command_takes_another_python_for_the_sandbox(room: Path) -> None:
    program = f"{PYTHON} {room}/ada/poker.py {WHERE}"
    commands = (
        ("league", "stud", "caller", "--bot-cmd", program),
        ("round-robin", "dice", "caller", "--rounds", "10", "--bot-cmd", program),
        ("regress", program, program, "--games", "stud"),
        ("check", "stud"),
        ("practice", "stud"),
    )
    for words in commands:
        last = ("--", *program.split()) if len(words) == 2 else ()
        refused = await run(*words, "--sandbox", "--sandbox-python", room / "nothing", *last)
        assert refused.code == 2
        assert f"--sandbox-python: {room}/nothing is no folder" in " ".join(refused.err.split())
