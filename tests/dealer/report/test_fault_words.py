"""Reasons of faults, which the host reads in the third person."""

import re
from random import Random

import pytest

from dealer.report.labels import told_to_host
from protocol.games.base import FOLD, Action, Bet, Hand, IllegalAction
from protocol.games.game import Game
from protocol.games.registry import installed_games
from protocol.wire.codec import decode_action
from protocol.wire.messages import ProtocolError
from tests.dealer.support.rig import SEED

SECOND_PERSON = re.compile(r"\b(you|your|yours)\b", re.IGNORECASE)


def dealt(game: Game, number: int) -> Hand:
    match = game.start(max(game.table_seats[0], 2))
    hand: Hand = match.deal(game.chance.outcome(game.chance.draw(SEED, 0, number)))
    return hand


def reasons(game: Game, hands: int) -> set[str]:
    """Why actions of random hands were not allowed."""
    rng, found = Random(game.name), set()
    for number in range(1, hands + 1):
        hand = dealt(game, number)
        while (seat := hand.to_act) is not None:
            legal = hand.legal()
            tried: list[Action] = [FOLD, *(Bet(amount) for amount in (0, 1, 2, 7, 40, legal.to_call + 1, 10**6))]
            for action in tried:
                if action not in legal:
                    try:
                        hand.apply(action)
                    except IllegalAction as error:
                        found.add(str(error))
            del seat
            hand = hand.apply(rng.choice([one for one, _ in zip(legal, range(6), strict=False)]))
    return found


@pytest.mark.parametrize("game", installed_games(), ids=lambda game: game.name)
def test_no_reason_of_the_rules_speaks_to_the_host(game: type[Game]) -> None:
    found = reasons(game(), 12)
    assert found
    for reason in found:
        told = told_to_host(reason, "Steph")
        assert not SECOND_PERSON.search(told), told
        assert told.startswith("Steph ") or not SECOND_PERSON.search(reason)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (
            "you bet 900 but have only 20 chips: bet 5 to call",
            "Steph bet 900 but has only 20 chips: bet 5 to call",
        ),
        (
            "you folded although you owe nothing: bet 0 to check",
            "Steph folded although it owes nothing: bet 0 to check",
        ),
        ("you quit", "Steph quit"),
        (
            "you are out: you bet 9, more than 3 above the 5 you owe: bet 5",
            "Steph bet 9, more than 3 above the 5 it owes: bet 5",
        ),
        (
            "you are out: your connection ended, and you were not back within 5 s",
            "its connection ended, and it was not back within 5 s",
        ),
        ("you are out: you did not come back when the dealer did", "Steph did not come back when the dealer did"),
        ("you are out: broke", "broke"),
        ("no complete reply to bet1 came in 1.00 s", "no complete reply to bet1 came in 1.00 s"),
    ],
)
def test_reasons_of_the_dealer(reason: str, told: str) -> None:
    assert told_to_host(reason, "Steph") == told


def test_what_was_sent_stays_as_it_was() -> None:
    with pytest.raises(ProtocolError) as caught:
        decode_action("your bet, got 'x' but owe you", "stud")
    told = told_to_host(f"you are out: {caught.value}", "Steph")
    assert told == """Steph sent "your bet, got 'x' but owe you"; expected 'fold' or 'bet:<chips>'"""
