"""Dice at the seat for a person."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from bots.human.game_seat import CoachPlan, GameSeat
from bots.human.odds import Chances, Spot
from bots.strategies.dice.plan import equilibrium, sign
from dealer.audit.decision_value.situation import Situation
from protocol.dice import DICE, SIDES, BetSize, Die
from protocol.games.base import FOLD, Action, Bet
from protocol.games.dice import BLINDS, DiceGame, DiceTurn

RULES = """\
Blinds of 1 and 2; a number B from 3 to 18 is told to both,
and each rolls a die that the other does not see. (D) is the
first player, who folds or bets up to B. Then the second one
folds or calls. The higher die wins; equal dice win nothing."""


def in_words(game: DiceGame, cards: Sequence[Die]) -> str:
    """What a die is worth."""
    return game.describe(cards)


def chances(spot: Spot, _rng: Random) -> Chances:
    """The person's chances against a die that may show any number."""
    (own,), (bet,) = spot.own, spot.board
    best, tied = (own.pips - 1) / SIDES, 1 / SIDES
    price = spot.owed / (2 * bet.chips)
    return Chances(spot.game.describe(spot.own), best, tied, best + tied / 2, 0.0, price, pieces=spot.game.pieces)


def read_piece(text: str) -> Die | BetSize:
    """A die, or B."""
    return BetSize(int(text.removeprefix("B=")), text) if text.startswith("B=") else DICE[int(text) - 1]


def pay_word(turn: DiceTurn) -> str:
    """The first player bets, the second one calls."""
    return "call" if turn.second else "bet"


def expected_chips(situation: Situation) -> dict[Action, float]:
    """The chips of a fold and of a bet or call, exactly, against an opponent that plays the equilibrium.

    Chips count from the decision on, so the own blind, which is in the pot, comes back with a pot that is won.
    """
    turn: DiceTurn = situation.questions[-1]  # type: ignore[assignment]
    plan = equilibrium()[turn.bet]
    own, blind = situation.own[0].pips, BLINDS[turn.second]  # type: ignore[attr-defined]
    dice = range(1, SIDES + 1)
    showdown = [turn.bet * sign(own, die) + blind for die in dice]
    if turn.second:
        bets = plan.first if any(plan.first) else (Fraction(1),) * SIDES  # a bet that the equilibrium never makes
        total = sum(chance * chips for chance, chips in zip(bets, showdown, strict=True))
        return {FOLD: 0.0, Bet(turn.owed): float(total / sum(bets))}
    stolen = BLINDS[1] + blind
    total = sum(chance * chips + (1 - chance) * stolen for chance, chips in zip(plan.second, showdown, strict=True))
    return {FOLD: 0.0, Bet(turn.owed): float(total / SIDES)}


COACH = CoachPlan("dice-equilibrium", exact=expected_chips)
SEAT = GameSeat(
    RULES, 1, 1, in_words, chances, read_piece=read_piece, asks_once=True, pay_word=pay_word, raises=False, coach=COACH
)
