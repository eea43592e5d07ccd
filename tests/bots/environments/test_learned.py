"""What was learned, in a file: saved, read again, played, and refused where it does not fit."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from bots.environments.encoding import mask_of, observe
from bots.environments.learned import Learned, load_learned, save_learned
from bots.environments.lookup import load_encoding
from bots.environments.network import Network, Trainer
from bots.strategy import StrategyError, answer, tell
from protocol.games.holdem import HoldemGame
from protocol.games.registry import game_names, load_game
from protocol.games.stud import StudGame
from protocol.installed_bots import load_bot, title_of
from protocol.wire.messages import GameInfo
from tests.bots.environments.untrained import save_untrained, untrained
from tests.protocol.helpers import shuffled_deck

SEED = bytes(32)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a bot for stud that has learned nothing."""
    path = tmp_path / "stud.npz"
    save_untrained(path, "stud")
    return path


@pytest.mark.parametrize("name", game_names())
def test_a_saved_bot_plays_its_network(name: str, tmp_path: Path) -> None:
    game = load_game(name)()
    network, encoding = untrained(game), load_encoding(game, 2)
    save_learned(tmp_path / "it.npz", name, 2, network)
    bot = load_bot(str(tmp_path / "it.npz"))(Random(1))
    for number in range(1, 20):
        hand = game.start(2).deal(game.chance.outcome(game.chance.draw(SEED, 0, number)))
        while (seat := hand.to_act) is not None:
            tell(bot, GameInfo.about(game, seat, 2))
            turn = hand.view(seat)
            action = answer(bot, turn)
            choices = encoding.choices(turn)
            values = network.values(observe(encoding, turn, seat)[None])[0]
            legal = np.flatnonzero(mask_of(choices)).tolist()
            assert action == choices[max(legal, key=lambda place: values[place])]
            hand = hand.apply(action)


def test_the_file_names_the_bot() -> None:
    assert title_of("runs/best.npz") == "best"
    assert title_of("caller") == "caller"
    assert title_of("my.bot") == "my.bot"


def test_a_bot_of_stud_refuses_other_games_and_larger_tables(file: Path) -> None:
    bot = load_learned(str(file))(Random(1))
    with pytest.raises(StrategyError, match=r"^this bot has learned stud, not holdem$"):
        tell(bot, GameInfo.about(HoldemGame(), 0, 2))
    hand = StudGame().start(3).deal(shuffled_deck(SEED, 0, 1))
    with pytest.raises(
        StrategyError, match=r"^this bot has not learned such a table: 3 seats show cards; .* 2 players$"
    ):
        answer(bot, hand.view(hand.to_act or 0))


def rewritten(file: Path, **changed: Any) -> None:
    """The file with other arrays; None leaves one out."""
    with np.load(file) as kept:
        arrays = {key: kept[key] for key in kept.files} | changed
    np.savez(file, **{key: value for key, value in arrays.items() if value is not None})


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"game": None}, r"holds no bot that has learned: it has no game$"),
        ({"first": None}, r"holds no bot that has learned: it has no first$"),
        ({"game": None, "players": None, "layout": None}, r"it has no game, players and layout$"),
        ({"more": np.ones(3)}, r"holds no bot that has learned: .*more"),
        ({"game": "whist"}, r"there is no game 'whist'"),
        ({"players": 40}, r"cannot play here: stud is for 2 to 17 players, not for 40"),
        ({"players": 3}, r"was made for other observations of stud; let it learn again"),
        ({"first_bias": np.ones(9, np.float32)}, r"expected first of float32 with the shape \(160, 9\)"),
        ({"second_bias": np.full(12, np.nan, np.float32)}, r"expected second_bias of float32 .* and finite"),
        ({"scale": np.ones(160)}, r"expected scale of float32"),
        ({"game": np.array([None])}, r"holds no bot that has learned: "),
    ],
)
def test_files_that_do_not_fit(file: Path, changed: dict[str, Any], text: str) -> None:
    rewritten(file, **changed)
    with pytest.raises(LookupError, match=text):
        load_learned(str(file))


def test_files_that_are_none(file: Path) -> None:
    with pytest.raises(LookupError, match=r"nobody\.npz cannot be read: No such file"):
        load_bot("nobody.npz")
    whole = file.read_bytes()
    for content in (b"", b"hello", whole[:100], whole[: len(whole) // 2]):
        file.write_bytes(content)
        with pytest.raises(
            LookupError, match=r"stud\.npz holds no bot that has learned: it is no npz file, or cut short$"
        ):
            load_bot(str(file))


def test_a_network_learns_which_action_is_worth_more() -> None:
    """Two actions, of which the second is worth more exactly where the first number is above 0."""
    chance = np.random.default_rng(2)
    network = Network.new(np.ones(3, np.float32), 16, 2, chance)
    trainer = Trainer(network, 0.01)
    for _ in range(300):
        observations = chance.normal(size=(64, 3)).astype(np.float32)
        actions = chance.integers(0, 2, 64)
        trainer.improve(observations, actions, np.where(actions == 1, observations[:, 0], 0).astype(np.float32))
    observations = chance.normal(size=(500, 3)).astype(np.float32)
    found = network.best(observations, np.ones((500, 2), np.int8))
    assert (found == (observations[:, 0] > 0)).mean() > 0.95
    assert (network.best(observations, np.tile(np.array([1, 0], np.int8), (500, 1))) == 0).all()


def test_a_learned_bot_takes_its_seat_from_the_game() -> None:
    game = HoldemGame()
    bot = Learned(Random(1), "holdem", 2, untrained(game))
    tell(bot, GameInfo.about(game, 1, 2))
    assert bot._seat == 1
