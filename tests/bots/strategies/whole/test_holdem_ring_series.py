"""``holdem`` at no-limit tables: what it sees of others, its models of the house's bots, and hands played out."""

import subprocess
import sys

from tests.bots.strategies.ring_series import play_seating
from tests.bots.strategies.royale_series import compiled_roll_outs
from tests.patience import PATIENCE


def test_plays_as_well_where_nothing_is_compiled() -> None:
    """As in the base install, which has neither numba nor numpy."""
    code = """
import sys
sys.modules["numba"] = sys.modules["numpy"] = None
from random import Random
from bots.strategies.holdem.ring_player import RingPlayer
from protocol.cards import parse_cards
from protocol.games.holdem_turn import HoldemTurn, SeatView
seats = SeatView(500, 0, "live"), SeatView(400, 100, "live"), SeatView(500, 0, "folded")
for street, board in ((2, "QS JS 10S"), (4, "QS JS 10S 2C 3D")):
    for hole in "AS KS", "4H 5D":
        turn = HoldemTurn(street, 500, 200, 100, parse_cards(hole), parse_cards(board), 200, 500, seats, 2)
        print(getattr(RingPlayer(5, 10, Random(1)).decide(turn, 0, int), "amount", 0))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert not done.stderr
    on_flop, on_flop_weak, on_river, on_river_weak = map(int, done.stdout.split())
    assert on_flop >= 100
    assert on_river > 100
    assert on_flop_weak == on_river_weak == 0


def test_a_series_tells_what_each_deal_won() -> None:
    with compiled_roll_outs():
        seating = play_seating(["caller"] * 6, 0, 3, "test")
    assert len(seating.won) == 3
    assert len(seating.seconds) >= 3
