"""Two versions: differences in chips and their intervals, and house bots that answer in this process."""

from random import Random

import pytest

from dealer.checker.versions import answerer
from dealer.checker.versions.answerer import HouseSeat, game_info
from dealer.checker.versions.compared import PairedChips, chips_won
from dealer.errors import ProgramError
from protocol.games.base import Settlement
from protocol.games.registry import load_game


def paired(*hands: tuple[int, int], seats: int = 1) -> PairedChips:
    chips = PairedChips(seats)
    for deal, (old, new) in enumerate(hands):
        for _ in range(seats):
            chips.add(deal, old, new)
    return chips


def test_means_and_difference() -> None:
    chips = paired((1, 3), (-5, -4), (2, 2))
    old, new, difference = chips.per_hand(chips.old), chips.per_hand(chips.new), chips.difference()
    assert difference.value == pytest.approx(new.value - old.value) == 1
    assert difference.low < 0
    assert difference.high > 1
    assert chips.difference(tests=4).low < difference.low


def test_hands_with_the_same_cards_count_once() -> None:
    hands = [(0, deal % 3) for deal in range(20)]
    assert paired(*hands).difference() == pytest.approx(paired(*hands, seats=5).difference())
    assert paired(*hands).p_worse() == paired(*hands, seats=5).p_worse()


def test_single_deal_is_no_evidence() -> None:
    assert paired((3, -100)).difference().interval is None
    assert paired((3, -100)).p_worse() == 0.5


def test_equal_losses_are_tested_by_their_signs() -> None:
    assert paired(*[(1, 0)] * 10).p_worse() == 0.5**10
    assert paired(*[(0, 1)] * 10).p_worse() == paired(*[(0, 0)] * 10).p_worse() == 1


def test_equal_versions_are_accused_as_often_as_was_promised() -> None:
    chance, accused, trials = Random("equal"), 0, 400
    for _ in range(trials):
        hands = [(chance.choice((-1, 20)), chance.choice((-1, 20))) for _ in range(60)]
        accused += paired(*hands).p_worse() <= 0.025
    assert accused / trials < 0.025 + 3 * (0.025 * 0.975 / trials) ** 0.5
    assert accused


def test_a_pot_that_is_carried_over_counts_as_shared() -> None:
    tied = Settlement((-40, -40), (0, 0), (), carried=80)
    assert [chips_won(tied, seat) for seat in range(2)] == [0, 0]
    with_the_tied_pot = Settlement((105, -25), (130, 0), ())
    assert [chips_won(with_the_tied_pot, seat) for seat in range(2)] == [65, -65]


class Broken:
    """A bot that fails at each call."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def game_begins(self, _: object) -> None:
        raise KeyError("game")

    def decide(self, _: object) -> None:
        raise ValueError("no such table")

    def hand_over(self, _: object) -> None:
        raise ZeroDivisionError("nothing won")


async def test_bot_that_fails_ends_the_command_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answerer, "_maker", lambda _: Broken)
    seat, game = HouseSeat("broken", "chance"), load_game("holdem")()
    hand = game.start(2).deal(game.chance.outcome(game.chance.draw(bytes(32), 0, 1)))
    with pytest.raises(ProgramError, match="the bot 'broken' failed: KeyError: 'game'"):
        await seat.sit_down(0, game_info(game, 0, 2))
    with pytest.raises(ProgramError, match="the bot 'broken' failed: ValueError: no such table"):
        await seat.answer(hand.view(0))
    with pytest.raises(ProgramError, match="the bot 'broken' failed: ZeroDivisionError: nothing won"):
        seat.hand_over("lost")
