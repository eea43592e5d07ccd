"""``holdem`` at tables of which it simulates the rest of the hand many times: no-limit ones, and those in loops."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import sqrt
from random import Random

from bots.strategies.holdem.ring_cards import Pool
from bots.strategies.holdem.ring_kernel import (
    COMPILED,
    KIND_COUNT,
    LUCK,
    PLAYERS,
    RIVER,
    RUNGS,
    SEATS,
    TABLE,
    Dealt,
    Floats,
    Ints,
    Known,
    add_up,
    add_weights,
    floats,
    ints,
    no_floats,
    no_ints,
    simulate,
    weigh,
)
from bots.strategies.holdem.ring_kinds import curves, gives_up, loop_places, rates, respect
from bots.strategies.holdem.ring_watch import Deed, Watch, order_of
from protocol.cards import DECK, Card
from protocol.games import base
from protocol.games.base import Action, Bet, Status
from protocol.games.holdem_turn import HoldemTurn, SeatView

#: How much of what one hand tells about an opponent is believed, since kinds fit nobody quite.
TRUST = 0.95
#: Kinds that are less likely are left out when cards are drawn.
RARE = 0.003


class RingRead:
    """What is thought of one opponent's cards in one hand, for each kind of player."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._weights = floats([1 / pool.size] * (KIND_COUNT * pool.size))
        self._seen: list[Deed] = []

    def saw(self, deed: Deed) -> None:
        """Take into account what the opponent did on the street of the pool."""
        self._seen.append(deed)
        weigh(self._weights, self._pool.now, curves(), deed.ask, -1 if deed.chips is None else deed.chips)

    def _totals(self) -> list[float]:
        totals = floats([0.0] * KIND_COUNT)
        add_weights(self._weights, self._pool.holes, self._pool.scene.board, totals)
        return list(totals)

    def add_up(self, limits: Floats, player: int, trust: Sequence[float]) -> None:
        """Write how likely each kind and cards are together, as sums from the first on.

        Args:
            limits: is written to, see ``ring_kernel.Known``.
            player: the place of the opponent in it.
            trust: how likely each kind is before this hand.
        """
        shares = [share * total for share, total in zip(trust, self._totals(), strict=True)]
        least = RARE * sum(shares)
        parts = [part if share > least else 0.0 for part, share in zip(trust, shares, strict=True)]
        add_up(limits, player, self._weights, floats(parts), self._pool.holes, self._pool.scene.board)

    def evidence(self, shown: Sequence[Card] | None) -> list[float]:
        """How likely each kind of player would have acted as was seen, with the cards it showed if it did."""
        if shown is None:
            return self._totals()
        found = floats([1.0] * KIND_COUNT)
        looks = {street: self._pool.seen_in(street, shown) for street in {deed.ask.street for deed in self._seen}}
        for deed in self._seen:
            look = looks[deed.ask.street]
            if look is not None:
                weigh(found, look, curves(), deed.ask, -1 if deed.chips is None else deed.chips)
        return list(found)


class Company:
    """How likely each opponent is of each kind, from all hands that were seen.

    Args:
        alike: how much the others tell of the kind of one, from 0 to 1.
    """

    def __init__(self, alike: float) -> None:
        self._alike = alike
        self._trust: dict[int, list[float]] = {}

    def learn(self, player: int, evidence: Sequence[float]) -> None:
        """Take the evidence of one hand about a player into account."""
        mean = sum(evidence) / len(evidence)
        if not mean:
            return
        before = self._trust.get(player, _even())
        after = [share * (TRUST * told + (1 - TRUST) * mean) for share, told in zip(before, evidence, strict=True)]
        total = sum(after)
        self._trust[player] = [max(share / total, 1e-6) for share in after]

    def trust(self, player: int) -> list[float]:
        """How likely a player is of each kind."""
        own = self._trust.get(player, _even())
        others = [trust for other, trust in self._trust.items() if other != player]
        guess = _even()
        if others:
            columns = zip(*others, strict=True)
            guess = [(1 - self._alike) / KIND_COUNT + self._alike * sum(column) / len(column) for column in columns]
        joint = [share * prior for share, prior in zip(own, guess, strict=True)]
        total = sum(joint)
        return [share / total for share in joint]


def _even() -> list[float]:
    return [1 / KIND_COUNT] * KIND_COUNT


#: Deals before the first choice is left out, in each batch after that, and at most. Few deals would not do: much of
#: what a small bet wins comes from seldom large pots.
FIRST, DEALS, MOST = (200, 200, 1200) if COMPILED else (16, 8, 64)
#: Two choices are told apart when their difference is so many times its standard error.
CLEAR = 2.0


def new_dealt(chance: int, deck: Ints) -> Dealt:
    """Cards that are dealt from ``deck``, which is shuffled in place, when the first of them is written."""
    by_street = RIVER + 1
    return Dealt(
        ints([chance]),
        deck,
        no_ints(TABLE),
        no_ints(SEATS),
        no_ints(SEATS),
        no_ints(by_street),
        no_floats(LUCK),
        no_ints(by_street * RUNGS),
        no_ints(by_street * SEATS),
    )


class Trial:
    """Plays a hand on from one question.

    Args:
        reads: of the opponents by their place in the order of the table, and how likely each is of each kind.
    """

    def __init__(
        self, table: Ints, pool: Pool, reads: Mapping[int, tuple[RingRead, Sequence[float]]], rng: Random
    ) -> None:
        limits = no_floats(table[PLAYERS] * KIND_COUNT * pool.size)
        for player, (read, trust) in reads.items():
            read.add_up(limits, player, trust)
        fixed = rates(), curves(), respect(), gives_up(), loop_places()
        self._known = Known(table, pool.holes, pool.now, *fixed, limits, pool.scene.board)
        self._dealt = new_dealt(rng.getrandbits(48), pool.deck)

    def best(self, choices: Sequence[int]) -> int:
        """The chips that win most, -1 for a fold: the hand is played on until that is clear, or often enough."""
        sums, squares = [0.0] * len(choices), [[0.0] * len(choices) for _ in choices]
        left, deals = list(range(len(choices))), 0
        for count in [FIRST] + [DEALS] * ((MOST - FIRST) // DEALS):
            self._try([choices[number] for number in left], left, count, sums, squares)
            deals += count
            top = max(left, key=sums.__getitem__)
            left = [
                number
                for number in left
                if number == top or not _is_clear(sums[top] - sums[number], squares[top][number], deals)
            ]
            if len(left) == 1:
                break
        return choices[max(left, key=sums.__getitem__)]

    def _try(
        self, chips: Sequence[int], left: Sequence[int], deals: int, sums: list[float], squares: list[list[float]]
    ) -> None:
        """Play on with each of the choices that are left, and add up what they win."""
        won, differences = no_floats(len(left)), no_floats(len(left) ** 2)
        simulate(self._known, self._dealt, ints(chips), deals, won, differences)
        for place, number in enumerate(left):
            sums[number] += won[place]
            for other, second in enumerate(left):
                squares[number][second] += differences[place * len(left) + other]


def _is_clear(difference: float, squares: float, deals: int) -> bool:
    """Whether what was won in the same deals differs by more than chance explains.

    Args:
        difference: of the sums.
        squares: the sum of the squared differences.
        deals: how many.
    """
    variance = max(0.0, squares - difference * difference / deals)
    return difference > CLEAR * sqrt(variance)


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
