"""How a hand may go on, by the thousand: compiled where numba is installed, plain Python elsewhere.

A table is a no-limit one, or one where betting goes in loops and every raise has one size.

Cards are bits of one int, as ``poker_strength.card_bits`` has them. Arrays are flat, so that lists do as well where
nothing is compiled. Everything compiled is in this one file: numba's cache on disk notices no edit anywhere else.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
Ints = list[int]
Floats = list[float]

try:
    import numpy as np

    from protocol.games.kernels.compiling import compiled

    COMPILED = True
except ImportError:  # the base install has neither numpy nor numba
    COMPILED = False

    def compiled(function: F) -> F:
        """Leave a function as it is."""
        return function


def ints(values: Iterable[int]) -> Ints:
    """An array of whole numbers."""
    return cast("Ints", np.array(list(values), np.int64)) if COMPILED else list(values)


def floats(values: Iterable[float]) -> Floats:
    """An array of other numbers."""
    return cast("Floats", np.array(list(values), np.float64)) if COMPILED else list(values)


def no_ints(count: int) -> Ints:
    """An array of so many zeros."""
    return cast("Ints", np.zeros(count, np.int64)) if COMPILED else [0] * count


def no_floats(count: int) -> Floats:
    """The same of other numbers."""
    return cast("Floats", np.zeros(count, np.float64)) if COMPILED else [0.0] * count


#: The street after which no cards are dealt.
RIVER = 4
#: Places of players in the arrays below.
SEATS = 24
#: What is looked at in cards, see ``ring_kinds``: nothing, win rates against 1 to 9 others, and so on.
NOTHING, CHART, POWER, GROUP = 0, 10, 11, 12
MOST_RIVALS, LOOKS = 9, 13
#: Win rates are told apart in so many steps, and a curve says how often something is done at each, or in each group.
STEPS, WIDTH = 40, 41

#: Where the numbers of a table are in its array: the own seat, the number of players and of those who have not folded,
#: all chips put in, the most that one has put in on the street, the last full raise, the least bet, the street, and
#: whether nobody bet on the street before.
ME, PLAYERS, LIVE, POT, HIGHEST, FULL_RAISE, BIG_BLIND, STREET, QUIET = range(9)
#: ... where betting goes in loops: how often each is asked on a street, at most (0 at other tables), which loop is
#: under way, from 1, and whether somebody has raised in it.
LOOPS, LOOP, LOOP_RAISED = range(9, 12)
#: ... and where by player: chips left, put in on the street and in the hand, times asked on the street, whether it has
#: not folded, has still to act, and has raised in the hand.
LEFT, PUT, SPENT, ASKED, IN, TO_ACT, RAISED = range(12, 12 + 7 * SEATS, SEATS)
TABLE = 12 + 7 * SEATS

#: The kinds of players, see ``ring_kinds``.
CAREFUL, EVEN, BOLD, SKLANSKY, SIMPLE, CORNELL, TIGHT, CALLER, MANIAC, RANDOM, EQUITY, PRICE, WILD = range(13)
KIND_COUNT = 13

#: The own play later in the hand: bets the pot with this many times an equal share of it, once a street, ...
RAISES = 1.4
#: ... and calls when its chance is this much above the price.
MARGIN = 0.05
#: The part of the pot that is bet where nobody seems to have good cards.
BLUFF = 0.6
#: The own play later in the hand where betting goes in loops, see ``loop_places``: places among all cards are parts of
#: so many, and rivals are told apart up to so many.
PLACES, MOST_IN_LOOPS = 40, 4
#: From this part of the pot after a call on, what is owed is much.
DEAR = 0.12
#: Chance numbers of a deal. The player, street and question say which one decides, so that two choices meet the same
#: luck; few of them share a number.
LUCK = 61
#: Cards that say how many are worse than others on a board.
RUNGS = 48 if COMPILED else 24
#: How often an opponent's cards are drawn before any do that nobody else holds.
TRIES = 6

#: First rows of curves, by what they are for; two rows stand together where one says how often a player raises, and
#: the next how often it raises or calls.
NEVER, ALWAYS = 0, 1
BY_GUTS = 2
BY_GROUP = BY_GUTS + 12
SIMPLE_FIRST = BY_GROUP + 2
SIMPLE_LATER = SIMPLE_FIRST + 2
BY_SIZE = SIMPLE_LATER + 2
BY_CHART = BY_SIZE + 16
THIRD, TWO_THIRDS, QUARTER, THREE_FIFTHS = range(BY_CHART + 2, BY_CHART + 6)
EQUITY_RAISES = THREE_FIFTHS + 1
PRICE_RAISES = EQUITY_RAISES + MOST_RIVALS + 1
ABOVE = PRICE_RAISES + MOST_RIVALS + 1
ROWS = ABOVE + 2 * STEPS

#: Chips of a raise: of the players of Casino Royale, and of those who name a fixed number.
ROYALE_RAISE, TINY = 25, 10
#: By ``cornell``: a bet of at most this part of the stack is small, of at least the other one large; its own bets.
SMALL_PART, LARGE_PART, LEAST_BET, MOST_BET = 0.04, 0.2, 0.02, 0.10
#: ``tight`` calls one part in so many of the pot with fair cards.
FAIR_SHARE = 3
#: How much more than the price ``equity`` and its wider likeness ask of a call.
EQUITY_MARGIN, PRICE_MARGIN = 0.05, 0.12
#: How often a player is taken to do what its kind does not explain, so that no kind is ever ruled out.
SLIP = 0.012
#: How likely a raise of a size is that a kind does not make.
ODD_SIZE = 0.001

_SUIT, _RANKS, _ACE = 16, (1 << 15) - 4, 14
_PAIR, _TWO_PAIR, _THREE, _STRAIGHT, _FLUSH, _FULL_HOUSE, _FOUR, _STRAIGHT_FLUSH = range(1, 9)
#: Bits below the category in a strength, and below the ranks that count first.
CATEGORY, _FIRST = 30, 15
_COUNT = ints(mask.bit_count() for mask in range(1 << _FIRST))
_WEAK, _FAIR, _STRONG = range(3)
#: The generator of ``drand48``: its numbers are the same compiled or not.
_FACTOR, _ADDED, _MODULUS = 25214903917, 11, 1 << 48


class Known(NamedTuple):
    """What is fixed while the ways on from one question are tried.

    Attributes:
        start: the table, as the constants above lay it out.
        holes: cards that may be held, the own ones last.
        now: what is seen in each of them on the street under way, ``LOOKS`` numbers each.
        rates: by street, number of others and step of a place: the win rate.
        curves: by row and value of what is looked at: how often something is done.
        respect: by kind: how many more rivals its raise is worth, to who has to answer it.
        gives_up: by kind: whether it mostly folds to a bet once it has not bet itself.
        loop_places: where the own later play calls and raises in loops, as ``loop_places`` has it.
        limits: by player, kind and cards: the weights so far.
        board: cards of it.
    """

    start: Ints
    holes: Ints
    now: Ints
    rates: Floats
    curves: Floats
    respect: Ints
    gives_up: Ints
    loop_places: Ints
    limits: Floats
    board: int


class Dealt(NamedTuple):
    """One way the cards may lie; everything is written anew for the next one.

    Attributes:
        chance: the state of the generator.
        deck: cards that nobody has seen.
        table: as the constants above lay it out.
        kinds: by player.
        places: of each player's cards among ``Known.holes``.
        boards: by street.
        luck: ``LUCK`` numbers from 0 to 1.
        rungs: by street: strengths of some cards in order; the first is -1 while they are unknown.
        steps: by street and player: the step of the place of its cards; -1 while it is unknown.
    """

    chance: Ints
    deck: Ints
    table: Ints
    kinds: Ints
    places: Ints
    boards: Ints
    luck: Floats
    rungs: Ints
    steps: Ints


@compiled
def draw(chance: Ints) -> float:
    """A number from 0 to 1."""
    chance[0] = (chance[0] * _FACTOR + _ADDED) & (_MODULUS - 1)
    return chance[0] / _MODULUS


@compiled
def _highest(ranks: int, count: int) -> int:
    for _ in range(_COUNT[ranks] - count):
        ranks &= ranks - 1
    return ranks


@compiled
def _straight(ranks: int) -> int:
    """The highest rank of a straight as a bit; 0 if there is none."""
    ranks |= (ranks >> _ACE & 1) << 1
    rows = ranks & ranks << 1
    rows &= rows << 2
    rows &= ranks << 4
    return _highest(rows, 1)


@compiled
def strength(bits: int) -> int:  # noqa: PLR0911 - one for each category
    """A number that is larger for stronger cards and equal for those that share; the category is above ``CATEGORY``."""
    clubs, diamonds = bits & _RANKS, bits >> _SUIT & _RANKS
    hearts, spades = bits >> 2 * _SUIT & _RANKS, bits >> 3 * _SUIT & _RANKS
    ranks = clubs | diamonds | hearts | spades
    for suit in (clubs, diamonds, hearts, spades):
        if _COUNT[suit] >= 5:
            row = _straight(suit)
            return _STRAIGHT_FLUSH << CATEGORY | row if row else _FLUSH << CATEGORY | _highest(suit, 5)
    twice = clubs & diamonds | hearts & spades | (clubs | diamonds) & (hearts | spades)
    if not twice:
        row = _straight(ranks)
        return _STRAIGHT << CATEGORY | row if row else _highest(ranks, 5)
    thrice = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    four = clubs & diamonds & hearts & spades
    if four:
        return _FOUR << CATEGORY | four << _FIRST | _highest(ranks & ~four, 1)
    if thrice and _COUNT[twice] > 1:
        three = _highest(thrice, 1)
        return _FULL_HOUSE << CATEGORY | three << _FIRST | _highest(twice & ~three, 1)
    row = _straight(ranks)
    if row:
        return _STRAIGHT << CATEGORY | row
    if thrice:
        return _THREE << CATEGORY | thrice << _FIRST | _highest(ranks & ~thrice, 2)
    if _COUNT[twice] == 1:
        return _PAIR << CATEGORY | twice << _FIRST | _highest(ranks & ~twice, 3)
    twice = _highest(twice, 2)
    return _TWO_PAIR << CATEGORY | twice << _FIRST | _highest(ranks & ~twice, 1)


@compiled
def _any_rank(bits: int) -> int:
    return (bits | bits >> _SUIT | bits >> 2 * _SUIT | bits >> 3 * _SUIT) & _RANKS


@compiled
def chart(hole: int, board: int, river: bool) -> int:
    """What ``chart_of`` says: 0 for weak cards, 1 for fair, 2 for strong ones."""
    shared = strength(board) >> CATEGORY
    if shared == _PAIR:  # any other pair makes two
        shared = _TWO_PAIR
    if strength(hole | board) >> CATEGORY > max(_PAIR, shared):
        return _STRONG
    mine, common = _any_rank(hole), _any_rank(board)
    top = _highest(common, 1)
    if _COUNT[mine] == 1:
        return _STRONG if mine > top else _FAIR
    paired = mine & common
    if paired:
        return _STRONG if paired & top else _FAIR
    if not river:
        for suit in range(4):
            if _COUNT[hole >> _SUIT * suit & _RANKS] == 2 and _COUNT[board >> _SUIT * suit & _RANKS] == 2:
                return _FAIR
    return _WEAK


@compiled
def power(hole: int, board: int) -> int:
    """What ``simple`` sees after the flop: see ``ring_kinds.POWER``."""
    all_of_them = strength(hole | board) >> CATEGORY
    if not all_of_them:
        return 0
    return min(3, all_of_them) + (3 if all_of_them == strength(board) >> CATEGORY else 0)


@compiled
def _sorted_rungs(rungs: Ints, start: int, holes: Ints, first: int, board: int) -> None:
    """Strengths of ``RUNGS`` cards that the board leaves possible, in order."""
    size = len(holes) - 1
    at = first
    for count in range(RUNGS):
        at = (at + 757) % size
        while holes[at] & board:
            at = (at + 1) % size
        found = strength(holes[at] | board)
        place = start + count
        while place > start and rungs[place - 1] > found:
            rungs[place] = rungs[place - 1]
            place -= 1
        rungs[place] = found


@compiled
def _worse(rungs: Ints, start: int, value: int) -> int:
    """How many rungs are less, halves counted twice: equal ones count half."""
    low, high = start, start + RUNGS
    while low < high:
        middle = (low + high) >> 1
        if rungs[middle] < value:
            low = middle + 1
        else:
            high = middle
    below = low - start
    equal = 0
    while low < start + RUNGS and rungs[low] == value:
        equal += 1
        low += 1
    return 2 * below + equal


@compiled
def look(holes: Ints, some: Ints, board: int, street: int, finals: Ints, rungs: Ints, now: Ints) -> None:
    """Write what is seen in each of ``some`` cards after the flop to ``now``; ``finals`` are boards that may follow."""
    for number in range(len(finals)):
        _sorted_rungs(rungs, number * RUNGS, holes, 31 * number, finals[number])
    sums = [0.0] * (MOST_RIVALS + 1)
    for place in range(len(some)):
        hole = some[place]
        if hole & board:
            continue
        at = place * LOOKS
        now[at + CHART], now[at + POWER] = chart(hole, board, street == RIVER), power(hole, board)
        for rivals in range(1, MOST_RIVALS + 1):
            sums[rivals] = 0.0
        count = 0
        for number in range(len(finals)):
            if hole & finals[number] & ~board:
                continue
            count += 1
            share = _worse(rungs, number * RUNGS, strength(hole | finals[number])) / (2 * RUNGS)
            product = 1.0
            for rivals in range(1, MOST_RIVALS + 1):
                product *= share
                sums[rivals] += product
        for rivals in range(1, MOST_RIVALS + 1):
            now[at + rivals] = min(STEPS - 1, int(sums[rivals] / max(1, count) * STEPS))


@compiled
def plan(  # noqa: PLR0911 - one for each kind
    kind: int, street: int, rivals: int, owed: int, pot: int, stack: int, asked: int
) -> tuple[int, int, int, int, int]:
    """What a kind of player does: what it looks at, the rows of curves by which it raises and stays, and its raises."""
    rivals = min(rivals, MOST_RIVALS)
    chips = owed + ROYALE_RAISE
    if kind == SKLANSKY and street == 1:
        return GROUP, BY_GROUP, BY_GROUP + 1, chips, chips
    if kind <= SKLANSKY:
        row = BY_GUTS + 4 * (EVEN if kind == SKLANSKY else kind) + 2 * (street == 1)
        return rivals, row, row + 1, chips, chips
    if kind == SIMPLE:
        row = SIMPLE_FIRST if street == 1 else SIMPLE_LATER
        return POWER, row, row + 1, chips, chips
    if kind == CORNELL:
        part = owed / stack
        size = 0 if not owed else 1 if part <= SMALL_PART else 2 if part < LARGE_PART else 3
        row = BY_SIZE + 8 * (street == 1) + 2 * size
        looks_at = GROUP if street == 1 else rivals
        return looks_at, row, row + 1, owed + int(stack * LEAST_BET), owed + int(stack * MOST_BET)
    if kind == TIGHT:
        raises = BY_CHART if asked <= 2 else NEVER
        stays = BY_CHART + 1 if owed <= pot / FAIR_SHARE else BY_CHART
        return CHART, raises, stays, 2 * owed + pot, 2 * owed + pot
    chips = owed + TINY
    if kind == CALLER:
        return NOTHING, NEVER, ALWAYS, chips, chips
    if kind == MANIAC:
        return NOTHING, ALWAYS if asked <= 3 else NEVER, ALWAYS, chips, chips
    if kind == RANDOM:
        return NOTHING, THIRD, TWO_THIRDS, chips, chips
    if kind == WILD:
        return NOTHING, QUARTER, THREE_FIFTHS, chips, stack
    whole = pot + owed
    price = owed / (pot + owed) + (EQUITY_MARGIN if kind == EQUITY else PRICE_MARGIN) if owed else 0.0
    stays = ABOVE + int(price * STEPS + 0.5)
    if kind == EQUITY:
        chips = owed + max(1, int(whole * 2 / 3))
        return rivals, EQUITY_RAISES + rivals, stays, chips, chips
    return rivals, PRICE_RAISES + rivals, stays, owed + max(1, int(whole * 0.4)), owed + max(1, int(whole * 1.2))


@compiled
def weigh(
    weights: Floats, now: Ints, curves: Floats, deed: tuple[int, int, int, int, int, int, int, int], chips: int
) -> None:
    """Multiply the weight of each kind and cards by how likely they put in so many chips; -1 is a fold.

    Args:
        weights: by kind and cards.
        now: as in ``Known``.
        curves: as in ``Known``.
        deed: street, rivals, chips owed, pot, stack, least and most of a raise, and times asked.
        chips: put in.
    """
    street, rivals, owed, pot, stack, least, most, asked = deed
    size = len(weights) // KIND_COUNT
    for kind in range(KIND_COUNT):
        looks_at, raise_row, stay_row, low, high = plan(kind, street, rivals, owed, pot, stack, asked)
        low, high = min(max(low, least), most), min(max(high, least), most)
        fits = 1.0
        if chips > owed:
            fits = 1 / (high - low + 1) if low <= chips <= high else ODD_SIZE
        for place in range(size):
            value = now[place * LOOKS + looks_at]
            raises = curves[raise_row * WIDTH + value]
            often = max(raises, curves[stay_row * WIDTH + value])
            if chips < 0:
                often = 1 - often
            elif chips > owed:
                often = raises
            else:  # who may not fold or raise, calls
                often = (often if owed else 1.0) - (raises if least else 0.0)
            weights[kind * size + place] *= (SLIP / 3 + (1 - SLIP) * often) * fits


@compiled
def add_weights(weights: Floats, holes: Ints, board: int, totals: Floats) -> None:
    """Write the sum of weights of each kind, without cards on the board."""
    size = len(weights) // KIND_COUNT
    for kind in range(KIND_COUNT):
        total = 0.0
        for place in range(size):
            if not holes[place] & board:
                total += weights[kind * size + place]
        totals[kind] = total


@compiled
def add_up(limits: Floats, player: int, weights: Floats, trust: Floats, holes: Ints, board: int) -> None:
    """Write the sums of weights so far for a player, without cards on the board."""
    size = len(weights) // KIND_COUNT
    at, total = player * size * KIND_COUNT, 0.0
    for kind in range(KIND_COUNT):
        for place in range(size):
            if not holes[place] & board:
                total += trust[kind] * weights[kind * size + place]
            limits[at] = total
            at += 1


@compiled
def _drawn(known: Known, dealt: Dealt, player: int) -> int:
    """A kind and cards of a player, as one number."""
    size = (len(known.holes) - 1) * KIND_COUNT
    start = player * size
    low, high = start, start + size - 1
    wanted = draw(dealt.chance) * known.limits[high]
    while low < high:
        middle = (low + high) >> 1
        if known.limits[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low - start


@compiled
def deal(known: Known, dealt: Dealt) -> None:
    """Deal the rest of the board, then everybody's cards."""
    start, holes, street = known.start, known.holes, known.start[STREET]
    own, board, deck = len(holes) - 1, known.board, dealt.deck
    missing = 5 if street == 1 else RIVER - street
    dealt.boards[street] = board
    for place in range(missing):
        other = place + int(draw(dealt.chance) * (len(deck) - place))
        deck[place], deck[other] = deck[other], deck[place]
        board |= deck[place]
        if missing - place <= 3:
            dealt.boards[RIVER - missing + place + 1] = board
    used = holes[own] | board
    for player in range(start[PLAYERS]):
        if player == start[ME]:
            dealt.places[player] = own
            continue
        found = _drawn(known, dealt, player)
        dealt.kinds[player] = found // own
        for _ in range(TRIES):
            if not holes[found % own] & used:
                break
            found = _drawn(known, dealt, player)
            dealt.kinds[player] = found // own
        place = found % own
        while holes[place] & used:
            place = int(draw(dealt.chance) * own)
        dealt.places[player] = place
        used |= holes[place]
    for number in range(LUCK):
        dealt.luck[number] = draw(dealt.chance)
    for later in range(street + 1, RIVER + 1):
        dealt.rungs[later * RUNGS] = -1
        for player in range(start[PLAYERS]):
            dealt.steps[later * SEATS + player] = -1


