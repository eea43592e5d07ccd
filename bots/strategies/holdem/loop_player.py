"""``holdem`` where betting goes in loops and every raise has one size: simulates the rest of the hand many times."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

from bots.strategies.holdem.habits import CALL, FOLD, RAISE
from bots.strategies.holdem.loop_deals import Dealing
from bots.strategies.holdem.loop_playouts import LoopTable
from bots.strategies.holdem.loop_watch import Deed, LoopWatch
from bots.strategies.holdem.reads import Character, Pool, Read
from protocol.games import base
from protocol.games.base import Action, Bet, Status
from protocol.games.holdem_turn import HoldemTurn

#: Deals that share a board, boards in a batch, and batches at most.
DEALS, BOARDS, BATCHES = 10, 8, 5
#: Two choices are told apart when their difference is so many times its standard error.
CLEAR = 2.5


class LoopPlayer:
    """Learns of which kind each opponent is, and takes what wins most when all act by their kinds.

    Args:
        loops: how often each seat is asked on a street, at most.
        bet: chips of a raise.
        rng: draws cards.
    """

    def __init__(self, loops: int, bet: int, rng: Random) -> None:
        self._bet, self._loops, self._rng = bet, loops, rng
        self._characters: defaultdict[int, Character] = defaultdict(Character)
        self._player_in: Callable[[int], int] = int
        self._begin_hand()

    def _begin_hand(self) -> None:
        self._watch = LoopWatch(self._loops)
        self._reads: dict[int, Read] = {}
        self._pool: Pool | None = None

    def decide(self, turn: HoldemTurn, own: int, player_in: Callable[[int], int]) -> Action:
        """Take what wins most on average.

        Args:
            turn: what is asked.
            own: the own seat.
            player_in: gives the number of the player in a seat, which stays the same from hand to hand.
        """
        self._player_in = player_in
        if self._pool is None:
            self._pool = Pool(turn.hole, self._rng)
        pool, before = self._pool, self._watch.street
        deeds = self._watch.deeds(turn, own)
        self._take_in(pool, [deed for deed in deeds if deed.spot.street == before])
        pool.turn_to(turn.street, turn.board)
        self._take_in(pool, [deed for deed in deeds if deed.spot.street != before])
        action = self._best(turn, own, pool)
        self._watch.acted(own, action.amount if isinstance(action, Bet) else 0)
        return action

    def hand_over(self, status: Status) -> None:
        """Learn from what was seen of each opponent."""
        shown = dict(status.shown)
        for seat, read in self._reads.items():
            self._character(seat).learn(read.evidence(shown.get(seat)))
        self._begin_hand()

    def _character(self, seat: int) -> Character:
        return self._characters[self._player_in(seat)]

    def _take_in(self, pool: Pool, deeds: Sequence[Deed]) -> None:
        for deed in deeds:
            self._read(pool, deed.seat).saw(deed.spot, deed.choice)

    def _read(self, pool: Pool, seat: int) -> Read:
        if seat not in self._reads:
            self._reads[seat] = Read(pool)
        return self._reads[seat]

    def _best(self, turn: HoldemTurn, own: int, pool: Pool) -> Action:
        raises = turn.legal().raises
        actions: dict[int, Action] = {CALL: Bet(turn.owed)}
        if turn.owed:
            actions[FOLD] = base.FOLD
        if raises:
            actions[RAISE] = Bet(raises[0])
        return actions[self._wins_most(turn, own, pool, list(actions))]

    def _wins_most(self, turn: HoldemTurn, own: int, pool: Pool, choices: Sequence[int]) -> int:
        """The choice that wins most: the hand is played out until that is clear, or often enough."""
        count = len(turn.seats)
        order = [(turn.button + 1 + step) % count for step in range(count)]
        order = [seat for seat in order if turn.seats[seat].state in ("live", "allin")]
        table = self._table(turn, own, order)
        dealing = Dealing(pool, turn.hole, turn.board, turn.street, self._rng)
        draws = [
            None if seat == own else self._read(pool, seat).draws(self._character(seat).trust, self._rng)
            for seat in order
        ]
        won: dict[int, list[float]] = {choice: [] for choice in choices}
        best = choices[0]
        for _ in range(BATCHES):
            for _ in range(BOARDS):
                for deal in dealing.deals(draws, DEALS):
                    for choice in choices:
                        won[choice].append(table.play_on(choice, deal) if choice != FOLD else 0.0)
            best = max(choices, key=lambda choice: fmean(won[choice]))
            if all(_is_clear(won[best], won[other]) for other in choices if other != best):
                break
        return best

    def _table(self, turn: HoldemTurn, own: int, order: Sequence[int]) -> LoopTable:
        watch, seats = self._watch, turn.seats
        return LoopTable(
            order.index(own),
            [seats[seat].stack for seat in order],
            [seats[seat].put for seat in order],
            [watch.starting[seat] - seats[seat].stack for seat in order],
            turn.pot,
            turn.street,
            watch.loop,
            watch.raised,
            watch.highest,
            self._bet,
            self._loops,
        )


def _is_clear(more: Sequence[float], less: Sequence[float]) -> bool:
    """Whether what was won in the same deals differs by more than chance explains."""
    differences = [one - other for one, other in zip(more, less, strict=True)]
    return fmean(differences) > CLEAR * stdev(differences) / sqrt(len(differences))
