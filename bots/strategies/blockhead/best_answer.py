"""The best answer to counted habits: one street walked exactly, then the pot by cards alone."""

from itertools import product

from bots.strategies.blockhead.habits import Habits, faced
from bots.strategies.blockhead.turn_numbers import CALL, COPIES, FOLD, MOVES, VALUES, Sight
from protocol.games.blockhead import MAX_RAISES, STREETS

#: The largest margin: ten in the hole against nothing, and on the last street four tens up against four aces.
REACH = 10 + 4 * 9


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
    """One turn's walk through the rest of its street against counted habits; then the pot by cards alone."""

    def __init__(self, turn: Sight, weights: list[float], habits: Habits) -> None:
        self._turn, self._weights = turn, weights
        self._chances = [habits.chances(turn.street == STREETS, what, turn.diff) for what in range(4)]
        shares = SHARES[STREETS - turn.street]
        self._share = [shares[turn.diff + turn.hole - hole + REACH] for hole in range(11)]

    def values(self) -> dict[int, float]:
        """Chips expected from each move: FOLD, CALL (or check), raise 1, 5 and 10."""
        turn = self._turn
        moves = [*([FOLD] if turn.owed else []), CALL, *((1, 5, 10) if turn.max_raise else ())]
        total = sum(self._weights)
        return {move: self._move(self._weights, turn.pot, 0, turn.raises, turn.prior, move) / total for move in moves}

    def _move(self, weights: list[float], pot: int, put: int, raises: int, prior: int | None, move: int) -> float:
        if move == FOLD:
            return -put * sum(weights)
        chips = move + (prior or 0)
        pot, put = pot + chips, put + chips
        if move == CALL and prior is not None:
            return self._end(weights, pot, put)
        return self._opponent(weights, pot, put, raises + (move > 0), move)

    def _opponent(self, weights: list[float], pot: int, put: int, raises: int, prior: int) -> float:
        total, table = 0.0, self._chances[faced(prior)]
        rows = list(zip(MOVES, table, strict=True))
        if raises == MAX_RAISES:
            calls = [sum(by_kind) for by_kind in zip(*table[1:], strict=True)]
            rows = [(FOLD, table[0]), (CALL, calls)]
        for move, chances in rows:
            if move == FOLD and not prior:
                continue
            left = [weight * chance for weight, chance in zip(weights, chances, strict=True)]
            mass = sum(left)
            if mass < 1e-9:
                continue
            if move == FOLD:
                total += mass * (pot - put)
            elif move == CALL:
                total += self._end(left, pot + prior, put)
            else:
                more, mine = pot + prior + move, (FOLD, CALL, 1, 10) if raises + 1 < MAX_RAISES else (FOLD, CALL)
                total += max(self._move(left, more, put, raises + 1, move, answer) for answer in mine)
        return total

    def _end(self, weights: list[float], pot: int, put: int) -> float:
        share = sum(weight * part for weight, part in zip(weights, self._share, strict=True))
        return pot * share - put * sum(weights)
