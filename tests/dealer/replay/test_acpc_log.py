"""The log of a match in the format of the ACPC: PokerKit reads every hand of it, and comes to the same chips."""

from collections import Counter
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from pokerkit import FixedLimitTexasHoldem, HandHistory, NoLimitTexasHoldem

from dealer.errors import OptionError
from dealer.replay.journal_reader import Choice, replay_items
from dealer.replay.show import export_histories
from dealer.settings import AcpcTerms, Settings
from dealer.telling.seen_hand import SeenHand
from protocol.games.base import Bet
from protocol.games.holdem import HoldemGame
from tests.dealer.support.acpc_players import exported
from tests.dealer.support.golden_replays import write_stud
from tests.dealer.support.holdem_journals import LATE, write_league
from tests.dealer.support.rig import SEED
from tests.dealer.support.scribe import Answer, Scribe, players

ALL = Choice()


def game_with(chance: Random) -> HoldemGame:
    """A game that programs of the competition can play."""
    betting, stack = chance.choice(["no-limit", "fixed-limit"]), chance.choice([30, 200, 1000])
    least = 240 if betting == "fixed-limit" else 0
    return HoldemGame.from_facts({"betting": betting, "stack": max(stack, least), "acpc": 1, "reset_stacks": 1})


def write_match(path: Path, seed: int) -> tuple[Path, HoldemGame]:
    chance = Random(seed)
    game = game_with(chance)
    return write_league(path, chance, game, one_table=True, acpc=AcpcTerms()), game


@pytest.mark.parametrize("seed", range(8))
def test_pokerkit_reads_every_hand(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, game = write_match(tmp_path / "j", seed)
    *lines, score = exported(path, capsys)
    hands = [item for item in replay_items(path, ALL) if isinstance(item, SeenHand)]
    assert len(lines) == len(hands)
    totals: Counter[str] = Counter()
    for line, hand in zip(lines, hands, strict=True):
        _, number, betting, _, won, names = line.split(":")
        assert int(number) == hand.hand - 1
        paid = dict(zip(names.split("|"), map(int, won.split("|")), strict=True))
        totals.update(paid)
        seats = {quote(seat.avatar, safe=""): seat.after - seat.before for seat in hand.seats}
        assert {name: chips for name, chips in paid.items() if name} == seats
        if "" in paid or betting.startswith("f" * (len(paid) - 1)):
            continue  # PokerKit knows no players who have left
        (history,) = HandHistory.from_acpc_protocol(_pokerkit(game, len(paid)), game.stack, line, error_status=True)
        *_, end = history
        payoffs = [stack - game.stack for stack in end.stacks]
        assert sum(abs(ours - theirs) for ours, theirs in zip(paid.values(), payoffs, strict=True)) <= 2
    del totals[""]
    told = score.removeprefix("SCORE:").split(":")
    assert dict(zip(told[1].split("|"), map(int, told[0].split("|")), strict=True)) == dict(totals)


def _pokerkit(game: HoldemGame, players: int) -> FixedLimitTexasHoldem | NoLimitTexasHoldem:
    # PokerKit lists the blinds of two players with the small blind first.
    blinds = (game.small_blind, game.big_blind)
    if game.betting == "no-limit":
        return NoLimitTexasHoldem((), True, 0, blinds, game.big_blind)
    return FixedLimitTexasHoldem((), True, 0, blinds, game.big_blind, 2 * game.big_blind)


def test_lines_of_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, _ = write_match(tmp_path / "j", 2)
    *lines, score = exported(path, capsys)
    one, two = "Player%20%221%22%20%5C", "Player%20%220%22%20%5C"
    assert lines[0] == f"STATE:0:cc/cr25c/r30c/:8sTc|Qd3d/Jc3cAc/7c/Jh:30|-30:{one}|{two}"
    assert lines[3] == f"STATE:3:r30c///:2sKd|8h8d/8s4c2d/9c/Qs:-30|30:{two}|{one}"
    assert lines[7] == f"STATE:7:f:8s7c|4cJc:5|-5:{two}|{one}"
    assert score == f"SCORE:55|-55:{one}|{two}"


@pytest.mark.parametrize(
    ("facts", "answer", "reason"),
    [
        ({"stack": 10}, Bet(0), "the blinds put all players all in"),
        ({"stack": 20, "betting": "fixed-limit"}, Bet(10), "a seat is all in at fixed limit"),
        ({}, LATE, "a seat folded with nothing owed"),
    ],
)
def test_hand_that_the_competition_cannot_read_is_refused(
    facts: dict[str, int | str], answer: Answer, reason: str, tmp_path: Path
) -> None:
    game = HoldemGame.from_facts({"small_blind": 10, "reset_stacks": 1, **facts})
    scribe = Scribe(Settings(SEED, game, hands=1), players("Ann", "Bob"))
    scribe.play_round(lambda *_: answer)
    scribe.end()
    with pytest.raises(OptionError, match=f"hand 1 cannot be written as acpc: {reason}, and the ACPC has no words"):
        export_histories(scribe.write(tmp_path / "a.journal"), ALL, "acpc")


def test_seat_sees_its_own_cards_and_those_of_showdowns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, _ = write_match(tmp_path / "j", 2)
    lines = exported(path, capsys, Choice(seat="p0"))
    assert lines[0].split(":")[3] == "8sTc|Qd3d/Jc3cAc/7c/Jh"
    assert lines[7].split(":")[3] == "8s7c|"


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"ante": 1}, "there are antes"),
        ({"betting": "pot-limit"}, "the limit is the pot"),
        ({"straddle": 20}, "the blinds are not those of the two seats behind the button"),
        ({"preset": "royale"}, "there are no blinds"),
    ],
)
def test_hand_without_words_is_refused(facts: dict[str, int | str], reason: str, tmp_path: Path) -> None:
    game = HoldemGame.from_facts({"reset_stacks": 1, **facts})
    path = write_league(tmp_path / "j", Random(5), game, one_table=True)
    with pytest.raises(OptionError, match=f"hand 1 cannot be written as acpc: {reason}, and the ACPC has no words"):
        export_histories(path, ALL, "acpc")


def test_stacks_that_differ_are_refused(tmp_path: Path) -> None:
    path = write_league(tmp_path / "j", Random(5), HoldemGame(), one_table=True)
    with pytest.raises(OptionError, match="cannot be written as acpc: stacks differ"):
        export_histories(path, ALL, "acpc")


def test_other_games_have_no_such_log(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="hands of stud cannot be written as acpc; games with hand histories: holdem"):
        export_histories(write_stud(tmp_path / "j"), ALL, "acpc")
