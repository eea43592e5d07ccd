"""What a learner is told in three-card stud."""

from collections.abc import Sequence

from bots.environments.encoding import RAISES, Entry, Floats, cards, chips, spread_choices, write_cards
from protocol.cards import DECK
from protocol.games.base import Action
from protocol.games.stud import StudTurn


class StudEncoding:
    """Chips and cards of a question, and the raises by 1 to 10."""

    actions = ("fold", "check or call", *[f"raise by {chips}" for chips in range(1, RAISES + 1)])

    def __init__(self, players: int) -> None:
        self._others = players - 1
        self.layout: tuple[Entry, ...] = (
            Entry("street", 1, 1, 2, "1 with one card up, 2 with two"),
            chips("stack", "chips left"),
            chips("pot", "chips put in by everybody so far"),
            chips("owed", "chips to put in to stay"),
            cards("hole", "the own hole card"),
            cards("up", "the own up cards"),
            cards(
                "others", "a set for each opponent who shows cards, from the next seat on: its up cards", self._others
            ),
        )

    def write(self, turn: StudTurn, seat: int, numbers: Floats) -> None:
        """A seat that shows no cards is left out, as in the question."""
        numbers[0], numbers[1], numbers[2], numbers[3] = turn.street, turn.stack, turn.pot, turn.owed
        write_cards(numbers, 4, (turn.hole,))
        write_cards(numbers, 4 + len(DECK), turn.up)
        own = turn.shown.index(turn.up)
        others = turn.shown[own + 1 :] + turn.shown[:own]
        if len(others) > self._others:
            raise ValueError(f"{len(others) + 1} seats show cards; this encoding is for {self._others + 1} players")
        for number, up in enumerate(others):
            write_cards(numbers, 4 + (2 + number) * len(DECK), up)

    def choices(self, turn: StudTurn) -> Sequence[Action | None]:
        return spread_choices(turn.legal())
