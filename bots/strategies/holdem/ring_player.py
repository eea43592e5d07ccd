"""``holdem`` at a no-limit table of three players or more: simulates the rest of the hand many times."""

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

from bots.strategies.holdem.ring_cards import Pool
from bots.strategies.holdem.ring_playouts import LUCK, RingDeal, RingTable
from bots.strategies.holdem.ring_reads import Company, RingRead
from bots.strategies.holdem.ring_watch import Deed, RingWatch, order_of
from protocol.cards import Card
from protocol.games import base
from protocol.games.base import Action, Bet, Status
from protocol.games.holdem_turn import HoldemTurn

#: Deals before the first choice is left out, in each batch after that, and at most. Few deals would not do: much of
#: what a small bet wins comes from seldom large pots.
FIRST, DEALS, MOST = 30, 15, 120
#: Two choices are told apart when their difference is so many times its standard error.
CLEAR = 2.0
#: How often others' cards are drawn before any cards do that nobody else holds.
TRIES = 6
#: How much any cards count when cards are drawn for a flop, beside those that fit an opponent.
WIDE = 0.5
#: Raises that are looked at, in parts of the pot after a call, beside the least and the most.
PARTS = (0.6, 1.2)


class RingPlayer:
    """Learns of which kind each opponent is, and takes what wins most when all act by their kinds.

    Args:
        small_blind: chips of it.
        big_blind: chips of it.
        rng: draws cards.
    """

    def __init__(self, small_blind: int, big_blind: int, rng: Random) -> None:
        self._blinds, self._rng = (small_blind, big_blind), rng
        self._company = Company()
        self._player_in: Callable[[int], int] = int
        self._begin_hand()

    def _begin_hand(self) -> None:
        self._watch = RingWatch(*self._blinds)
        self._reads: dict[int, RingRead] = {}
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
        self._take_in(pool, [deed for deed in deeds if deed.ask.street == before])
        if pool.turn_to(turn.street, turn.board, self._fit):
            for read in self._reads.values():
                read.begin_anew()
        self._take_in(pool, [deed for deed in deeds if deed.ask.street != before])
        chips = self._wins_most(turn, own, pool)
        self._watch.acted(own, chips)
        return base.FOLD if chips is None else Bet(chips)

    def hand_over(self, status: Status) -> None:
        """Learn from what was seen of each opponent."""
        shown = dict(status.shown)
        for seat, read in self._reads.items():
            self._company.learn(self._player_in(seat), read.evidence(shown.get(seat)))
        self._begin_hand()

    def _fit(self, holes: Sequence[Sequence[Card]]) -> list[float]:
        """How well hole cards fit how the opponents played who have not folded; any cards fit a little."""
        total = [WIDE / len(holes)] * len(holes)
        for seat, read in self._reads.items():
            if seat in self._watch.live:
                fits = read.fit(self._company.trust(self._player_in(seat)), holes)
                total = [one + fit for one, fit in zip(total, fits, strict=True)]
        return total

    def _take_in(self, pool: Pool, deeds: Sequence[Deed]) -> None:
        for deed in deeds:
            self._read(pool, deed.seat).saw(deed)

    def _read(self, pool: Pool, seat: int) -> RingRead:
        if seat not in self._reads:
            self._reads[seat] = RingRead(pool)
        return self._reads[seat]

    def _wins_most(self, turn: HoldemTurn, own: int, pool: Pool) -> int | None:
        """The chips that win most, None for a fold: the hand is played out until that is clear, or often enough."""
        choices = _choices(turn)
        if len(choices) == 1:
            return choices[0]
        order = order_of(self._watch.live, turn.button)
        table = self._table(own, order)
        deals = self._deals(pool, order, own)
        won: dict[int | None, list[float]] = {choice: [] for choice in choices}
        best = choices[0]
        for count in [FIRST] + [DEALS] * ((MOST - FIRST) // DEALS):
            for _ in range(count):
                deal = next(deals)
                for choice in choices:
                    won[choice].append(0.0 if choice is None else table.play_on(choice, deal))
            best = max(choices, key=lambda choice: fmean(won[choice]))
            choices = [choice for choice in choices if choice == best or not _is_clear(won[best], won[choice])]
            if len(choices) == 1:
                break
        return best

    def _deals(self, pool: Pool, order: Sequence[int], own: int) -> Iterator[RingDeal]:
        """Deals without end."""
        rng = self._rng
        draws = [
            None if seat == own else self._read(pool, seat).draws(self._company.trust(self._player_in(seat)), rng)
            for seat in order
        ]
        while True:
            for runout in pool.runouts or [pool.deal()]:
                used, kinds, places = pool.holes[pool.own] | runout.final, [], []
                for drawn in draws:
                    kind, place = 0, pool.own
                    if drawn is not None:
                        kind, place = self._free_cards(drawn, pool, used)
                        used |= pool.holes[place]
                    kinds.append(kind)
                    places.append(place)
                yield RingDeal(runout, kinds, places, [rng.random() for _ in range(LUCK)])

    def _free_cards(self, drawn: Iterator[tuple[int, int]], pool: Pool, used: int) -> tuple[int, int]:
        """The next kind and place in the pool whose cards nobody else holds."""
        holes = pool.holes
        kind, place = next(drawn)
        for _ in range(TRIES):
            if not holes[place] & used:
                return kind, place
            kind, place = next(drawn)
        free = [other for other in range(pool.own) if not holes[other] & used]
        return kind, self._rng.choice(free or range(pool.own))

    def _table(self, own: int, order: Sequence[int]) -> RingTable:
        watch = self._watch
        return RingTable(
            order.index(own),
            [watch.stacks[seat] for seat in order],
            [watch.put[seat] for seat in order],
            [watch.starting[seat] - watch.stacks[seat] for seat in order],
            watch.pot,
            watch.street,
            [order.index(seat) for seat in watch.pending],
            [watch.asked[seat] for seat in order],
            watch.highest,
            watch.full_raise,
            self._blinds[1],
            frozenset(order.index(seat) for seat in watch.raisers if seat in order),
            watch.quiet,
        )


def _choices(turn: HoldemTurn) -> list[int | None]:
    """Chips that are looked at, None for a fold, from few to many."""
    raises = turn.legal().raises
    choices: list[int | None] = [turn.owed]
    if turn.owed:
        choices.append(None)
    if raises:
        sizes = [turn.owed + int(part * (turn.pot + turn.owed)) for part in PARTS]
        choices += sorted({raises[0], raises[-1], *[chips for chips in sizes if chips in raises]})
    return choices


def _is_clear(more: Sequence[float], less: Sequence[float]) -> bool:
    """Whether what was won in the same deals differs by more than chance explains."""
    differences = [one - other for one, other in zip(more, less, strict=True)]
    return fmean(differences) > CLEAR * stdev(differences) / sqrt(len(differences))
