"""What a learner is told in Blockhead Poker."""

from collections.abc import Sequence

from bots.environments.encoding import RAISES, Entry, Floats, cards, chips, spread_choices, write_cards
from protocol.cards import DECK
from protocol.games.base import Action
from protocol.games.blockhead import MAX_RAISES, BlockheadTurn


class BlockheadEncoding:
    """Chips, cards and the bets of the street, and the raises by 1 to 10."""

    actions = ("fold", "check or call", *[f"raise by {chips}" for chips in range(1, RAISES + 1)])

    def __init__(self, players: int) -> None:
        self._others = players - 1
        #: Everybody acts once, and each raise lets everybody else act again.
        self._bets = players + MAX_RAISES * (players - 1)
        self.layout: tuple[Entry, ...] = (
            Entry("street", 1, 1, 3, "1, 2 or 3, with two, three or four cards up"),
            chips("stack", "chips left; may be below 0"),
            chips("pot", "chips in the pot, with what earlier hands carried over"),
            chips("owed", "chips to put in to stay"),
            chips("max raise", "chips of the largest raise; 0 when no raise is left"),
            Entry("acts", 1, 0, self._bets, "how many bets and checks there were on this street"),
            chips("bets", "chips of each of them in order; 0 behind the last", self._bets),
            cards("hole", "the own hole card"),
            cards("up", "the own up cards"),
            cards("others", "a set for each opponent still in, from the left neighbour on: its up cards", self._others),
        )

    def write(self, turn: BlockheadTurn, seat: int, numbers: Floats) -> None:
        """The view says all, without the number of the seat."""
        if len(turn.others) > self._others:
            raise ValueError(f"{len(turn.others) + 1} seats are in; this encoding is for {self._others + 1} players")
        numbers[:6] = (turn.street, turn.stack, turn.pot, turn.owed, turn.max_raise, len(turn.bets))
        for number, (_, amount) in enumerate(turn.bets):
            numbers[6 + number] = amount
        start = 6 + self._bets
        write_cards(numbers, start, (turn.hole,))
        write_cards(numbers, start + len(DECK), turn.up)
        for number, up in enumerate(turn.others):
            write_cards(numbers, start + (2 + number) * len(DECK), up)

    def choices(self, turn: BlockheadTurn) -> Sequence[Action | None]:
        return spread_choices(turn.legal())