@compiled
def seen(known: Known, dealt: Dealt, street: int, player: int, looks_at: int) -> int:
    """What is seen in the cards of a player on a street."""
    place = dealt.places[player]
    if looks_at == NOTHING:
        return 0
    if street == known.start[STREET]:
        return known.now[place * LOOKS + looks_at]
    hole, board = known.holes[place], dealt.boards[street]
    if looks_at == CHART:
        return chart(hole, board, street == RIVER)
    if looks_at == POWER:
        return power(hole, board)
    step = dealt.steps[street * SEATS + player]
    if step < 0:
        if dealt.rungs[street * RUNGS] < 0:
            _sorted_rungs(dealt.rungs, street * RUNGS, known.holes, int(dealt.luck[0] * 97), board)
        step = min(STEPS - 1, _worse(dealt.rungs, street * RUNGS, strength(hole | board)) * STEPS // (2 * RUNGS))
        dealt.steps[street * SEATS + player] = step
    rate = known.rates[(street * (MOST_RIVALS + 1) + looks_at) * STEPS + step]
    return min(STEPS - 1, int(rate * STEPS))


@compiled
def pay(table: Ints, player: int, chips: int) -> None:
    """Let a player put in chips, as an answer."""
    table[ASKED + player] += 1
    if not chips:
        return
    table[LEFT + player] -= chips
    table[SPENT + player] += chips
    table[POT] += chips
    put = table[PUT + player] + chips
    table[PUT + player] = put
    if put > table[HIGHEST]:
        table[FULL_RAISE] = max(table[FULL_RAISE], put - table[HIGHEST])
        table[HIGHEST] = put
        table[RAISED + player] = table[LOOP_RAISED] = 1
        if table[LOOPS]:
            return
        for other in range(table[PLAYERS]):
            waits = table[IN + other] and table[LEFT + other] > 0 and other != player
            table[TO_ACT + other] = 1 if waits else 0


@compiled
def _can_be_called(table: Ints, player: int) -> bool:
    """Whether another player has chips for a raise."""
    for other in range(table[PLAYERS]):
        if other != player and table[IN + other] and table[LEFT + other] + table[PUT + other] > table[HIGHEST]:
            return True
    return False


@compiled
def _theirs(known: Known, dealt: Dealt, player: int, owed: int, least: int) -> int:
    """Chips that an opponent puts in; -1 for a fold."""
    table = dealt.table
    street, left, asked = table[STREET], table[LEFT + player], table[ASKED + player] + 1
    looks_at, raise_row, stay_row, low, high = plan(
        dealt.kinds[player], street, table[LIVE] - 1, owed, table[POT], left, asked
    )
    value = seen(known, dealt, street, player, looks_at)
    raises = known.curves[raise_row * WIDTH + value]
    drawn = dealt.luck[(13 * player + 3 * street + asked) % LUCK]
    if drawn < raises and least:
        size = low if low == high else low + int((high - low) * drawn / raises)
        return least if table[LOOPS] else min(max(size, least), left)
    stays = max(raises, known.curves[stay_row * WIDTH + value])
    return owed if drawn < stays or not owed else -1


@compiled
def _all_give_up(known: Known, dealt: Dealt) -> bool:
    """Whether all rivals have shown no interest in the pot, and mostly fold then."""
    table = dealt.table
    for player in range(table[PLAYERS]):
        if player == table[ME] or not table[IN + player]:
            continue
        if not known.gives_up[dealt.kinds[player]] or not (table[QUIET] or table[ASKED + player]):
            return False
    return True


@compiled
def _mine(known: Known, dealt: Dealt, owed: int, least: int) -> int:
    """Chips that the own later play puts in; -1 for a fold."""
    table = dealt.table
    me, rivals, respect = table[ME], table[LIVE] - 1, 0
    for player in range(table[PLAYERS]):
        if player != me and table[IN + player] and table[RAISED + player]:
            respect = max(respect, known.respect[dealt.kinds[player]])
    if least and not owed and _all_give_up(known, dealt):
        return min(max(int(BLUFF * table[POT]), least), table[LEFT + me])
    win = seen(known, dealt, table[STREET], me, min(MOST_RIVALS, rivals + respect)) / STEPS
    if least and table[ASKED + me] < 2 and win > RAISES / (rivals + 1):
        return min(max(2 * owed + table[POT], least), table[LEFT + me])
    return owed if not owed or win > owed / (table[POT] + owed) + MARGIN else -1


@compiled
def situation(dealt: Dealt, owed: int) -> int:
    """The line of ``Known.loop_places``: by street, by what is owed, and by rivals who raised and go by their cards."""
    table, kinds, strong = dealt.table, dealt.kinds, 0
    for player in range(table[PLAYERS]):
        kind = kinds[player]
        by_cards = kind not in (BOLD, MANIAC, RANDOM, EQUITY, PRICE, WILD)
        strong += player != table[ME] and table[IN + player] and table[RAISED + player] and by_cards
    price = 0 if not owed else 1 if owed < DEAR * (table[POT] + owed) else 2
    return 9 * (table[STREET] > 1) + 3 * price + min(strong, 2)


@compiled
def own_place(known: Known, dealt: Dealt) -> int:
    """The own place among all cards, of ``PLACES``: as many others with any cards are beaten as the win rate says."""
    table = dealt.table
    street, me, others = table[STREET], table[ME], min(table[LIVE] - 1, MOST_RIVALS)
    win = (seen(known, dealt, street, me, others) + 0.5) / STEPS
    if street != known.start[STREET]:
        step = dealt.steps[street * SEATS + me]
        win = known.rates[(street * (MOST_RIVALS + 1) + others) * STEPS + step]
    return int(win ** (1 / others) * PLACES)


@compiled
def _mine_in_loops(known: Known, dealt: Dealt, owed: int, least: int) -> int:
    """Chips that the own later play puts in where betting goes in loops; -1 for a fold."""
    rivals, place = dealt.table[LIVE] - 1, own_place(known, dealt)
    at = 2 * (MOST_IN_LOOPS * situation(dealt, owed) + min(rivals, MOST_IN_LOOPS) - 1)
    if least and place >= known.loop_places[at + 1]:
        return least
    return owed if not owed or place >= known.loop_places[at] else -1


@compiled
def offered(table: Ints, player: int) -> tuple[int, int]:
    """Chips that a player owes, and those of its least raise; 0 where there is none."""
    left = table[LEFT + player]
    owed = min(table[HIGHEST] - table[PUT + player], left)
    if left > owed and (not table[LOOPS] or table[LOOP] < table[LOOPS]) and _can_be_called(table, player):
        return owed, min(left, owed + table[FULL_RAISE])
    return owed, 0


@compiled
def ask(known: Known, dealt: Dealt, player: int) -> None:
    """Let a player act."""
    table = dealt.table
    table[TO_ACT + player] = 0
    owed, least = offered(table, player)
    if not owed and not least:
        return
    if player != table[ME]:
        chips = _theirs(known, dealt, player, owed, least)
    elif table[LOOPS]:
        chips = _mine_in_loops(known, dealt, owed, least)
    else:
        chips = _mine(known, dealt, owed, least)
    if chips < 0:
        table[IN + player] = 0
        table[LIVE] -= 1
    else:
        pay(table, player, chips)


@compiled
def _next_loop(table: Ints) -> bool:
    """Go on to the next loop; False where the street is over."""
    if not table[LOOP_RAISED] or table[LOOP] >= table[LOOPS]:
        return False
    table[LOOP] += 1
    table[LOOP_RAISED] = 0
    for player in range(table[PLAYERS]):
        table[TO_ACT + player] = 1 if table[IN + player] and table[LEFT + player] > 0 else 0
    return True


@compiled
def _next_street(table: Ints) -> bool:
    """Go on to the next street; False where at most one player could bet."""
    able = 0
    for player in range(table[PLAYERS]):
        able += table[IN + player] and table[LEFT + player] > 0
    if able < 2 or table[STREET] == RIVER:
        return False
    table[STREET] += 1
    table[QUIET] = 0 if table[HIGHEST] else 1
    table[HIGHEST], table[FULL_RAISE] = 0, table[BIG_BLIND]
    table[LOOP], table[LOOP_RAISED] = 1, 0
    for player in range(table[PLAYERS]):
        table[PUT + player] = table[ASKED + player] = 0
        table[TO_ACT + player] = 1 if table[IN + player] and table[LEFT + player] > 0 else 0
    return True


@compiled
def next_to_act(table: Ints, player: int) -> int:
    """The player who acts after another one, on this street or the next; -1 where nobody acts any more."""
    players = table[PLAYERS]
    while True:
        for _ in range(players):
            player = (player + 1) % players
            if table[TO_ACT + player]:
                return player
        if not _next_loop(table) and not _next_street(table):
            return -1
        player = players - 1


@compiled
def _showdown(known: Known, dealt: Dealt) -> float:
    """Chips collected; one who has put in less than others wins no more than that of each."""
    table, final = dealt.table, dealt.boards[RIVER]
    me, players = table[ME], table[PLAYERS]
    mine = strength(known.holes[dealt.places[me]] | final)
    won, below, dead = 0.0, 0, table[POT]
    for player in range(players):
        dead -= table[SPENT + player]
    while below < table[SPENT + me]:
        level = table[SPENT + me]
        for player in range(players):
            if table[IN + player] and table[SPENT + player] > below:
                level = min(level, table[SPENT + player])
        chips, sharing = dead, 1
        for player in range(players):
            chips += min(max(table[SPENT + player] - below, 0), level - below)
            if player != me and sharing and table[IN + player] and table[SPENT + player] >= level:
                theirs = strength(known.holes[dealt.places[player]] | final)
                sharing = 0 if theirs > mine else sharing + (theirs == mine)
        won += chips / sharing if sharing else 0.0
        dead, below = 0, level
    return won


@compiled
def play_on(known: Known, dealt: Dealt, chips: int) -> float:
    """As ``finish``, from the question in ``Known.start``."""
    for number in range(TABLE):
        dealt.table[number] = known.start[number]
    return finish(known, dealt, chips)


@compiled
def finish(known: Known, dealt: Dealt, chips: int) -> float:
    """Chips won by the end of the hand when so many are put in now, less those put in from now on.

    The table is that of an own question, and is written to.
    """
    table = dealt.table
    me = table[ME]
    first, player = table[LEFT + me], me
    table[TO_ACT + me] = 0
    pay(table, me, chips)
    while True:
        player = next_to_act(table, player)
        if player < 0:
            return _showdown(known, dealt) + table[LEFT + me] - first
        ask(known, dealt, player)
        if not table[IN + me]:
            return float(table[LEFT + me] - first)
        if table[LIVE] == 1:
            return float(table[POT] + table[LEFT + me] - first)


@compiled
def simulate(known: Known, dealt: Dealt, choices: Ints, deals: int, sums: Floats, squares: Floats) -> None:
    """Play on with each choice in the same deals, and add up what it wins.

    Args:
        known: what is fixed.
        dealt: is written to.
        choices: chips put in; -1 is a fold.
        deals: how many.
        sums: by choice, what it won.
        squares: by choice and choice, the squared differences.
    """
    count = len(choices)
    won = [0.0] * count
    for _ in range(deals):
        deal(known, dealt)
        for number in range(count):
            won[number] = 0.0 if choices[number] < 0 else play_on(known, dealt, choices[number])
            sums[number] += won[number]
        for number in range(count):
            for other in range(count):
                squares[number * count + other] += (won[number] - won[other]) ** 2
