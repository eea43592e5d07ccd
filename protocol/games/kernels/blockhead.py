"""Heads-up Blockhead Poker, compiled: 20-hand games by the million between strategies that need no memory.

    cards = deal_cards(games=10_000, hands=20, seed=1)     # once: the same cards can be played again
    ends = play_games(ALPHA, MANIAC, cards)                # a row for each game, see the columns GAIN ... POTS
    swapped = play_games(MANIAC, ALPHA, cards)             # a duplicate: the same cards with the seats changed

A card is its value (ace 1, faces 10). The ten cards of a hand are seat 0's five, then seat 1's, hole card first, as
the first ten cards of a deck that the game itself is given. Seat 0 opens the first hand of a game.

Everything compiled is in this one file: numba's cache on disk notices no edit anywhere else. So the numbers of the
rules are written here again, and a test holds them equal to the game's.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from protocol.games.kernels.compiling import compiled

Ints = NDArray[np.int64]

ALPHA, CALLER, MANIAC, BALANCE = range(4)
#: The strategies that play here, by the names of their twins among the bots; ``balance`` needs a ``Policy``.
KINDS = {"alpha": ALPHA, "caller": CALLER, "maniac": MANIAC, "balance": BALANCE}

#: Columns of what ``play_games`` returns.
#:
#: GAIN: chips that seat 0 won in the game, after the split of a pot tied in the last hand; seat 1 lost as many.
#: FOLDS_0, FOLDS_1: hands each seat folded. POTS: chips in the pots at the end of the hands, added up.
GAIN, FOLDS_0, FOLDS_1, POTS = range(4)

#: A move is FOLD, 0 (check or call) or the chips of a raise, without what was owed.
FOLD = -1

#: What ``trace_hands`` writes where no move was made.
NO_MOVE = -2

#: The ``prior`` of a street nobody has acted on; 0 is an opening check, more is the chips of the last raise.
NO_PRIOR = -1

BUY_IN, MAX_RAISE, MAX_RAISES, STREETS, CARDS = 10, 10, 3, 3, 5
#: Moves in a hand: on each street a check, the raises, and a call.
MOST_MOVES = STREETS * (MAX_RAISES + 2)

#: How readily ``balance`` reads a raise between 1 and 10 as 10, by street (0: never): with 1 in proportion, with less
#: more readily.
READ_BIG = (1.0, 0.5, 0.4, 0.6)

#: From here on ``balance`` counts a raise of an earlier street as 10, below as 1.
KNOWN_BIG = 4

#: How the opener's cards in sight compared on the street before, as ``balance`` keeps it: clearly less than the
#: other's, about as much, clearly more, which is by CLEAR_LEAD or more.
BEHIND, LEVEL, AHEAD = range(3)
CLEAR_LEAD = 4


class Policy(NamedTuple):
    """What ``balance`` plays, as tables by situation.

    Attributes:
        weights: uint8 (n,): of fold, call, raise 1 and raise 10, four in a row, for all situations.
        starts: int64 (tables, 4): where the rows of a table begin for streets 1 to 3 (column 0 is not used).
        buy_ins: int64 (tables,): what each player has in the pot when the hands of a table begin.
        classes: int64 (4, chips, 3, 3): by street, chips each put in on earlier streets if every raise had been the 1
            or 10 that it counts as, who raised last on the street before (0 nobody, 1 the opener, 2 the other), and
            how the opener's cards in sight compared there (BEHIND, LEVEL, AHEAD): the class of the street's beginning.
        clips: int64 (4,): by street, the visible difference from which on all are alike.
        steps: int64 (places, 2): by place in a street, the place after one more raise, read as 1 or as 10. Places
            0 and 1 are those before any raise, without and with an opening check.
    """

    weights: NDArray[np.uint8]
    starts: Ints
    buy_ins: Ints
    classes: Ints
    clips: Ints
    steps: Ints


#: For games without ``balance``.
NO_POLICY = Policy(
    np.zeros(0, np.uint8),
    np.zeros((0, 4), np.int64),
    np.zeros(0, np.int64),
    np.zeros((4, 0, 3, 3), np.int64),
    np.zeros(4, np.int64),
    np.zeros((0, 2), np.int64),
)


def deal_cards(games: int, hands: int, seed: int) -> NDArray[np.int8]:
    """The cards of ``games`` games of ``hands`` hands: int8 (games, hands, 10), the same for the same seed."""
    return _deal_cards(games, hands, np.uint64(seed % 2**64))


def play_games(kind0: int, kind1: int, cards: NDArray[np.int8], seed: int = 0, policy: Policy = NO_POLICY) -> Ints:
    """Play whole games: int64 (games, 4), with the columns GAIN, FOLDS_0, FOLDS_1 and POTS.

    Args:
        kind0: what plays in seat 0, which opens hands 1, 3, 5 ... of each game.
        kind1: what plays in seat 1.
        cards: int8 (games, hands, 10), the values of each hand's cards.
        seed: of the chance with which ``balance`` mixes; the other kinds use none.
        policy: what ``balance`` plays.

    Raises:
        ValueError: ``cards`` has another shape, a kind is unknown, or ``balance`` has no policy.
    """
    if cards.ndim != 3 or cards.shape[2] != 2 * CARDS:
        raise ValueError(f"cards are (games, hands, {2 * CARDS}), got {cards.shape}")
    return _play_games(_kinds(kind0, kind1, policy), cards, np.uint64(seed % 2**64), policy)


def trace_hands(
    kinds: tuple[int, int],
    cards: NDArray[np.int8],
    openers: Ints,
    carried: Ints,
    seed: int = 0,
    policy: Policy = NO_POLICY,
) -> NDArray[np.int8]:
    """The moves of single hands: int8 (hands, MOST_MOVES), with NO_MOVE behind the last one.

    Seed, policy and errors are those of ``play_games``.

    Args:
        kinds: what plays in seats 0 and 1.
        cards: int8 (hands, 10).
        openers: int64 (hands,), the seat that opens.
        carried: int64 (hands,), chips in the pot from hands before.
    """
    return _trace_hands(_kinds(*kinds, policy), cards, openers, carried, np.uint64(seed % 2**64), policy)


def _kinds(kind0: int, kind1: int, policy: Policy) -> Ints:
    for kind in (kind0, kind1):
        if kind not in KINDS.values():
            raise ValueError(f"{kind} is no kind of strategy; there are {KINDS}")
        if kind == BALANCE and not policy.weights.size:
            raise ValueError("balance needs a policy")
    return np.array([kind0, kind1])


@compiled
def new_chance(seed: np.uint64) -> NDArray[np.uint64]:
    """The state of a random generator (xorshift64*): uint64 (1,)."""
    return np.array([np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(88172645463325252)])


@compiled
def draw_number(state: NDArray[np.uint64]) -> np.uint64:
    """The next 64 random bits; the high ones are the better ones."""
    x: np.uint64 = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return x * np.uint64(2685821657736338717)


@compiled
def draw_chance(state: NDArray[np.uint64]) -> float:
    """A number from 0 up to 1."""
    return (draw_number(state) >> np.uint64(40)) / 16777216.0


@compiled
def new_deck() -> Ints:
    """The values of the 52 cards."""
    deck = np.empty(52, np.int64)
    for card in range(52):
        deck[card] = min(card // 4 + 1, 10)
    return deck


@compiled
def draw_cards(deck: Ints, values: Ints, state: NDArray[np.uint64]) -> None:
    """Ten cards of ``deck`` (which stays a permutation) into ``values``."""
    for i in range(10):
        random = draw_number(state) >> np.uint64(32)
        j = i + np.int64((random * np.uint64(52 - i)) >> np.uint64(32))
        card = deck[j]
        deck[j] = deck[i]
        deck[i] = card
        values[i] = card


@compiled
def _deal_cards(games: int, hands: int, seed: np.uint64) -> NDArray[np.int8]:
    cards = np.empty((games, hands, 10), np.int8)
    deck, values, state = new_deck(), np.empty(10, np.int64), new_chance(seed)
    for game in range(games):
        for number in range(hands):
            draw_cards(deck, values, state)
            for i in range(10):
                cards[game, number, i] = values[i]
    return cards


@compiled
def alpha_rule(last: bool, prior: int, delta: int, pot: int) -> int:
    """The move that Alpha's rules name.

    Args:
        last: whether no cards are left to draw.
        prior: NO_PRIOR, 0 after a check, or the chips of the last raise.
        delta: the value of all own cards less that of the opponent's up cards.
        pot: chips in it, the last raise included.
    """
    factor = pot // 10
    if not last:
        if prior < 0:
            return 10 if delta > 10 else 5 if delta > 5 else 1 if delta > 0 else 0
        if prior == 0:
            return 10 if delta > 5 - factor else 1 if delta > -factor else 0
        if prior < 1 + factor * 2:
            return 10 if delta > 8 - factor else 1 if delta > -2 - factor else 0 if delta > -4 - factor else FOLD
        return 10 if delta > 10 - factor else 1 if delta > -factor else 0 if delta > -2 - factor else FOLD
    if prior < 0:
        return 10 if delta > 10 else 5 if delta > 5 else 0
    if prior == 0:
        return 10 if delta > 10 - factor else 0
    if prior < 1 + factor * 2:
        return 10 if delta > 6 - factor else 0 if delta > 2 else FOLD
    return 10 if delta > 8 - factor else 0 if delta > 4 else FOLD


@compiled
def alpha_move(last: bool, prior: int, raises: int, delta: int, pot: int) -> int:
    """What Alpha does: its rule, or a call where that says raise and ``raises`` are all that are allowed."""
    move = alpha_rule(last, prior, delta, pot)
    return 0 if move > 0 and raises == MAX_RAISES else move


@compiled
def balance_place(steps: Ints, street: int, checked: bool, sizes: Ints, raises: int, state: NDArray[np.uint64]) -> int:
    """The place in the street, every raise read as 1 or 10, by lot where it is neither."""
    place = 1 if checked else 0
    for i in range(raises):
        big = draw_chance(state) < ((sizes[i] - 1) / 9) ** READ_BIG[street]
        place = steps[place, 1 if big else 0]
    return place


@compiled
def balance_start(
    policy: Policy,
    street: int,
    carried: int,
    known: int,
    raiser: int,
    standing: int,
    lead: int,
    hole: int,
    place: int,
) -> int:
    """Where in ``policy.weights`` the four weights of a situation begin.

    Args:
        street: 1 to 3.
        carried: chips in the pot from hands before.
        known: chips that each put in on earlier streets, every raise counted as 1 or 10.
        raiser: who raised last on the street before: 0 nobody, 1 the opener, 2 the other.
        standing: how the opener's cards in sight compared on the street before: BEHIND, LEVEL or AHEAD.
        lead: the value of the opener's up cards less that of the other's.
        hole: the value of the own hole card.
        place: see ``balance_place``.
    """
    table = 0
    buy_in = BUY_IN + carried // 2
    for i in range(policy.buy_ins.size):
        if abs(policy.buy_ins[i] - buy_in) < abs(policy.buy_ins[table] - buy_in):
            table = i
    clip = policy.clips[street]
    row = policy.classes[street, known, raiser, standing] * (2 * clip + 1) + min(max(lead, -clip), clip) + clip
    start: int = policy.starts[table, street] + ((row * policy.steps.shape[0] + place) * 10 + hole - 1) * 4
    return start


@compiled
def balance_draw(weights: NDArray[np.uint8], start: int, state: NDArray[np.uint64]) -> int:
    """A move by the four weights from ``start`` on: FOLD, 0, 1 or 10."""
    total = 0
    for i in range(4):
        total += weights[start + i]
    roll = draw_chance(state) * total
    for i in range(3):
        roll -= weights[start + i]
        if roll < 0:
            return i - 1
    return 10


@compiled
def play_hand(
    values: Ints,
    kinds: Ints,
    opener: int,
    carried: int,
    policy: Policy,
    state: NDArray[np.uint64],
    sizes: Ints,
    trace: NDArray[np.int8],
) -> tuple[int, int, int, bool]:
    """(chips put in by seat 0, by seat 1, the winner or -1 for a tie, whether there was a showdown).

    Args:
        values: of the ten cards.
        kinds: what plays in each seat.
        opener: the seat that opens every street.
        carried: chips in the pot from hands before.
        state: chance for ``balance``.
        sizes: room for MAX_RAISES numbers.
        trace: room for MOST_MOVES moves, which are written into it.
    """
    put0, put1, up0, up1 = BUY_IN, BUY_IN, values[1], values[6]
    raiser = moves = known = 0
    standing = LEVEL
    for street in range(1, STREETS + 1):
        up0 += values[street + 1]
        up1 += values[street + 6]
        seat, prior, raises, last_raiser, checked = opener, NO_PRIOR, 0, 0, False
        while True:
            lead = up0 - up1 if seat == 0 else up1 - up0
            hole, kind = values[CARDS * seat], kinds[seat]
            if kind == ALPHA:
                move = alpha_move(street == STREETS, prior, raises, hole + lead, put0 + put1 + carried)
            elif kind == BALANCE:
                place = balance_place(policy.steps, street, checked, sizes, raises, state)
                open_lead = lead if seat == opener else -lead
                start = balance_start(policy, street, carried, known, raiser, standing, open_lead, hole, place)
                move = balance_draw(policy.weights, start, state)
            else:
                move = MAX_RAISE if kind == MANIAC and raises < MAX_RAISES else 0
            trace[moves] = move
            moves += 1
            if move < 0:
                return put0, put1, 1 - seat, False
            chips = move + max(prior, 0)
            if seat == 0:
                put0 += chips
            else:
                put1 += chips
            if move == 0 and prior >= 0:
                break
            if move:
                sizes[raises] = move
                raises += 1
                last_raiser = 1 if seat == opener else 2
            else:
                checked = True
            prior, seat = move, 1 - seat
        raiser = last_raiser
        for i in range(raises):
            known += 10 if sizes[i] >= KNOWN_BIG else 1
        open_lead = up0 - up1 if opener == 0 else up1 - up0
        standing = BEHIND if open_lead <= -CLEAR_LEAD else AHEAD if open_lead >= CLEAR_LEAD else LEVEL
    total0, total1 = values[0] + up0, values[5] + up1
    return put0, put1, 0 if total0 > total1 else 1 if total1 > total0 else -1, True


@compiled
def gain_of(put0: int, put1: int, winner: int, carried: int) -> int:
    """Seat 0's gain in a hand, half of a pot carried over counted as each seat's: tied hands are put in alike."""
    if winner < 0:
        return (put1 - put0) // 2
    return put1 + carried // 2 if winner == 0 else -put0 - carried // 2


@compiled
def _play_games(kinds: Ints, cards: NDArray[np.int8], seed: np.uint64, policy: Policy) -> Ints:
    ends = np.zeros((cards.shape[0], 4), np.int64)
    values, sizes, trace = np.empty(10, np.int64), np.zeros(MAX_RAISES, np.int64), np.empty(MOST_MOVES, np.int8)
    state = new_chance(seed)
    for game in range(cards.shape[0]):
        carried = 0
        for number in range(cards.shape[1]):
            for i in range(10):
                values[i] = cards[game, number, i]
            put0, put1, winner, shown = play_hand(values, kinds, number & 1, carried, policy, state, sizes, trace)
            pot = put0 + put1 + carried
            ends[game, GAIN] += gain_of(put0, put1, winner, carried)
            carried = pot if winner < 0 else 0
            ends[game, POTS] += pot
            if not shown:
                ends[game, FOLDS_0 if winner else FOLDS_1] += 1
    return ends


@compiled
def _trace_hands(
    kinds: Ints, cards: NDArray[np.int8], openers: Ints, carried: Ints, seed: np.uint64, policy: Policy
) -> NDArray[np.int8]:
    traces = np.full((cards.shape[0], MOST_MOVES), NO_MOVE, np.int8)
    values, sizes, state = np.empty(10, np.int64), np.zeros(MAX_RAISES, np.int64), new_chance(seed)
    for hand in range(cards.shape[0]):
        for i in range(10):
            values[i] = cards[hand, i]
        play_hand(values, kinds, openers[hand], carried[hand], policy, state, sizes, traces[hand])
    return traces
