"""The reason that a latecomer is told: how far the tournament is, and when to come back."""

from trio.testing import MockClock

from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament.opening import latecomers_reason
from dealer.tournament.tournament import Tournament
from protocol.games.stud import StudGame
from tests.dealer.support.rig import SEED


async def test_remaining_time_counts_hands_of_this_dealer_only(jumping_clock: MockClock) -> None:
    """It has played 100 of 1000 hands in 10 s; 500 were played before, by a dealer that died."""
    players = [Player(id, id, id) for id in ("a", "b")]
    tournament = Tournament(Ledger(Settings(SEED, StudGame(), hands=1000), players), Journal(None))
    tournament.tables[0].hand_number = 600
    jumping_clock.jump(10.0)
    began = jumping_clock.current_time() - 10.0
    assert latecomers_reason(tournament, began, 500) == (
        "the tournament is at hand 600 of 1000; come back for the next one, in 40 s at the latest"
    )
