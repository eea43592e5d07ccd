"""``casino league``: programs that do not do what they should, a host who wants to stop, and duplicate leagues."""

import json
import shlex
import signal
import sys
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest
import trio

from bots.arena import PlayedHand, play_game
from protocol.events import FOLD_CHIPS
from protocol.games.base import Bet
from protocol.games.blockhead import BlockheadGame, Ranks
from protocol.installed_bots import load_bot
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo
from tests.dealer.support.raw_records import play_of, read_raw
from tests.end_to_end.casino import Outcome, run, start
from tests.end_to_end.guest import Guest, call, open_guest
from tests.patience import PATIENCE

PYTHON = shlex.quote(sys.executable)
MANY = "1000000"
#: Some hands, and seconds for a reply that a busy machine keeps.
FEW = ("--hands", "5", "--limit", "60")
BAD_BOTS = f"{PYTHON} -m tests.bad_bots"
ENDLESS = ("league", "stud", "caller", "tight", "--hands", MANY, "--stack", MANY, "--seed", "x", "--limit", "1000")


def bot_that(code: str) -> str:
    """A program that does ``code`` instead of playing."""
    return f"{PYTHON} -c {shlex.quote(code)} {{port}}"


async def test_program_that_dies_at_start_is_reported_with_its_output() -> None:
    dead = bot_that("import sys; [print(f'line {n}', file=sys.stderr) for n in range(20)]; sys.exit(3)")
    outcome = await run("league", "stud", "caller", "tight", "--bot-cmd", dead, *FEW, "--json")
    facts = json.loads(outcome.out)
    assert outcome.code == 1
    assert sorted(standing["id"] for standing in facts["standings"]) == ["caller", "tight"]
    (failure,) = facts["failures"]
    assert failure["what"] == "ended with exit code 3 before it logged in"
    assert failure["stderr"] == [f"line {number}" for number in range(12, 20)]
    assert outcome.complaint[0] == f"{dead}: ended with exit code 3 before it logged in"
    assert outcome.complaint[-1] == "    line 19"


async def test_program_whose_login_fails_is_not_waited_for() -> None:
    connect = "import socket, sys, time; s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))"
    guest = bot_that(f"{connect}; s.recv(7); s.sendall(b'\\0\\3bad'); time.sleep(1000)")
    outcome = await run("league", "stud", "caller", "tight", "--bot-cmd", guest, *FEW, "--json")
    assert outcome.code == 1
    (failure,) = json.loads(outcome.out)["failures"]
    assert failure["what"] == "got no seat: expected '<id>:<avatar>', got 'bad'"
    assert 'event="login failed: malformed"' in outcome.err


async def test_missing_program_is_reported_and_others_play() -> None:
    words = ("league", "stud", "caller", "tight", "--bot-cmd", "no-such-program {port}", *FEW)
    outcome = await run(*words)
    assert outcome.code == 1
    assert outcome.complaint == ["no-such-program {port}: could not be started: No such file or directory"]
    assert "Caller" in outcome.out


async def test_league_needs_two_programs_that_log_in() -> None:
    outcome = await run("league", "stud", "caller", "--bot-cmd", "no-such-program {port}")
    assert outcome.code == 1
    assert outcome.complaint[-1] == "No tournament: fewer than two bots logged in."


@pytest.mark.parametrize(
    ("code", "what"),
    [("import os; os.kill(os.getpid(), 9)", "ended with exit code -9"), ("", "left before it was told done:")],
)
async def test_program_that_dies_during_play_makes_the_exit_code_1(code: str, what: str) -> None:
    play = "import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))"
    guest = bot_that(f"{play}; s.recv(7); s.sendall(b'\\0\\7bad:Bad'); s.recv(9); {code}")
    words = ("league", "stud", "caller", "--bot-cmd", guest, *FEW, "--json")
    outcome = await run(*words)
    assert outcome.code == 1
    assert [failure["what"] for failure in json.loads(outcome.out)["failures"]] == [what]


async def test_one_guest_alone_meets_house_bots() -> None:
    guest = f"{PYTHON} -m dealer.main bot random {{host}} {{port}} --id guest"
    outcome = await run("league", "stud", "--bot-cmd", guest, "--players", "2", *FEW, "--json")
    assert outcome.code == 0
    assert sorted(standing["id"] for standing in json.loads(outcome.out)["standings"]) == ["guest", "stud", "tight"]


