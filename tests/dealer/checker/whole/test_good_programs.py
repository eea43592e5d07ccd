"""Programs that keep the rules pass all lines of compliance, however unusual they are otherwise."""

import gc
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import psutil
import pytest
import trio

from bots.new_program import STARTERS
from dealer.checker.cases.game_cases import find_cases
from dealer.checker.scoring.verdict import judge
from dealer.checker.session.examiner import Examiner
from dealer.checker.session.program_run import Launch, run_program
from dealer.lobby.listener import open_listener
from dealer.net.ports import FRAMES, LINES
from dealer.programs import HOST, STARTUP_SECONDS, Program
from tests.compiled import compiled_starter, needs, starter_command
from tests.dealer.checker.checked import WHERE, all_at_once, examined, failed, line, missed, program

#: Seconds for a reply; no test here is about time.
LIMIT = 30.0


def house(bot: str) -> list[str]:
    return [sys.executable, "-m", "dealer.main", "bot", bot, *WHERE, "--patience", "0"]


@pytest.mark.parametrize("name", ["Good", "SendsInPieces", "PrintsALot", "PrintsWithoutEnd"])
async def test_allowed_habits_are_no_mistakes(name: str) -> None:
    results = await examined("stud", program(name), limit=LIMIT)
    assert missed(results) == set()
    assert line(results, "answers").note


#: The styles of ``tests/bad_bots/java/SoundPoker.java``.
STYLES = ("caller", "folder", "looker", "tight")


async def not_accused(folder: Path, style: str, seed: str) -> None:
    command = ["java", "-XX:TieredStopAtLevel=1", "-cp", str(folder), "SoundPoker", style, *WHERE]
    results = await examined("stud", command, limit=LIMIT, seed=seed)
    assert missed(results) == set()
    assert not results.findings.kept


async def test_sequential_reader_in_java_is_not_accused(bad_java: Path) -> None:
    await all_at_once({style: partial(not_accused, bad_java, style, "0") for style in STYLES[::2]}, 2)


@pytest.mark.heavy
@pytest.mark.parametrize("style", STYLES)
async def test_sequential_reader_in_java_is_not_accused_at_fifty_seeds(style: str, bad_java: Path) -> None:
    seeds = [str(seed) for seed in range(50)]
    await all_at_once({seed: partial(not_accused, bad_java, style, seed) for seed in seeds}, 2)
    print(f"{style} in Java: accused at 0 of {len(seeds)} seeds")


async def keeps_the_rules(game: str, command: Sequence[str]) -> None:
    assert missed(await examined(game, command, limit=LIMIT)) == set()


async def test_house_bots_of_stud_pass_compliance() -> None:
    bots = ["pair-or-fold", "maniac", "random"]  # more is asked of the others below
    await all_at_once({bot: partial(keeps_the_rules, "stud", house(bot)) for bot in bots})


@pytest.mark.heavy
async def test_stud_program_fails_as_blockhead_program() -> None:
    results = await examined("blockhead", [sys.executable, "bots/starters/python/poker.py", *WHERE], limit=5.0)
    assert failed(results) == {"answers"}
    silent = line(results, "answers").findings
    assert {finding.sent.partition(":")[0] for finding in silent} == {"bet3"}
    assert "it does not know bet3" in {finding.cause for finding in silent}


async def test_cancelled_check_leaves_no_process_or_file() -> None:
    gc.collect()
    before, earlier = psutil.Process().num_fds(), psutil.Process().children()  # other tests may have left a helper
    for seconds in (0.05, 0.4, 1.0):
        with trio.move_on_after(seconds):
            await examined("stud", program("Good"))
        assert not {*psutil.Process().children()} - {*earlier}
    assert psutil.Process().num_fds() <= before


async def test_best_house_bot_gets_every_point() -> None:
    results = await examined("stud", house("stud"), limit=LIMIT)
    assert results.percent == 100
    assert results.passed


async def test_program_that_ignores_up_cards_gets_no_board_points() -> None:
    results = await examined("stud", house("tight"), limit=LIMIT)
    assert missed(results) == set()
    assert line(results, "situations").verdict == "passed"
    assert (line(results, "boards").verdict, line(results, "boards").points) == ("failed", 0)


async def test_program_that_never_raises_gets_part_of_points() -> None:
    results = await examined("stud", house("caller"), limit=LIMIT)
    assert missed(results) == set()
    situations = line(results, "situations")
    assert situations.verdict == "partly"
    assert 0 < situations.points < situations.line.points
    bad = {played.name for played in situations.played if not played.good}
    assert "three of a kind, nothing owed: raise" in bad
    assert "three low cards, raised twice: fold" in bad
    assert "the ace of spades in the hole, a bet to pay: stay" not in bad


