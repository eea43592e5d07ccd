"""``holdem`` at tables of which it simulates the rest of the hand many times: no-limit ones, and those in loops."""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from bots.strategies.holdem.ring_cards import Pool
from bots.strategies.holdem.ring_kernel import COMPILED
from bots.strategies.holdem.ring_playouts import Trial
from bots.strategies.holdem.ring_reads import Company, RingRead
from bots.strategies.holdem.ring_watch import Deed, Watch, order_of
from protocol.cards import DECK
from protocol.games import base
from protocol.games.base import Action, Bet, Status
from protocol.games.holdem_turn import HoldemTurn, SeatView

#: How much the other opponents tell of the kind of one: those of a no-limit table are often the same.
ALIKE = 0.7
#: Raises that are looked at, in parts of the pot after a call, beside the least and the most.
PARTS = (0.6, 1.2)
#: No chips: a fold, among choices.
FOLD = -1


class RingPlayer:
    """Learns of which kind each opponent is, and takes what wins most when all act by their kinds.

    Args:
        blinds: the small and the big one.
        bet: chips of the least bet.
        loops: how often each seat is asked on a street, at most, where every raise has one size; 0 at no-limit tables.
    """

    def __init__(self, blinds: tuple[int, int], bet: int, rng: Random, loops: int = 0) -> None:
        self._blinds, self._bet, self._loops, self._rng = blinds, bet, loops, rng
        self._company = Company(0.0 if loops else ALIKE)
        self._player_in: Callable[[int], int] = int
        self._begin_hand()

    def _begin_hand(self) -> None:
        self._watch = Watch(self._blinds, self._bet, self._loops)
        self._reads: dict[int, RingRead] = {}
        self._pool: Pool | None = None

    def decide(self, turn: HoldemTurn, own: int, player_in: Callable[[int], int]) -> Action:
        """Take what wins most on average.

        Args:
            player_in: gives the number of the player in a seat, which stays the same from hand to hand.
        """
        self._player_in = player_in
        if self._pool is None:
            self._pool = Pool(turn.hole, self._rng)
        pool, before = self._pool, self._watch.street
        deeds = self._watch.deeds(turn, own)
        self._take_in(pool, [deed for deed in deeds if deed.ask.street == before])
        pool.turn_to(turn.street, turn.board)
        self._take_in(pool, [deed for deed in deeds if deed.ask.street != before])
        chips = self._wins_most(turn, own, pool)
        self._watch.acted(own, None if chips == FOLD else chips)
        return base.FOLD if chips == FOLD else Bet(chips)

    def hand_over(self, status: Status) -> None:
        """Learn from what was seen of each opponent."""
        shown = dict(status.shown)
        for seat, read in self._reads.items():
            self._company.learn(self._player_in(seat), read.evidence(shown.get(seat)))
        self._begin_hand()

    def _take_in(self, pool: Pool, deeds: Sequence[Deed]) -> None:
        for deed in deeds:
            self._read(pool, deed.seat).saw(deed)

    def _read(self, pool: Pool, seat: int) -> RingRead:
        if seat not in self._reads:
            self._reads[seat] = RingRead(pool)
        return self._reads[seat]

    def _wins_most(self, turn: HoldemTurn, own: int, pool: Pool) -> int:
        choices = _choices(turn)
        if len(choices) == 1:
            return choices[0]
        live = [seat for seat, view in enumerate(turn.seats) if view.state in ("live", "allin")]
        order = order_of(live, turn.button)
        reads = {
            player: (self._read(pool, seat), self._company.trust(self._player_in(seat)))
            for player, seat in enumerate(order)
            if seat != own
        }
        return Trial(self._watch.table(order, own), pool, reads, self._rng).best(choices)


def _choices(turn: HoldemTurn) -> list[int]:
    """Chips that are looked at: a call, a fold if it makes sense, and raises from few chips to many."""
    raises = turn.legal().raises
    choices = [turn.owed]
    if turn.owed:
        choices.append(FOLD)
    if raises:
        sizes = [turn.owed + int(part * (turn.pot + turn.owed)) for part in PARTS]
        choices += sorted({raises[0], raises[-1], *[chips for chips in sizes if chips in raises]})
    return choices


@cache
def get_ready() -> None:
    """Compile what a question needs, or load it from the cache, by playing a hand that nobody sees."""
    if not COMPILED:
        return
    hole, board = (DECK[0], DECK[5]), (DECK[10], DECK[20], DECK[30])
    player = RingPlayer((1, 2), 2, Random(0))
    first = (SeatView(8, 2, "live"), SeatView(9, 1, "live"), SeatView(8, 2, "live"))
    player.decide(HoldemTurn(1, 9, 5, 1, hole, (), 3, 9, first, 0), 1, int)
    later = (SeatView(8, 0, "live"),) * 3
    player.decide(HoldemTurn(2, 8, 6, 0, hole, board, 2, 8, later, 0), 1, int)
    player.hand_over(Status(won=False, cards=()))