async def test_misbehaving_program_is_out_and_results_say_why() -> None:
    guest = f"{BAD_BOTS} malformed {{host}} {{port}}"
    outcome = await run("league", "stud", "caller", "tight", "--bot-cmd", guest, *FEW)
    assert outcome.code == 0
    assert "event=fault" in outcome.err
    assert "Bad: expected 'fold' or 'bet:<chips>', got 'call'" in outcome.out


@pytest.mark.long
async def test_program_that_never_reads_is_stopped() -> None:
    guest = f"{BAD_BOTS} never_reads {{host}} {{port}}"
    outcome = await run(
        *("league", "stud", "caller", "tight", "--bot-cmd", guest, "--hands", "20", "--limit", "10", "--json")
    )
    facts = json.loads(outcome.out)
    faults = {standing["id"]: [fault["kind"] for fault in standing["faults"]] for standing in facts["standings"]}
    assert faults == {"caller": [], "tight": [], "bad": ["late"]}
    assert facts["hands"] == 20
    assert [failure["what"] for failure in facts["failures"]] == ["did not end by itself"]


async def test_first_interrupt_finishes_hand_and_prints_standings(tmp_path: Path) -> None:
    journal = tmp_path / "stopped.journal"
    async with open_guest() as guest, start(*ENDLESS, "--bot-cmd", guest.command, "--journal", journal) as running:
        peer = await guest.log_in()
        assert await peer.hear_question()
        running.process.send_signal(signal.SIGINT)
        await running.complaint_with("Stopping after this hand; interrupt again to stop at once.")
        await peer.say("fold")
        await peer.hear_out()
        await guest.end()
        outcome = await running.ended()
    assert outcome.code == 0
    assert peer.done is not None
    assert peer.done.startswith("the tournament is over")
    assert "Standings" in outcome.out
    assert "1 hand\n" in outcome.out
    assert "the same cards again: --seed x" in outcome.out
    records = play_of(journal)
    assert [record["type"] for record in records] == ["start", "services", "game", "desk", "hand", "end"]
    assert sum(standing["chips"] for standing in records[-1]["standings"]) == 3_000_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups")
async def test_the_second_interrupt_ends_everything_at_once(tmp_path: Path) -> None:
    """The guest is a shell that waits for a program of its own, which does not end with the shell."""
    journal = tmp_path / "cut.journal"
    async with open_guest() as guest:
        shell = f"sh -c {shlex.quote(guest.command.replace('{port}', '$0') + '; true')} {{port}}"
        async with start(*ENDLESS, "--bot-cmd", shell, "--journal", journal) as running:
            peer = await guest.log_in()
            for _ in range(3):
                assert await peer.hear_question()
                await peer.say("fold")
            assert await peer.hear_question()  # and leave the dealer waiting
            children = running.children()
            running.process.send_signal(signal.SIGINT)
            await running.complaint_with("interrupt again")
            running.process.send_signal(signal.SIGINT)
            outcome = await running.ended()
            _, alive = await trio.to_thread.run_sync(psutil.wait_procs, children, PATIENCE)
    assert outcome.code == 130
    assert len(children) == 4  # caller, tight, the shell and the program it waits for
    assert alive == []
    assert "Standings" in outcome.out
    assert "the same cards again" not in outcome.out  # the seed stays secret: the tournament can be played on
    assert f"play on with: casino resume {journal}" in outcome.out
    told = [record["type"] for record in play_of(journal)]
    assert told == ["start", "services", "game", "hand", "hand", "hand", "desk"]


async def test_an_interrupt_while_programs_start_ends_the_league() -> None:
    async with open_guest() as guest, start(*ENDLESS, "--bot-cmd", guest.command) as running:
        await guest.started()
        running.process.send_signal(signal.SIGINT)
        outcome = await running.ended()
    assert outcome.code == 1
    assert outcome.complaint == ["casino: interrupted before the tournament started"]


