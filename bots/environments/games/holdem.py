"""What a learner is told in Texas Hold'em."""

from bots.environments.encoding import Entry, Floats, cards, chips, fold_and_call, write_cards
from protocol.cards import DECK
from protocol.games.base import Action, Bet
from protocol.games.holdem_turn import HoldemTurn

#: Raises by a part of the pot after a call, as (numerator, denominator).
POT_PARTS = ((1, 2), (1, 1), (2, 1))

#: Numbers before the cards, without those of each seat.
COMMON = 6


class HoldemEncoding:
    """Chips of every seat, cards and the button, and raises of five sizes."""

    actions = (
        "fold",
        "check or call",
        "the least raise",
        "raise by half the pot",
        "raise by the pot",
        "raise by twice the pot",
        "the largest raise",
    )

    def __init__(self, players: int) -> None:
        self._players = players
        self.layout: tuple[Entry, ...] = (
            Entry("street", 1, 1, 4, "1 before the flop, then 2 (flop), 3 (turn) and 4 (river)"),
            chips("stack", "chips left"),
            chips("pot", "chips put in by everybody so far"),
            chips("owed", "chips to put in to stay; the whole stack if that is less"),
            chips("least", "chips of the least raise; 0 if there is none"),
            chips("most", "chips of the largest raise; 0 if there is none"),
            chips("stacks", "chips in front of each seat, from the own seat on", players),
            chips("put", "chips that each seat has put in on this street, from the own seat on", players),
            Entry("live", players, 0, 1, "1 for each seat that has not folded, from the own seat on"),
            Entry("button", players, 0, 1, "1 for the seat with the button, from the own seat on"),
            cards("hole", "the own hole cards"),
            cards("board", "the cards on the board"),
        )

    def write(self, turn: HoldemTurn, seat: int, numbers: Floats) -> None:
        count, players = len(turn.seats), self._players
        if count > players:
            raise ValueError(f"there are {count} seats; this encoding is for {players} players")
        own = own_seat(turn, seat)
        numbers[:COMMON] = (turn.street, turn.stack, turn.pot, turn.owed, turn.least, turn.most)
        for number in range(count):
            stack, put, state = turn.seats[(own + number) % count]
            numbers[COMMON + number] = stack
            numbers[COMMON + players + number] = put
            numbers[COMMON + 2 * players + number] = state in ("live", "allin")
        numbers[COMMON + 3 * players + (turn.button - own) % count] = 1
        start = COMMON + 4 * players
        write_cards(numbers, start, turn.hole)
        write_cards(numbers, start + len(DECK), turn.board)

    def choices(self, turn: HoldemTurn) -> list[Action | None]:
        """Two numbers may stand for the same raise."""
        legal = turn.legal()
        pot = turn.pot + turn.owed
        sizes = [turn.owed + pot * over // under for over, under in POT_PARTS]
        return [*fold_and_call(legal), *[_raise(size, legal.raises) for size in (turn.least, *sizes, turn.most)]]


def _raise(size: int, raises: range) -> Action | None:
    return Bet(size) if size in raises else None


def own_seat(turn: HoldemTurn, seat: int) -> int:
    """The own seat: ``seat``, unless seats have been counted anew since it was told, because a player left.

    Then it is the first one with the own stack that owes what is owed.
    """
    if seat < len(turn.seats) and turn.seats[seat].stack == turn.stack:
        return seat
    highest = max(view.put for view in turn.seats)
    for number, view in enumerate(turn.seats):
        if view.stack == turn.stack and min(highest - view.put, view.stack) == turn.owed:
            return number
    raise ValueError(f"no seat has the own stack of {turn.stack} and owes {turn.owed}")
