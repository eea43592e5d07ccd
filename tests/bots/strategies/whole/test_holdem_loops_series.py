"""``holdem`` where betting goes in loops: what it sees of others, what it makes of that, and hands played out."""

import subprocess
import sys
from random import Random

from bots.arena import play_hands
from bots.strategies.holdem.best import Holdem
from bots.strategy import load_maker
from tests.bots.strategies.royale_series import ROYALE, endings
from tests.patience import PATIENCE


def test_plays_as_well_where_nothing_is_compiled() -> None:
    """As in the base install, which has neither numba nor numpy."""
    code = """
import sys
sys.modules["numba"] = sys.modules["numpy"] = None
from random import Random
from bots.strategies.holdem.loop_player import LoopPlayer
from protocol.cards import parse_cards
from protocol.games.holdem_turn import HoldemTurn, SeatView
seats = SeatView(500, 0, "live"), SeatView(475, 25, "live"), SeatView(500, 0, "folded")
board = parse_cards("QS JS 10S 2C 3D")
for hole in "AS KS", "4H 5D":
    turn = HoldemTurn(4, 500, 75, 25, parse_cards(hole), board, 50, 50, seats, 2)
    print(getattr(LoopPlayer(3, 25, Random(1)).decide(turn, 0, int), "amount", 0))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert not done.stderr
    assert done.stdout.split() == ["50", "0"]


def test_plays_the_preset() -> None:
    bots = [Holdem(Random(1)), *[load_maker(name)(Random(2)) for name in ("caller", "maniac", "random", "tight")]]
    played = list(play_hands(ROYALE, bots, b"loops", 6, False))
    assert len(played) == 6


def test_a_tournament_of_the_preset_ends_with_money_and_a_place() -> None:
    (ending,) = endings("caller", 1, "test")
    assert 0 <= ending.money <= 7 * ROYALE.stack
    assert 1 <= ending.place <= 7
