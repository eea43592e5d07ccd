"""``casino play`` and ``casino bots``, and the file of statistics, in processes of their own."""

import json
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from bots.human import commands
from bots.human.play_statistics import (
    read_statistics,
)
from protocol.installed_bots import bot_names
from protocol.wire.messages import Name
from tests.end_to_end.casino import ENVIRONMENT, run
from tests.end_to_end.terminal import open_terminal
from tests.patience import PATIENCE

F3, F10, ENTER = b"\x1bOR", b"\x1b[21~", b"\r"
PLAY = ("play", "stud", "--against", "caller", "--speed", "none", "--seed", "terminal")


async def test_hand_in_a_real_terminal() -> None:
    async with open_terminal(*PLAY, columns=80) as person:
        await person.sees("Your turn")
        await person.press(b"r")
        # The pot has grown, so this is no line of the first turn that was painted late.
        await person.sees("You bet 1.", "Street 2", "the pot is 4")
        await person.press(F3)
        await person.sees("the next hand")
        await person.press(F10)
        await person.sees("Leave the table?")
        await person.press(ENTER)
        assert await person.ended() == 0
    assert "Three-card stud against caller\nYou have left the table.\n1 hand: 500 chips at first" in person.seen


async def test_play_without_a_dealer() -> None:
    async with open_terminal("play", "127.0.0.1", "1", "--patience", "0") as person:
        assert await person.ended() == 1
    assert person.seen == "casino: no dealer at 127.0.0.1:1: Connection refused\n"


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (
            ["nowhere"],
            2,
            "play blockhead or dice or holdem or stud against house bots, or give a dealer's address and port; got "
            "'nowhere'",
        ),
        (["stud", "--against", "nobody"], 2, "there is no bot 'nobody'; installed are "),
        (["stud", "--against", "gamma"], 2, "gamma does not play stud; these do: caller, "),
        (["stud", "--opponents", "10"], 2, "stud is played here against 1 to 9 opponents, got 10"),
        (["blockhead", "--opponents", "6"], 2, "blockhead is played here against 1 to 5 opponents, got 6"),
        (["stud", "--stack", "2", "--ante", "3"], 2, "a stack of 2 chips does not pay the ante of 3"),
        (["holdem", "--level-table", "no.toml"], 2, "--level-table no.toml: cannot read the file (No such file"),
        (
            ["holdem", "--level-table", "sit-and-go", "--big-blind", "40"],
            2,
            "--level-table sets the stakes of every level; leave out --big-blind",
        ),
        (
            ["holdem", "--level-table", "sit-and-go", "--preset", "royale"],
            2,
            "--level-table sit-and-go: level 1: loops: betting in loops has no blinds",
        ),
        (["stud", "--level-table", "sit-and-go"], 2, "--level-table sit-and-go: level 1: stud has no small_blind"),
        (
            ["blockhead", "--level-table", "sit-and-go"],
            2,
            "--level-table needs stakes that can rise; in blockhead the buy-in of 10 is fixed",
        ),
        (["127.0.0.1", "1", "--level-table", "sit-and-go"], 2, "a dealer's host decides who plays, for how much"),
        (
            ["stud", "--id", "ada"],
            2,
            "--id, --avatar, --secret, --lines and --patience are for a dealer's table",
        ),
        (["127.0.0.1", "1", "--web"], 2, "--web is for tables of house bots"),
        (["127.0.0.1", "1", "--stack", "3"], 2, "a dealer's host decides who plays, for how much"),
        (["127.0.0.1", "1", "--id", "a b"], 2, "the id 'a b' is not 1 to 39 letters, digits, '-' or '_'"),
        (["127.0.0.1", "1"], 1, "this needs a terminal, with keys to press"),
        (["stud", "--against", "caller"], 1, "this needs a terminal, with keys to press"),
        (["stud", "--web", "--web-host", "203.0.113.1"], 1, "cannot listen on port 8000 of 203.0.113.1"),
    ],
)
async def test_bad_use_of_play_is_one_line(words: list[str], code: int, complaint: str) -> None:
    outcome = await run("play", *words)
    assert (outcome.code, outcome.out) == (code, "")
    (line,) = outcome.complaint
    assert line.startswith(f"casino: {complaint}")