STUD = ("league", "stud", "caller", "tight", "maniac", "--duplicate", "--seed", "x", "--limit", "30")
BLOCKHEAD = ("league", "blockhead", "caller", "maniac", "--duplicate", "--hands", "5", "--seed", "x", "--limit", "30")
PLAYS = [
    pytest.param([*STUD, "--hands", "8"], 24, id="stud"),
    pytest.param([*BLOCKHEAD, "--games", "8"], 80, id="blockhead"),
]
PROGRESS = "8 of 8 deals were played in all"


def facts_of(outcome: Outcome) -> dict[str, Any]:
    assert (outcome.code, outcome.err) == (0, "")
    facts: dict[str, Any] = json.loads(outcome.out)
    return facts


def scores(facts: dict[str, Any]) -> dict[str, Any]:
    return {standing["id"]: (standing["chips"], standing["score"]) for standing in facts["standings"]}


@pytest.mark.parametrize(("words", "hands"), PLAYS)
async def test_chips_per_deal_add_up_to_nothing_and_order_the_places(
    words: list[str], hands: int, tmp_path: Path
) -> None:
    journal = tmp_path / "duplicate.journal"
    facts = facts_of(await run(*words, "--json", "--journal", journal))
    standings, players = facts["standings"], len(facts["standings"])
    assert (facts["hands"], facts["duplicate"]) == (hands, {"deals": 8, "complete": 8, "rotations": players})
    won = [standing["score"]["chips_per_deal"] for standing in standings]
    assert won == sorted(won, reverse=True)
    assert sum(won) == pytest.approx(0)
    for standing in standings:
        score = standing["score"]
        low, high = score["interval"] or (-inf, inf)  # None where all deals came out alike
        assert low <= score["chips_per_deal"] <= high
        assert standing["chips"] == pytest.approx(score["chips_per_deal"] * 8 * players)
        assert (score["deals"], score["out_since_hand"]) == (8, None)
    checked = await run("verify", journal)
    assert checked.code == 0
    assert checked.out.startswith("OK: ")


async def test_the_table_says_the_same_and_fits_in_80_columns() -> None:
    words = [*STUD, "--hands", "8"]
    facts, outcome = facts_of(await run(*words, "--json")), await run(*words)
    assert outcome.code == 0
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert f"{PROGRESS} 3 rotations" in outcome.out
    for standing in facts["standings"]:
        (line,) = [line for line in outcome.out.splitlines() if f" {standing['avatar']} " in line]
        score = standing["score"]
        for number in (score["chips_per_deal"], *(score["interval"] or ())):
            assert f"{number:+.2f}" in line


async def test_one_deal_has_no_interval() -> None:
    outcome = await run(*STUD, "--hands", "1")
    assert outcome.code == 0
    assert "1 of 1 deals were played in all 3 rotations" in outcome.out
    assert "nan" not in outcome.out


async def test_crashed_player_is_out_and_results_say_when() -> None:
    async with open_guest() as guest, start(*STUD, "--hands", "8", "--bot-cmd", guest.command) as league:
        peer = await guest.log_in()
        await call(peer, questions=5)
        await peer.stream.aclose()
        await guest.end()
        outcome = await league.ended()
    assert outcome.code == 1  # a program left before the end
    assert f"{PROGRESS} 4 rotations" in outcome.out
    assert "Guest is out since hand " in outcome.out


async def test_stopped_league_reports_complete_deals() -> None:
    async with open_guest() as guest, start(*STUD, "--hands", "1000", "--bot-cmd", guest.command) as league:
        peer = await guest.log_in()
        await call(peer, questions=5)
        league.process.send_signal(signal.SIGINT)
        await peer.say("fold")  # the question that was heard last
        await call(peer)
        await peer.stream.aclose()
        await guest.end()
        outcome = await league.ended()
    assert outcome.code == 0
    assert "0 of 1000 deals were played in all 4 rotations" in outcome.out


async def results_of_resumed(guest: Guest, journal: Path) -> dict[str, Any]:
    async with start("resume", journal, "--json") as again:
        await guest.call_to_the_end()
        outcome = await again.ended()
    assert outcome.code == 0
    facts: dict[str, Any] = json.loads(outcome.out)
    return facts


