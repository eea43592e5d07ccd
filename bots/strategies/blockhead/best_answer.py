"""The best answer to a model of the opponent: one street walked exactly, then the pot by cards alone."""

from collections.abc import Sequence
from itertools import product
from typing import Protocol

from bots.strategies.blockhead.turn_numbers import (
    CALL,
    COPIES,
    FOLD,
    MOVES,
    NOTHING_BEFORE,
    VALUES,
    Before,
    Sight,
    Spot,
)
from protocol.games.blockhead import MAX_RAISES, STREETS

#: The largest margin: ten in the hole against nothing, and on the last street four tens up against four aces.
REACH = 10 + 4 * 9

#: Raises that are looked at for the present move.
RAISES = (1, 5, 10)


class Model(Protocol):
    """How an opponent is taken to act."""

    def chances(self, spot: Spot) -> Sequence[Sequence[float]]:
        """The chance of each of MOVES with each hole value, while raises are left: [move][hole]."""


def _margins() -> list[list[float]]:
    """[cards to come for each, margin + REACH]: the share of the pot expected, a tie counting half."""
    step = [0.0] * 19
    for mine, other in product(VALUES, VALUES):
        step[mine - other + 9] += COPIES[mine] * COPIES[other] / 52**2
    spread = {0: 1.0}
    tables = []
    for _ in range(3):
        by_margin = [
            spread.get(-margin, 0.0) / 2 + sum(p for d, p in spread.items() if d > -margin)
            for margin in range(-REACH, REACH + 1)
        ]
        tables.append(by_margin)
        wider: dict[int, float] = {}
        for (d, p), s in product(spread.items(), range(-9, 10)):
            wider[d + s] = wider.get(d + s, 0.0) + p * step[s + 9]
        spread = wider
    return tables


SHARES = _margins()


class Exploit:
    """One turn's walk through the rest of its street against a model; then the pot by cards alone.

    Args:
        weights: of the opponent's holes, by value from 0, with what it did in this hand taken into account.
        model: how it acts from here on.
        before: what happened before the street.
    """

    def __init__(self, turn: Sight, weights: list[float], model: Model, before: Before = NOTHING_BEFORE) -> None:
        self._turn, self._weights, self._model = turn, weights, model
        self._before = before
        shares = SHARES[STREETS - turn.street]
        self._share = [shares[turn.diff + turn.hole - hole + REACH] for hole in range(11)]

    def values(self) -> dict[int, float]:
        """Chips expected from each move: FOLD, CALL (or check), raise 1, 5 and 10."""
        turn = self._turn
        moves = [*([FOLD] if turn.owed else []), CALL, *(RAISES if turn.max_raise else ())]
        total = sum(self._weights)
        return {move: self._move(self._weights, turn.put_in, 0, turn.raises, move) / total for move in moves}

    def _move(self, weights: list[float], put_in: tuple[int, ...], put: int, raises: int, move: int) -> float:
        """Chips, times the weights, of our move after the street's bets ``put_in``, ``put`` more of them from us."""
        if move == FOLD:
            return -put * sum(weights)
        owed = _owed(put_in)
        put += owed + move
        if move == CALL and put_in:
            return self._end(weights, sum(put_in) + owed, put)
        return self._opponent(weights, (*put_in, owed + move), put, raises + (move > 0))

    def _opponent(self, weights: list[float], put_in: tuple[int, ...], put: int, raises: int) -> float:
        total, turn, in_front, owed = 0.0, self._turn, sum(put_in), _owed(put_in)
        pot = self._pot(in_front)
        table = self._model.chances(Spot(turn.street, pot, put_in, turn.diff, self._before))
        rows = list(zip(MOVES, table, strict=True))
        if raises == MAX_RAISES:
            calls = [sum(by_kind) for by_kind in zip(*table[1:], strict=True)]
            rows = [(FOLD, table[0]), (CALL, calls)]
        for move, chances in rows:
            if move == FOLD and not owed:
                continue
            left = [weight * chance for weight, chance in zip(weights, chances, strict=True)]
            mass = sum(left)
            if mass < 1e-9:
                continue
            if move == FOLD:
                total += mass * (pot - put)
            elif move == CALL:
                total += self._end(left, in_front + owed, put)
            else:
                more, mine = (*put_in, owed + move), (FOLD, CALL, 1, 10) if raises + 1 < MAX_RAISES else (FOLD, CALL)
                total += max(self._move(left, more, put, raises + 1, answer) for answer in mine)
        return total

    def _end(self, weights: list[float], in_front: int, put: int) -> float:
        """The street is over with ``in_front`` chips put in on it."""
        share = sum(weight * part for weight, part in zip(weights, self._share, strict=True))
        return self._pot(in_front) * share - put * sum(weights)

    def _pot(self, in_front: int) -> int:
        return self._turn.pot - sum(self._turn.put_in) + in_front


def _owed(put_in: Sequence[int]) -> int:
    """The size of the last raise among a street's bets, if it is not called."""
    owed = 0
    for chips in put_in:
        owed = chips - owed
    return owed
