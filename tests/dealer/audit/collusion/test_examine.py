"""`casino collusion` of journals, finished or still written."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from bots.commands import collusion
from dealer.audit.collusion.cards.sampling import Known
from dealer.audit.collusion.cards.stud import pot_share
from dealer.audit.collusion.examine import FIRST_LOOK, GLANCE_SECONDS, watch_journal
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.base import FOLD, Action, Bet
from protocol.games.dice import DiceGame
from protocol.games.game import Game
from protocol.games.stud import StudGame
from tests.dealer.support.scribe import Scribe, players

#: Numbers of two players: the one gives up good cards to the other's bets.
GIVER, RECEIVER = 2, 1

STUD = StudGame(stack=100_000)


def sensible(turn: Any) -> Action:
    """Bets 5 with good cards, and folds bad ones to a bet."""
    share = pot_share(STUD, Known(turn.own, (), (), ()))
    if not turn.owed:
        return Bet(5 if share > 0.55 else 0)
    return Bet(turn.owed) if share > 0.45 else FOLD


def cooperating(player: Player, turn: Any) -> Action:
    """Player 1 always bets, by 3 on the last street, and player 2 folds to that."""
    if player.number == RECEIVER and not turn.owed:
        return Bet(5 if turn.street == 1 else 3)
    return FOLD if player.number == GIVER and turn.owed == 3 else sensible(turn)


def tournament(hands: int, *, fair: bool, game: Game = STUD) -> Scribe:
    """A tournament of three players, who always sit in the same order."""
    scribe = Scribe(Settings(Random("collusion").randbytes(32), game, hands=hands), players("Ann", "Bo", "Cy"))
    scribe.play_round((lambda _, turn: sensible(turn)) if fair else cooperating)
    scribe.end()
    return scribe


@pytest.fixture(scope="module")
def cheating() -> Scribe:
    return tournament(700, fair=False)


def test_journal_with_a_player_who_gives_up_good_cards(
    cheating: Scribe, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = cheating.write(tmp_path / "friday.journal")
    assert collusion(path, json=True) == 3
    found = json.loads(capsys.readouterr().out)
    assert {(test["giver"], test["receiver"]) for test in found["tests"] if test["evidence"]} == {("Cy", "Bo")}
    assert (found["game"], found["hands"], found["look"]) == ("stud", 700, None)
    assert collusion(path) == 3
    said = " ".join(capsys.readouterr().out.split())
    assert "Cy loses 0." in said
    assert "This is evidence, not proof" in said
    path.write_bytes(path.read_bytes()[:-5])
    assert collusion(path, json=True) == 3  # what is whole of a torn journal is evidence
    assert "the last record is torn" in capsys.readouterr().err


def test_honest_players_who_always_sit_in_the_same_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tournament(300, fair=True).write(tmp_path / "fair.journal")
    assert collusion(path) == 0
    assert "No pair shows evidence, at a level of 0.01" in capsys.readouterr().out


def test_what_cannot_be_examined_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tournament(4, fair=True).write(tmp_path / "short.journal")
    assert collusion(path) == 0
    assert "cannot be judged: that takes 16 decisions" in " ".join(capsys.readouterr().out.split())
    assert collusion(path, level=1.5) == 2
    assert "--level is a probability" in capsys.readouterr().err
    dice = Scribe(Settings(bytes(32), DiceGame(), hands=3), players("Ann", "Bo"))
    dice.play_round(lambda _, turn: Bet(turn.owed))
    assert collusion(dice.write(tmp_path / "dice.journal")) == 2
    assert "are not judged by a journal" in capsys.readouterr().err
    assert collusion(tmp_path / "none.journal", live=True) == 2
    assert "none.journal" in capsys.readouterr().err


async def test_running_tournament_is_examined_until_it_ends(
    cheating: Scribe, tmp_path: Path, capsys: pytest.CaptureFixture[str], autojump_clock: MockClock
) -> None:
    path = tmp_path / "running.journal"
    codes: list[int] = []

    async def watch() -> None:
        codes.append(await watch_journal(path, 0.01, as_json=True))

    path.write_bytes(b"".join(cheating.batches[:20]))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        for until in (FIRST_LOOK // 2, FIRST_LOOK + 10, FIRST_LOOK + 20, len(cheating.batches)):
            await trio.sleep(3 * GLANCE_SECONDS)
            assert not codes
            torn = -5 if until < len(cheating.batches) else None  # the dealer is writing
            path.write_bytes(b"".join(cheating.batches[:until])[:torn])
    looks = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(look["look"], look["hands"]) for look in looks] == [(1, FIRST_LOOK + 7), (2, 700)]
    assert codes == [3]
