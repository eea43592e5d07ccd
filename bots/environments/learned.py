"""A bot that plays what was learned: a network and the game it is for, kept in one file."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from zipfile import BadZipFile, ZipFile, is_zipfile

try:
    import numpy as np
except ImportError:
    raise ImportError("a bot that has learned needs numpy: pip install '.[rl]' in the folder of Casino Day") from None

from bots.environments.encoding import mask_of, observe, size_of
from bots.environments.lookup import load_encoding
from bots.environments.network import Network
from bots.strategy import Simple, StrategyError
from protocol.files import MOST_BYTES, read_bytes
from protocol.games.base import Action
from protocol.games.registry import load_game
from protocol.plurals import listed
from protocol.wire.messages import GameInfo

#: What a file with a bot has.
_ARRAYS = ("game", "players", "layout", *Network._fields)


def save_learned(file: Path, game: str, players: int, network: Network) -> None:
    """Write what was learned at tables of so many players; numpy's format ``npz``.

    Raises:
        OSError: the file cannot be written.
    """
    with file.open("wb") as opened:
        np.savez(opened, game=game, players=players, layout=_layout_text(game, players), **network._asdict())


def load_learned(name: str) -> Callable[[Random], "Learned"]:
    """What makes the bot that plays the file ``name``.

    Raises:
        LookupError: the file cannot be read, holds something else, or was made for another layout of observations.
    """
    try:
        contents = BytesIO(read_bytes(Path(name)))
        if not is_zipfile(contents):  # of another file numpy says only that it could be loaded unsafely
            raise LookupError(f"{name} holds no bot that has learned: it is no npz file, or cut short")
        if sum(part.file_size for part in ZipFile(contents).infolist()) > MOST_BYTES:
            raise LookupError(f"{name} holds no bot that has learned: unpacked, it is larger than any")
        with np.load(contents, allow_pickle=False) as kept:
            found = {key: kept[key] for key in kept.files}
        missing = [array for array in _ARRAYS if array not in found]
        if missing:
            raise LookupError(f"{name} holds no bot that has learned: it has no {listed(missing)}")
        game, players, layout = str(found.pop("game")), int(found.pop("players")), str(found.pop("layout"))
        network = Network(**found)
    except OSError as error:
        raise LookupError(f"the file {name} cannot be read: {error.strerror or error}") from error
    except (ValueError, TypeError, AttributeError, EOFError, BadZipFile) as error:
        raise LookupError(f"{name} holds no bot that has learned: {error}") from error
    try:
        if layout != _layout_text(game, players):
            raise LookupError(f"{name} was made for other observations of {game}; let it learn again")
        return _Maker(game, players, _checked(network, name, game, players))
    except ValueError as error:
        raise LookupError(f"{name} cannot play here: {error}") from error


def _layout_text(game: str, players: int) -> str:
    """The layout of observations and the actions, to recognise a file that was made for others."""
    encoding = load_encoding(load_game(game)(), players)
    return "; ".join([*[f"{entry.name} {entry.size}" for entry in encoding.layout], *encoding.actions])


def _checked(network: Network, name: str, game: str, players: int) -> Network:
    """The network, whose arrays fit together and to the game.

    Raises:
        LookupError: they do not.
    """
    encoding = load_encoding(load_game(game)(), players)
    size, actions, units = size_of(encoding.layout), len(encoding.actions), network.first_bias.size
    shapes = ((size,), (size, units), (units,), (units, actions), (actions,))
    for field, weights, shape in zip(network._fields, network, shapes, strict=True):
        if weights.shape != shape or weights.dtype != np.float32 or not np.isfinite(weights).all():
            raise LookupError(f"{name}: expected {field} of float32 with the shape {shape}, and finite")
    return network


class _Maker:
    """Makes bots of one network, each for a table of its own."""

    def __init__(self, game: str, players: int, network: Network) -> None:
        self.games = (game,)
        self._players, self._network = players, network

    def __call__(self, rng: Random) -> "Learned":
        return Learned(rng, self.games[0], self._players, self._network)


class Learned(Simple):
    """Takes the action that a network thinks worth most.

    Args:
        rng: not used, since it chooses nothing by chance.
        players: at the tables where it did; it plays with fewer, too.
    """

    def __init__(self, rng: Random, game: str, players: int, network: Network) -> None:
        super().__init__(rng)
        self._game, self._network, self._seat = game, network, 0
        self._encoding = load_encoding(load_game(game)(), players)

    def game_begins(self, info: GameInfo) -> None:
        """Refuse another game, and take in the own seat."""
        self.refuse_unless(info.name == self._game, info.name)
        self._seat = int(info["seat"])

    def refuse_unless(self, plays: bool, game: str) -> None:
        if not plays:
            raise StrategyError(f"this bot has learned {self._game}, not {game}")

    def decide(self, turn: Any) -> Action:
        """The action that seems worth most."""
        choices = self._encoding.choices(turn)
        try:
            observation = observe(self._encoding, turn, self._seat)
        except ValueError as error:
            raise StrategyError(f"this bot has not learned such a table: {error}") from None
        best = self._network.best(observation[None], mask_of(choices)[None])[0]
        chosen: Action | None = choices[best]
        assert chosen is not None
        return chosen