async def test_play_offers_no_flag_that_it_cannot_obey() -> None:
    outcome = await run("play", "--help")
    assert "--big-blind" in outcome.out
    assert "--acpc" not in outcome.out  # which needs --reset-stacks


def test_each_person_has_an_id_of_its_own(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    names: list[Name] = []
    monkeypatch.setattr(commands, "_has_keys", lambda: True)
    monkeypatch.setattr("bots.client.connect", lambda *_: None)
    monkeypatch.setattr("bots.human.person_app.play_there", lambda _sock, _framing, name, *_, **__: names.append(name))
    for _ in range(2):
        commands.play("127.0.0.1", 4002)
    commands.play("127.0.0.1", 4002, guest=commands.GuestFlags(id="Ann"))
    assert len({name.id for name in names}) == 3
    assert [name.avatar for name in names] == [name.id for name in names]
    assert names[-1].id == "Ann"
    made_up = [f"To be the same player again, type the same command with --id {name.id}." for name in names[:-1]]
    assert capsys.readouterr().out.splitlines() == made_up


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "a seat for a person needs an extra: pip install '.[tui]' in the folder of Casino Day\n"),
        (["--web", "--web-host", "203.0.113.1"], "cannot listen on port 8000 of 203.0.113.1"),
    ],
    ids=["terminal", "page"],
)
def test_only_play_in_the_terminal_needs_the_tui_extra(words: list[str], complaint: str) -> None:
    program = (
        "import sys; sys.modules['textual'] = None\n"
        "from dealer.main import main\n"
        f"sys.argv = {['casino', 'play', 'stud', *words]}\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"casino: {complaint}")
    assert done.stderr.count("\n") == 1


async def test_all_bots_are_listed() -> None:
    outcome = await run("bots")
    assert (outcome.code, outcome.err) == (0, "")
    assert [line.split()[0] for line in outcome.out.splitlines()[2:] if line[0] != " "] == bot_names()


async def test_bots_as_json() -> None:
    outcome = await run("bots", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    bots = json.loads(outcome.out)
    assert [bot["name"] for bot in bots] == bot_names()
    assert {"name": "tight", "games": ["stud", "blockhead", "holdem"]}.items() <= bots[-1].items()


async def test_it_ends_with_its_terminal_where_no_signal_tells_it() -> None:
    async with open_terminal(*PLAY, columns=80, controls=False) as person:
        await person.sees("Your turn")
        await person.hang_up()
        assert await person.process.wait() == 129


#: A session: it adds a hand as often as its second argument says, as soon as it is told to begin.
SESSION = """
import sys
from pathlib import Path
from bots.human.play_statistics import Counting
from bots.human.updates import HandOver
print("ready", flush=True)
sys.stdin.readline()
for _ in range(int(sys.argv[2])):
    assert Counting(Path(sys.argv[1]), "stud", "tight").add(HandOver(1, False, "")) == ""
"""


def test_sessions_at_the_same_time_lose_no_hand(tmp_path: Path) -> None:
    path, hands = tmp_path / "play.json", 60
    command = [sys.executable, "-c", SESSION, str(path), str(hands)]
    sessions = [Popen(command, stdin=PIPE, stdout=PIPE, text=True) for _ in range(3)]
    for session in sessions:
        assert session.stdout is not None
        assert session.stdout.readline() == "ready\n"
    for session in sessions:
        session.communicate("begin\n", timeout=PATIENCE)
    assert [session.returncode for session in sessions] == [0, 0, 0]
    assert read_statistics(path)["stud"]["tight"].hands == 3 * hands
