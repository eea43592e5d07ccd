"""The programs over TCP of a bulk tournament, with real programs; the test is the process of the tournament."""

import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dealer import programs as all_programs
from dealer.errors import OptionError
from dealer.hosting import bulk_programs
from dealer.hosting.bulk_programs import BulkPrograms
from protocol.dice import DICE, BetSize
from protocol.games.base import FOLD, Bet
from protocol.games.dice import deal
from protocol.wire.bulk import CALL_BYTES, LOG_IN, Answer, Call
from tests.dealer.support.dice_program import PROGRAM
from tests.patience import PATIENCE

FIRST, SECOND = 0, 1


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine makes no program late, and lets each end by itself; the logs stay as other tests need them."""
    monkeypatch.setattr(bulk_programs, "LIMIT", PATIENCE)
    monkeypatch.setattr(all_programs, "CRASH_SECONDS", PATIENCE)
    monkeypatch.setattr(all_programs, "EXIT_SECONDS", PATIENCE)
    monkeypatch.setattr(bulk_programs, "configure_logs", lambda level: None)


def command(*words: str) -> str:
    return " ".join([sys.executable, str(PROGRAM), "{host}", "{port}", *words])


class Worker:
    """Makes calls as the process of a tournament does."""

    def __init__(self, programs: BulkPrograms) -> None:
        self.socket, theirs = socket.socketpair()
        programs.answer(0, theirs)

    def call(self, state: int, d: int = 0, *, deal: int = 0, player: int = 2, b: int = 10) -> Answer | None:
        call = Call(deal, player, 1, b, state, d)
        self.socket.sendall(call.pack())
        return Answer(self.socket.recv(1)[0]) if call.is_answered else None

    def log_in(self) -> Answer | None:
        return self.call(LOG_IN, deal=-1)


@contextmanager
def played(*words: str) -> Iterator[tuple[BulkPrograms, Worker]]:
    """A tournament of three players, of whom number 2 is a program."""
    with BulkPrograms({2: command(*words)}, 3, 10, sandbox=None) as programs:
        worker = Worker(programs)
        yield programs, worker
        worker.socket.close()


def test_calls_have_the_layout_of_the_header() -> None:
    call = Call(2**40, 255, 7, 18, 5, 6)
    assert CALL_BYTES == 32
    assert Call.unpack(call.pack()) == call


@pytest.mark.parametrize("second", [FIRST, SECOND])
def test_what_a_program_is_told_is_what_the_rules_say(second: int) -> None:
    for b in (3, 18):
        for own in range(1, 7):
            for other in range(1, 7):
                dice = (own, other) if second == FIRST else (other, own)
                hand = deal((BetSize(b, ""), DICE[dice[0] - 1], DICE[dice[1] - 1]), (0, 0))
                bet = hand.apply(Bet(b - 1))
                assert (bet if second else hand).view(second)[:3] == Call(0, 2, 1, b, second, own).turn[:3]
                called = bet.apply(Bet(b - 2)).settle().statuses()
                folded = (hand if second else bet).apply(FOLD).settle().statuses()
                assert Call(0, 2, 1, b, 4 + second, other).status(own) == called[second]
                assert Call(0, 2, 1, b, 2 + second, 0).status(own) == folded[second]


def test_program_is_asked_told_and_dismissed(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    with played("--heard", str(heard)) as (programs, worker):
        assert worker.log_in() is Answer.BET
        assert worker.call(0, 3) is Answer.FOLD
        assert worker.call(0, 4) is Answer.BET
        worker.call(4, 6)
        assert worker.call(1, 5) is Answer.BET
        worker.call(5, 2)
        worker.call(3)
        facts = programs.end(0)[2]
        assert not programs.failures(0)
    assert (facts.name, facts.replies) == ("Four", 3)
    assert facts.reply_seconds > 0
    assert heard.read_text().splitlines() == [
        "login",
        "game:dice:seat=2:players=3:stack=1000:hands=20:small_blind=1:big_blind=2",
        "dice:10:0:3:1",
        "dice:10:0:4:1",
        "status:4:6:-10",
        "dice:10:1:5:1",
        "status:5:2:10",
        "status:3:0:1",
        "done:the tournament is over after 10 rounds",
    ]


def test_tournament_that_is_played_again_asks_nothing_twice(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    with played("--heard", str(heard)) as (programs, worker):
        worker.log_in()
        assert worker.call(0, 5, deal=3) is Answer.BET
        worker.call(2, deal=3)
        assert worker.call(0, 2, deal=4) is Answer.FOLD
        worker.socket.close()
        again = Worker(programs)
        assert again.log_in() is Answer.BET
        assert again.call(0, 5, deal=3) is Answer.BET
        again.call(2, deal=3)
        assert again.call(0, 2, deal=4) is Answer.FOLD
        assert again.call(0, 6, deal=5) is Answer.BET  # from here on it is new
        again.socket.close()
        other = Worker(programs)
        assert other.log_in() is Answer.BET
        assert other.call(0, 1, deal=3) is Answer.FOLD  # not what was asked here before: so all is new again
        assert other.call(0, 5, deal=4) is Answer.BET
        assert programs.end(0)[2].replies == 5
        other.socket.close()
    verbs = [line.split(":")[0] for line in heard.read_text().splitlines()]
    assert verbs == ["login", "game", "dice", "status", *["dice"] * 4, "done"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--reply", "call"], "expected 'fold' or 'bet', got 'call'"),
        (["--silent"], r"no complete reply to dice came in \d+\.\d\d s; every reply is due within 0\.2 s"),
        (["--raises"], r"the program closed the connection and ended with exit code 1\nTraceback (.|\n)*no idea"),
    ],
)
def test_program_that_fails_is_out(words: list[str], said: str) -> None:
    with played(*words) as (programs, worker):
        assert worker.log_in() is Answer.BET
        if "--silent" in words:
            programs._tournaments[0]._playing[2].limit = 0.2  # only now, when it has logged in
        assert worker.call(1, 4, deal=77) is Answer.FAILED
        assert not programs.is_asking(0)
        failure = programs.failures(0)[2]
        assert (failure.deal, failure.state) == (77, 1)
        assert re.fullmatch(said, failure.reason), failure.reason
        assert programs.end(0)[2].replies == 0


def test_what_is_no_call_is_passed_over() -> None:
    with played() as (programs, worker):
        worker.log_in()
        for call in (
            Call(0, 7, 1, 10, 0, 3),
            Call(0, 2, 1, 19, 0, 3),
            Call(0, 2, 1, 10, 9, 3),
            Call(0, 1, 1, 1, -1, 1),
        ):
            worker.socket.sendall(call.pack())
        assert worker.call(0, 4) is Answer.BET
        assert programs.end(0)[2].replies == 1


def test_program_that_does_not_log_in_is_told_why() -> None:
    with BulkPrograms({2: command("--dies"), 4: "no-such-file {port}"}, 5, 10, sandbox=None) as programs:
        worker = Worker(programs)
        assert worker.log_in() is Answer.FAILED
        assert worker.call(LOG_IN, deal=-1, player=4) is Answer.FAILED
        reasons = {player: failure.reason for player, failure in programs.failures(0).items()}
        assert reasons[2].startswith("ended with exit code 1 before it logged in\nTraceback")
        assert reasons[4] == "could not be started: No such file or directory"
        assert [facts.name for facts in programs.end(0).values()] == ["", ""]
        worker.socket.close()


def test_command_that_cannot_be_used_is_refused() -> None:
    with pytest.raises(OptionError, match=r"the command 'java Poker' has no \{port\}"):
        BulkPrograms({0: "java Poker"}, 2, 10, sandbox=None)