@pytest.mark.parametrize(
    ("words", "questions"),
    [
        pytest.param([*STUD, "--hands", "6"], 30, id="stud"),
        pytest.param([*BLOCKHEAD, "--games", "3"], 70, id="blockhead"),
    ],
)
async def test_scores_after_kill_equal_those_of_uninterrupted_league(
    words: list[str], questions: int, tmp_path: Path
) -> None:
    journal = tmp_path / "killed.journal"
    async with open_guest() as guest:
        words = [*words, "--bot-cmd", guest.command]
        async with start(*words, "--journal", journal) as killed:
            peer = await guest.log_in()
            await call(peer, questions)
            killed.process.kill()
            await killed.process.wait()
            await guest.end()
        facts = await results_of_resumed(guest, journal)
        async with start(*words, "--json") as whole:
            await guest.call_to_the_end()
            expected = facts_of(await whole.ended())
    assert facts["duplicate"] == expected["duplicate"]
    assert scores(facts) == scores(expected)
    checked = json.loads((await run("verify", journal, "--json")).out)
    assert (checked["ok"], checked["finished"], checked["resumed"]) == (True, True, 1)


GAMES, SEED = 3, "x"


async def over_sockets(journal: Path, *words: str) -> list[tuple[Any, ...]]:
    """What the journal says about each hand: stacks before it, who bet what, and the payoffs."""
    games = ("--games", str(GAMES), "--seed", SEED, "--journal", journal, "--limit", "60", "--json")
    outcome = await run("league", "blockhead", *words, *games)
    assert (outcome.code, outcome.err) == (0, "")
    return [
        (hand["stacks"], [[seat, chips] for seat, chips, _ in hand["actions"]], hand["payoffs"])
        for hand in read_raw(journal)
        if hand["type"] == "hand"
    ]


def in_process(game: BlockheadGame, *bots: str) -> list[tuple[Any, ...]]:
    """The same of hands played in the arena."""
    strategies = [load_bot(bot)(Random(seat)) for seat, bot in enumerate(bots)]
    hands = []
    for number in range(GAMES):
        stacks = [game.stack] * len(bots)
        for hand in play_game(game, strategies, seed_from_text(SEED), number * game.hands + 1):
            hands.append((list(stacks), _chips(hand), list(hand.settlement.payoffs)))
            stacks = [stack + payoff for stack, payoff in zip(stacks, hand.settlement.payoffs, strict=True)]
    return hands


def _chips(hand: PlayedHand) -> list[list[int]]:
    return [[seat, action.amount if isinstance(action, Bet) else FOLD_CHIPS] for seat, action in hand.actions]


@pytest.mark.parametrize(
    ("bots", "hands", "ranks"),
    [
        (("alpha", "alpha"), 20, "blockhead"),
        (("alpha", "maniac"), 7, "blockhead"),
        (("caller", "tight", "maniac"), 7, "poker"),
    ],
)
async def test_hand_by_hand(bots: tuple[str, ...], hands: int, ranks: Ranks, tmp_path: Path) -> None:
    tcp = await over_sockets(tmp_path / "journal", *bots, "--hands", str(hands), "--ranks", ranks)
    assert len(tcp) == GAMES * hands
    assert tcp == in_process(BlockheadGame(1000, hands, ranks), *bots)


LISTENER = """
import sys
from random import Random

from bots.client import connect, play
from bots.strategies.caller import Caller
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Name


class Listener(Caller):
    def game_begins(self, info):
        with open(sys.argv[1], "a", encoding="utf-8") as file:
            print(info, file=file)


play(connect(sys.argv[2], int(sys.argv[3]), 30.0, print), UtfFraming(), Name("ear", "Ear"), Listener(Random(1)))
"""


async def test_a_strategy_hears_the_same_words_before_a_game(tmp_path: Path) -> None:
    program, heard = tmp_path / "listener.py", tmp_path / "heard"
    program.write_text(LISTENER, encoding="utf-8")
    command = f"{sys.executable} {program} {heard} {{host}} {{port}}"
    outcome = await run(
        *("league", "blockhead", "caller", "maniac", "--bot-cmd", command),
        *("--games", "2", "--hands", "3", "--seed", SEED, "--limit", "60"),
    )
    assert outcome.code == 0
    assert heard.read_text(encoding="utf-8").splitlines() == [str(GameInfo.about(BlockheadGame(hands=3), 2, 3))] * 2
