"""The review of a session, with decisions of dice, whose chips are exact."""

import pytest

from bots.human.coach.deals import StoppedError
from bots.human.coach.review import Decision, review, review_lines
from bots.human.coach.situation import Situation
from protocol.dice import DICE, BetSize
from protocol.games.base import FOLD, Action, Bet
from protocol.games.dice import DiceGame


def decision(number: int, bet: int, die: int, action: Action) -> Decision:
    """What the first player did with a die."""
    game = DiceGame()
    match = game.start(2)
    hand = match.deal((BetSize(bet, f"B={bet}"), DICE[die - 1], DICE[0]))
    return Decision(number, Situation.begin(game, match, hand, 0), action)


GOOD = decision(1, 10, 6, Bet(9))
SMALL = decision(2, 3, 6, FOLD)
LARGE = decision(3, 18, 6, FOLD)
BLUFF = decision(4, 18, 1, Bet(17))
TOO_MANY = [GOOD, SMALL, LARGE, BLUFF, decision(5, 12, 6, FOLD), decision(6, 4, 6, FOLD)]


def test_review_names_the_three_dearest_decisions() -> None:
    dearest = review(TOO_MANY, "seed")
    costs = [judged.chosen.cost.chips for judged in dearest]
    assert len(dearest) == 3
    assert costs == sorted(costs, reverse=True)
    assert {judged.decision.hand for judged in dearest} <= {2, 3, 4, 5, 6}
    all_costs = sorted((judged.chosen.cost.chips for one in TOO_MANY for judged in review([one], "seed")), reverse=True)
    assert costs == all_costs[:3]


def test_review_in_sentences() -> None:
    (line,) = review_lines(review([LARGE], "seed"))
    cost = review([LARGE], "seed")[0].chosen.cost.chips
    assert line == (
        f"1. Hand 3, street 1, 3 in the pot, with 6, the board B=18: fold. Bet 17 is worth {cost:.1f} chips more."
    )


def test_nothing_to_say_of_good_decisions() -> None:
    assert review([GOOD], "seed") == []
    assert review_lines([]) == [
        "Of none of your decisions do the deals show that another one would have won more chips."
    ]


def test_review_tells_how_far_it_is_and_can_be_stopped() -> None:
    told: list[tuple[int, int]] = []
    review([GOOD, SMALL], "seed", lambda done, looks: told.append((done, looks)))
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
    with pytest.raises(StoppedError):
        review([GOOD], "seed", stop=lambda: True)
