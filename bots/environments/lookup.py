"""The encoding of each game by its name: one that a package offers, or the generic one.

Packages offer encodings as entry points of the group ``casino.encodings``: the name is that of the game, and the value
is called with the number of players.
"""

from collections.abc import Callable, Sequence
from typing import Any, get_args, get_origin, get_type_hints

from bots.environments.encoding import RAISES, Encoding, Entry, Floats, chips, spread_choices
from protocol.cards import Card
from protocol.games.base import Action, Turn
from protocol.games.game import Game
from protocol.installed import load_installed
from protocol.plurals import span
from protocol.shuffle import SEED_BYTES, Deck

#: What every turn says, and what its ``legal()`` adds.
COMMON = ("street", "stack", "pot", "owed", "least", "most")


class GenericEncoding:
    """Numbers and cards of a game's turn, in the order of its fields, behind what every turn says.

    A field is read by its type: a number, a card, a tuple of cards, or a tuple of such tuples, one for each seat.
    Fields of other types are left out. Cards count by their place in the game's own deck.
    """

    def __init__(self, game: Game, players: int) -> None:
        deck = game.chance.cards if isinstance(game.chance, Deck) else ()
        self._places = {card: number for number, card in enumerate(deck)}
        self._players = players
        self._fields = {name: self._sets(hint) for name, hint in _own_fields(game, players).items()}
        self.actions = ("fold", "check or call", *[f"raise {number}" for number in range(1, RAISES + 1)])
        self.layout = tuple(self._entries())

    def _sets(self, hint: Any) -> int | None:
        """How many sets of cards a field holds; 0 for a number, None for what is left out."""
        if hint in (int, bool, int | None):
            return 0
        if self._places and _depth(hint) is not None:
            return self._players if _depth(hint) == 2 else 1
        return None

    def _entries(self) -> list[Entry]:
        size = len(self._places)
        entries = [chips(name, f"`{name}`, as the turn says") for name in COMMON[:4]]
        entries += [chips("least", "chips of the least raise; 0 if there is none")]
        entries += [chips("most", "chips of the largest raise; 0 if there is none")]
        entries += [Entry("own", size, 0, 1, "the own cards")] if size else []
        for name, sets in self._fields.items():
            if sets == 0:
                entries.append(chips(name, f"`{name}`, as the turn says"))
            elif sets:
                entries.append(Entry(name, sets * size, 0, 1, f"the cards of `{name}`"))
        return entries

    def write(self, turn: Turn, seat: int, numbers: Floats) -> None:
        """The view says all, without the number of the seat."""
        raises = turn.legal().raises
        common = (turn.street, turn.stack or 0, turn.pot, turn.owed, min(raises, default=0), max(raises, default=0))
        numbers[: len(COMMON)] = common
        start = len(COMMON)
        if self._places:
            self._write_cards(numbers, start, turn.own)
            start += len(self._places)
        for name, sets in self._fields.items():
            if sets is None:
                continue
            value = getattr(turn, name)
            if sets == 0:
                numbers[start] = value or 0
                start += 1
                continue
            rows = value if sets > 1 else [(value,) if isinstance(value, Card) else value]
            if len(rows) > sets:
                raise ValueError(f"`{name}` has cards of {len(rows)} seats; this encoding is for {self._players}")
            for number, row in enumerate(rows):
                self._write_cards(numbers, start + number * len(self._places), row)
            start += sets * len(self._places)

    def _write_cards(self, numbers: Floats, start: int, cards: Any) -> None:
        for card in cards:
            numbers[start + self._places[card]] = 1

    def choices(self, turn: Turn) -> Sequence[Action | None]:
        return spread_choices(turn.legal())


def _own_fields(game: Game, players: int) -> dict[str, Any]:
    """The types of the fields of a game's turn, but for those that every turn has."""
    hand = game.start(players).deal(game.chance.outcome(game.chance.draw(bytes(SEED_BYTES), 0, 1)))
    turn = type(hand.view(hand.live[0]))
    hints = get_type_hints(turn)
    return {name: hint for name, hint in hints.items() if name not in COMMON and not name.startswith("_")}


def _depth(hint: Any) -> int | None:
    """How many tuples lie around the cards of a type: 0 for a card; None if it is another type."""
    if isinstance(hint, type) and issubclass(hint, Card):
        return 0
    if get_origin(hint) is not tuple:
        return None
    depths = {_depth(inner) for inner in get_args(hint) if inner is not ...}
    depth = depths.pop() if len(depths) == 1 else None
    return None if depth is None or depth > 1 else depth + 1


ENTRY_POINTS = "casino.encodings"


def load_encoding(game: Game, players: int) -> Encoding:
    """How ``game`` with so many players is told to a learner.

    Raises:
        ValueError: the game is not for so many players.
        LookupError: what an installed package offers for this game cannot be loaded.
    """
    if players not in game.table_seats:
        raise ValueError(f"{game.name} is for {span(game.table_seats)} players, not for {players}")
    make: Callable[[int], Encoding] | None = load_installed(ENTRY_POINTS, game.name, f"the encoding of {game.name}")
    return GenericEncoding(game, players) if make is None else make(players)
