"""What a decision is worth: deals that fit what a seat saw, roll-outs against exact values, and the search."""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.audit.decision_value.deals import Company, Ranges, Redeal
from dealer.audit.decision_value.rollouts import FINALISTS, chips_by_deal, dearest, never
from dealer.audit.decision_value.situation import Situation
from protocol.cards import DECK, parse_cards
from protocol.dice import DICE, BetSize
from protocol.estimates.intervals import mean
from protocol.games.base import FOLD, Action, Bet
from protocol.games.dice import DiceGame
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.registry import load_game
from protocol.games.stud import StudGame
from tests.protocol.helpers import deck_of

HOLDINGS = 120


def situation(game: Game, outcome: Sequence[Any], actions: Sequence[Action | None], seats: int = 2) -> Situation:
    """What the seat to act knows after ``actions``; None gives up the hand for a seat."""
    match = game.start(seats)
    hands = [match.deal(outcome)]
    for action in actions:
        hands.append(hands[-1].concede() if action is None else hands[-1].apply(action))
    seat = hands[-1].to_act
    assert seat is not None
    found = Situation.begin(game, match, hands[0], seat)
    for action, hand in zip(actions, hands[1:], strict=True):
        found = found.acted(action, hand)
    return found


def before_the_last_call() -> Situation:
    """Seat 1 has two kings and owes 10 on street 2; its rival shows two jacks. A call ends the hand."""
    return situation(StudGame(), deck_of("2H JS JD 3C KD KH"), [Bet(0), Bet(0), Bet(0), Bet(10)])


def chips(question: Situation, names: Sequence[str], *actions: Action, deals: int = 60) -> list[list[float]]:
    company = Company.load(question, [names] * len(question.ups), HOLDINGS)
    return chips_by_deal(question, company, actions, deals, Random("chance"))


def test_estimate_is_the_value_worked_out_by_hand() -> None:
    """Calling 10 ends the hand: 22 chips lie there, half of them for a spade in the opponent's hole.

    The opponent wins the cards' half with a jack only (JH, JC): two jacks are less than two kings.
    """
    question, worth = before_the_last_call(), 0
    for hole in set(DECK) - set(parse_cards("JS JD 3C KD KH")):
        halves = 11 if hole.suit == 3 else 0
        worth += (0 if hole.rank == 11 else 22 - halves) - 10
    folds, calls = chips(question, ["caller"], FOLD, Bet(10), deals=2000)
    estimate = mean(calls)
    assert estimate is not None
    assert set(folds) == {0}
    assert estimate.low < worth / 47 < estimate.high
    assert estimate.high - estimate.low < 1.0


def test_fold_of_the_best_cards_costs_the_pot() -> None:
    """A royal flush wins what lies there, whatever the opponent has."""
    cards = deck_of("AS KS 2C 7D QS JS 10S 3H 4D")
    question = situation(HoldemGame(stack=200), cards, [Bet(5), *[Bet(0)] * 5, Bet(60)])
    _, calls = chips(question, ["tight"], FOLD, Bet(60), deals=20)
    assert calls == [question.questions[-1].pot] * 20 == [80] * 20


@pytest.mark.parametrize("bot", ["caller", "dice-equilibrium"])
def test_six_faces_are_as_likely_for_a_hidden_die(bot: str) -> None:
    """A six wins 12 chips from five dice of six and nothing from the sixth; the own blind of 2 comes back."""
    question = situation(DiceGame(), (BetSize(12, "B=12"), DICE[0], DICE[5]), [Bet(11)])
    _, calls = chips(question, [bot], FOLD, Bet(10), deals=300)
    assert set(calls) == {14, 2}
    if bot == "caller":
        assert fmean(calls) == pytest.approx(12, abs=0.6)


@given(st.integers(0, 10**6), st.sampled_from(("stud", "blockhead", "holdem", "dice")))
def test_only_what_a_seat_has_not_seen_is_dealt_anew(chance: int, name: str) -> None:
    game, rng = load_game(name)(), Random(chance)
    outcome = game.chance.outcome(game.chance.draw(chance.to_bytes(4), 0, 1))
    seats = 2 if name == "dice" else rng.randint(3, 4)
    actions: list[Action | None] = []
    question = situation(game, outcome, actions, seats)
    for _ in range(rng.randrange(1 if name == "dice" else 5)):
        legal = question.questions[-1].legal()
        actions.append(None if question.live > 2 and rng.random() < 0.2 else Bet(legal.to_call))
        question = situation(game, outcome, actions, seats)
    redeal = Redeal(question)
    opponent = (question.seat + 1) % seats
    holding = rng.choice(redeal.holdings(opponent, 20, rng))
    again, moments = redeal.replay(redeal.deal({opponent: holding}, rng), range(seats))
    assert again.to_act == question.seat
    assert again.view(question.seat) == question.questions[-1]
    assert [moment.action for moment in moments] == actions
    if opponent in again.live:
        assert again.hole(opponent) == holding


def test_opponent_gets_the_cards_it_would_raise_with() -> None:
    """``pair-or-fold`` shows a jack and has raised: it has another one, about as often as its surprise allows."""
    question = situation(StudGame(), deck_of("2H JS 4D 3C KD 9H"), [Bet(10)])
    opponent = 1 - question.seat
    company = Company.load(question, [["pair-or-fold"]] * 2, HOLDINGS)
    ranges, rng = Ranges(Redeal(question), company, Random(1), question.seat, never), Random(2)
    up = question.ups[opponent][0]
    jacks = {card for card in DECK if card.text[:-1] == up.text[:-1]}
    pairs = fmean(ranges.draw(rng)[opponent].hole[0] in jacks for _ in range(2000))
    unseen = 52 - 3
    likely = 3 / (3 + 0.15 * (unseen - 3))
    assert pairs == pytest.approx(likely, abs=0.04)


def test_search_counts_the_second_measurement_of_those_that_look_dearest() -> None:
    truth = [float(number) for number in range(10)]
    told: list[tuple[int, int]] = []
    looked: list[tuple[str, list[float]]] = []

    def measure(some: Sequence[float], effort: str) -> Iterator[float]:
        looked.append((effort, list(some)))
        return (one + 100 if effort == "rough" else one / 2 for one in some)

    found = dearest(truth, measure, lambda cost: cost, lambda done, total: told.append((done, total)))
    assert looked == [("rough", truth), ("good", truth[:3:-1])]
    assert found == [one / 2 for one in truth[:3:-1]]
    assert len(found) == FINALISTS
    assert told == [(done, 16) for done in range(17)]
    assert dearest([], measure, lambda cost: cost, lambda done, total: None) == []