@pytest.mark.parametrize(
    "bots",
    [
        ["gamma", "random"],
        pytest.param(["alpha", "beta", "tight", "caller"], marks=pytest.mark.heavy),
    ],
    ids=" ".join,
)
async def test_house_bots_of_blockhead_pass_compliance(bots: list[str]) -> None:
    await all_at_once({bot: partial(keeps_the_rules, "blockhead", house(bot)) for bot in bots})


async def test_house_bots_of_dice_pass_a_check() -> None:
    async def passes(bot: str, percent: int) -> None:
        results = await examined("dice", house(bot), limit=LIMIT)
        assert missed(results) == set()
        assert (line(results, "situations").verdict == "passed") is (percent == 100)

    bots = {"dice-equilibrium": 100, "dice-adaptive": 100, "caller": 0}
    await all_at_once({bot: partial(passes, bot, percent) for bot, percent in bots.items()})


@pytest.mark.parametrize("language", STARTERS)
async def test_starter_passes_all_lines_of_compliance(language: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    results = await examined("stud", [*starter_command(tmp_path_factory, language), *WHERE], limit=LIMIT)
    assert missed(results) == set()
    assert line(results, "situations").points == pytest.approx(40 * 22 / 26)


async def test_line_starter_passes_all_lines_of_compliance() -> None:
    command = [sys.executable, "bots/starters/python/poker_lines.py", *WHERE]
    assert missed(await examined("stud", command, limit=LIMIT, lines=True)) == set()


async def test_frames_on_a_line_port_are_explained() -> None:
    results = await examined("stud", program("Good"), limit=5.0, lines=True)
    (finding,) = line(results, "login").findings
    assert "where this port sends lines" in finding.cause


@pytest.mark.parametrize(("language", "test"), [("java", ["java", "PokerTest"]), ("cpp", ["make", "test"])])
def test_starters_own_test_passes(language: str, test: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = compiled_starter(tmp_path_factory, language)
    done = subprocess.run(test, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "all is well"), done.stderr


SOUND = Path(__file__).parents[3] / "bad_bots" / "sound"

IDIOMS = {
    "python": ("plain", "two-writes", "buffered", "bytes", "thread", "polling", "select", "asyncio", "half-close",
               "no-close"),
    "java": ("plain", "two-writes", "buffered", "bytes", "one-write", "thread", "polling", "half-close"),
    "cpp": ("plain", "two-writes", "stdio", "bytes", "writev", "thread", "polling", "poll", "wait-all", "half-close"),
    "node": ("plain", "two-writes", "cork", "bytes", "timer", "readable", "async", "half-open", "destroy", "exit"),
    "perl": ("plain", "two-writes", "buffered", "bytes", "select", "half-close"),
    "bash": ("plain", "two-writes", "bytes", "crlf", "polling", "characters", "process"),
}  # fmt: skip


async def sound_in_its_idiom(command: Sequence[str], lines: bool) -> None:
    """Check a program by all parts but the longest two, which judge how it plays."""
    cases = find_cases("stud")
    listener = await open_listener(HOST, 0, 30.0, LINES if lines else FRAMES, flag="--listen")
    launch = Launch(listener, Program("", (*command, *WHERE)), STARTUP_SECONDS, lambda _: None)
    examiner = Examiner(partial(run_program, launch), cases, 30.0, lambda *_: None)
    await examiner.examine(cases.parts("idioms", 20)[:4])
    for sock in listener.sockets:
        sock.socket.close()
    findings = examiner.findings
    assert not findings.kept, [(finding.what, finding.cause, finding.said) for finding in findings.kept]
    wrong = [line.line.id for line in judge(findings, cases.rubric) if line.verdict == "failed"]
    assert not wrong
    assert findings.checks["closes"] == 4


@pytest.mark.long
async def test_sound_program_is_not_accused(tmp_path: Path, bad_java: Path) -> None:
    needs("g++")
    subprocess.run(["g++", "-std=c++11", "-pthread", SOUND / "idioms.cpp", "-o", tmp_path / "idioms"], check=True)
    commands = {
        "python": [sys.executable, str(SOUND / "idioms.py")],
        "java": ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(bad_java), "Idioms"],
        "cpp": [str(tmp_path / "idioms")],
        "node": ["node", str(SOUND / "idioms.js")],
        "perl": ["perl", str(SOUND / "idioms.pl")],
        "bash": ["bash", str(SOUND / "idioms.sh")],
    }
    needs("node", "perl", "bash")
    await all_at_once(
        {
            f"{language} {idiom}": partial(sound_in_its_idiom, [*commands[language], idiom], language == "bash")
            for language, idioms in IDIOMS.items()
            for idiom in idioms
        }
    )
