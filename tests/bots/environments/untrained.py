"""Bots that have learned nothing, in files: a dealer does not mind."""

from pathlib import Path

import numpy as np

from bots.environments.encoding import size_of
from bots.environments.learned import save_learned
from bots.environments.lookup import load_encoding
from bots.environments.network import Network
from protocol.games.game import Game
from protocol.games.registry import load_game


def untrained(game: Game) -> Network:
    encoding = load_encoding(game, 2)
    scale = np.full(size_of(encoding.layout), 100, np.float32)
    return Network.new(scale, 8, len(encoding.actions), np.random.default_rng(1))


def save_untrained(file: Path, game: str) -> None:
    save_learned(file, game, 2, untrained(load_game(game)()))
