"""Dice at the seat for a person."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from bots.human.game_seat import CoachPlan, GameSeat
from bots.human.odds import Chances
from bots.human.updates import Scene, SeatView, Spot
from bots.human.wire_view import WireTable
from bots.strategies.dice.plan import equilibrium, sign
from dealer.decision_value.situation import Situation
from protocol.dice import SIDES, BetSize, Die
from protocol.games.base import FOLD, Action, Bet
from protocol.games.dice import BLINDS, DiceGame, DiceStatus, DiceTurn

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


class DiceWireTable(WireTable):
    """A hand of dice at a dealer's table, where each player is asked once at most.

    The dealer tells a player nothing about a hand that it has folded, and nobody's chips.
    """

    asks_once = True

    def _read(self, turn: DiceTurn, first: bool) -> list[str]:
        self.me = min(int(self._agreed.get("seat", 0)), 1)
        opponent, first_player = 1 - self.me, 1 - self.me if turn.second else self.me
        names = {self.me: "", opponent: f"player {turn.opponent}"}
        self._views = [SeatView(names[seat], hidden=1, button=seat == first_player) for seat in (0, 1)]
        self._seat_me(turn, turn.own, ())
        self.gain = -BLINDS[turn.second]  # until more is told, as after a fold
        if not turn.second:
            return [f"B is {turn.bet}. You are the first player."]
        self._views[opponent] = replace(self._views[opponent], note=f"bet {turn.bet - BLINDS[0]}")
        return [f"B is {turn.bet}. You are the second player; {self.name_of(opponent)} bets."]

    def scene(self, turn: DiceTurn, to_act: int | None, headline: str = "") -> Scene:
        """What ``WireTable`` shows, with B on the table."""
        return replace(super().scene(turn, to_act, headline), board=(BetSize(turn.bet, f"B={turn.bet}"),))

    def spot(self, turn: DiceTurn) -> Spot | None:
        """What ``WireTable`` shows, with B on the table."""
        spot = super().spot(turn)
        return spot and replace(spot, board=(BetSize(turn.bet, f"B={turn.bet}"),))

    def turn_up(self, status: DiceStatus) -> None:
        """Show the opponent's die after a showdown."""
        if status.die:
            self._views[1 - self.me] = replace(self._views[1 - self.me], hole=status.opponents, hidden=0)
        else:
            self._fold(1 - self.me)

    def result(self, status: DiceStatus) -> str:
        self.gain = status.chips
        if not status.showdown:
            return f"the opponent folds, and you win {status.chips}."
        shown = f"the opponent shows {self._game.describe(status.opponents)}"
        if not status.chips:
            return f"{shown}, and nobody wins."
        return f"{shown}, and you {'win' if status.chips > 0 else 'lose'} {abs(status.chips)}."


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
SEAT = GameSeat(RULES, 1, 1, in_words, chances, DiceWireTable, pay_word=pay_word, raises=False, coach=COACH)
