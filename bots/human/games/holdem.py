"""Texas Hold'em at the seat for a person."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from random import Random

from bots.human.card_pictures import words
from bots.human.game_seat import CoachPlan, GameSeat
from bots.human.narration import sentence
from bots.human.odds import Chances, count_chances
from bots.human.updates import Scene, SeatView, Spot
from bots.human.wire_view import WireTable
from dealer.decision_value.situation import Situation
from protocol.cards import Card
from protocol.games.base import Action, Turn
from protocol.games.holdem import HoldemGame, HoldemMatch
from protocol.games.holdem_hand import BOARD, STREETS
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.poker_strength import poker_strength
from protocol.games.ranks import of_a_kind

RULES = """\
Two cards in the hole; bets; three on the board; bets; a
fourth; bets; a fifth; bets. The best five of the seven win.
(D) has the button. No raise is less than the one before it,
except all in. Who is all in can still win what was matched."""

#: Hole cards of a seat.
HOLE = 2

#: Cards of the smallest hand that has a poker strength.
FIVE = 5


def in_words(game: HoldemGame, cards: Sequence[Card]) -> str:
    """What two to seven cards are worth."""
    return of_a_kind(card.rank for card in cards) if len(cards) < FIVE else game.describe(cards)


def chances(spot: Spot, rng: Random) -> Chances:
    """The person's chances."""
    name = SEAT.in_words(spot.game, (*spot.own, *spot.board))
    return count_chances(spot, rng, name=name, size=HOLE, strength=poker_strength, board=BOARD[STREETS])


class HoldemWireTable(WireTable):
    """A hand of hold'em at a dealer's table.

    A turn tells stack, bet and state of every seat. It does not tell who did what, nor which seat is the person's: the
    ``game:`` message does, but seats move up when a player leaves.
    """

    def _read(self, turn: HoldemTurn, first: bool) -> list[str]:
        self.me = self._find_me(turn)
        before = self._views or [SeatView(f"seat {seat}", hidden=HOLE) for seat in range(len(turn.seats))]
        self._views = list(before)
        lines = []
        for seat, (stack, put, state) in enumerate(turn.seats):
            view = replace(before[seat], stack=stack, button=seat == turn.button, all_in=state == "allin")
            self._views[seat] = view
            if seat == self.me:
                self._seat_me(turn, turn.hole, ())
                continue
            lines += self._news(seat, before[seat], put)
            if state in ("folded", "out") and before[seat].place == "in":
                self._fold(seat)
                lines.append(f"{view.name} has folded.")
        return [*lines, f"The board: {words(turn.board)}."] if first and turn.board else lines

    def _find_me(self, turn: HoldemTurn) -> int:
        """The person's seat: the one whose chips are the turn's, as near as can be to where the person sat before."""
        highest = max(seat.put for seat in turn.seats)
        able = [
            seat
            for seat, (stack, put, state) in enumerate(turn.seats)
            if (stack, state, min(highest - put, stack)) == (turn.stack, "live", turn.owed)
        ]
        expected = int(self._agreed.get("seat", 0)) if self.last is None else self.me
        return min(able, key=lambda seat: abs(seat - expected), default=min(expected, len(turn.seats) - 1))

    def _news(self, seat: int, before: SeatView, put: int) -> list[str]:
        """What another seat has put in since the last question, in words."""
        view = self._views[seat]
        added = put if before.stack is None else before.stack - (view.stack or 0)
        if not added:
            return []
        self._views[seat] = replace(view, note=f"put {added}")
        return [sentence(f"{view.name} has put in {added}{', and is all in' if view.all_in else ''}.")]

    def moved(self, turn: Turn, action: Action, did: str) -> None:
        """A bet of all chips is all in."""
        super().moved(turn, action, did)
        mine = self._views[self.me]
        self._views[self.me] = replace(mine, all_in=mine.stack == 0 and mine.place == "in")

    def scene(self, turn: HoldemTurn, to_act: int | None, headline: str = "") -> Scene:
        return replace(super().scene(turn, to_act, headline), board=turn.board)

    def spot(self, turn: HoldemTurn) -> Spot | None:
        """The spot of ``WireTable`` with the board, and without chips that the person cannot win."""
        spot = super().spot(turn)
        reach = turn.seats[self.me].put + turn.owed
        beyond = sum(max(0, seat.put - reach) for seat in turn.seats)
        return spot and replace(spot, board=turn.board, pot=turn.pot - beyond)


def depth(situation: Situation) -> float:
    """The shorter stack of the person and the largest live opponent, before this street, in big blinds."""
    turn = situation.questions[-1]
    assert isinstance(turn, HoldemTurn)
    chips = [seat.stack + seat.put for seat in turn.seats]
    rivals = [chips[place] for place, seat in enumerate(turn.seats) if seat.state in ("live", "allin")]
    rivals.remove(chips[situation.seat])
    match = situation.match
    assert isinstance(match, HoldemMatch)
    return min(chips[situation.seat], max(rivals)) / match.blinds.big if match.blinds.big else inf


COACH = CoachPlan("holdem", lambda _seats: ("tight", "simple"), 4000, depth)
SEAT = GameSeat(RULES, 5, HOLE, in_words, chances, HoldemWireTable, all_in=True, coach=COACH)
