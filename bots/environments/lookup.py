"""The encoding of each game by its name: one that a package offers, or the generic one.

Packages offer encodings as entry points of the group ``casino.encodings``: the name is that of the game, and the value
is called with the number of players.
"""

from bots.environments.encoding import Encoding
from bots.environments.generic import GenericEncoding
from protocol.games.game import Game
from protocol.installed import entry_points
from protocol.plurals import span

ENTRY_POINTS = "casino.encodings"


def load_encoding(game: Game, players: int) -> Encoding:
    """How ``game`` with so many players is told to a learner.

    Raises:
        ValueError: the game is not for so many players.
        LookupError: what an installed package offers for this game cannot be loaded.
    """
    if players not in game.table_seats:
        raise ValueError(f"{game.name} is for {span(game.table_seats)} players, not for {players}")
    for point in entry_points(group=ENTRY_POINTS, name=game.name):
        try:
            encoding: Encoding = point.load()(players)
        except (ImportError, AttributeError, SyntaxError) as error:
            raise LookupError(f"the encoding of {game.name} ({point.value}) cannot be loaded: {error}") from error
        return encoding
    return GenericEncoding(game, players)
