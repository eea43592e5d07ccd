"""What dice adds to a check: situations in which good play passes and bad play does not, and numbers of opponents."""

from collections.abc import Callable
from random import Random

import pytest

from dealer.checker.cases.deals import Deal
from dealer.checker.cases.dice import CASES, NUMBERS, malformed, parts
from dealer.checker.scoring.findings import Findings
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.checked_connection import rule_of
from dealer.cli.house_bots import load_bot
from protocol.games.base import FOLD, Action, Bet
from protocol.games.dice import DiceTurn

Player = Callable[[DiceTurn], Action]


def play(deal: Deal, player: Player) -> None:
    """Play a hand of a check without a program."""
    hand = deal.hand
    while (seat := hand.to_act) is not None:
        if seat != deal.seat:
            hand = hand.apply(deal.others(hand))
            continue
        turn = hand.view(seat)
        assert isinstance(turn, DiceTurn)
        action = player(turn)
        deal.watch(turn, action)
        hand = hand.apply(action)
    deal.over(hand.settle())


def judged(player: Player) -> dict[str, bool | None]:
    """How each situation was played."""
    findings = Findings()
    part = parts("seed", 40)[-1]
    for deal in part.deals:
        play(deal, player)
    part.write_down(findings)
    return {played.name: played.good for played in findings.played}


def house(name: str) -> Player:
    decide: Player = load_bot(name)(Random(1)).decide
    return decide


@pytest.mark.parametrize("name", ["dice-equilibrium", "dice-adaptive"])
def test_good_players_play_all_situations_well(name: str) -> None:
    results = judged(house(name))
    assert len(results) == 5
    assert all(results.values())


def test_who_always_bets_does_not_fold_small_dice() -> None:
    results = judged(lambda turn: Bet(turn.owed))
    assert [name for name, good in results.items() if not good] == [
        "B is large and the die small, as the second player: fold"
    ]


def test_who_always_folds_plays_only_folds_well() -> None:
    results = judged(lambda turn: FOLD)
    assert [name for name, good in results.items() if good] == [
        "B is large and the die small, as the second player: fold"
    ]


def test_opponents_have_numbers_of_all_sizes() -> None:
    seen = set()
    for part in parts("seed", 60):
        for deal in part.deals:
            play(deal, lambda turn: (seen.add(turn.opponent), Bet(turn.owed))[1])  # type: ignore[func-returns-value]
    assert seen >= set(NUMBERS)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("bet:11", "behind bet stands nothing"),
        ("BET", "in lower case"),
        ("fold ", "a blank or a line end"),
        ("1", "the answer is a word"),
        ("call", "a call is bet, too"),
        ("check", "the only words are"),
        ("raise", "the only words are"),
        ("", "the reply is empty"),
        ("fold:0", "nothing may stand behind fold"),
        ("ada-l:Ada", ""),
    ],
)
def test_malformed_replies_have_causes(text: str, cause: str) -> None:
    found = malformed(text)
    assert cause in found
    assert bool(cause) == bool(found)


def test_rule_names_the_replies_of_dice() -> None:
    assert rule_of(LineId.LEGAL, CASES) == "a reply is 'fold' or 'bet', framed like every message, and legal"
