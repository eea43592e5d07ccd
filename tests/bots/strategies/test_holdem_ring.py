"""``holdem`` at no-limit tables: what it sees of others, its models of the house's bots, and hands played out."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from bots.arena import play_hands
from bots.strategies.caller import Caller
from bots.strategies.holdem.best import Holdem
from bots.strategies.holdem.chart import chart_of
from bots.strategies.holdem.preflop import CLASSES, class_of, win_rates
from bots.strategies.holdem.ring_cards import Pool, seen_at_first
from bots.strategies.holdem.ring_kernel import (
    BOLD,
    CALLER,
    CAREFUL,
    CATEGORY,
    CHART,
    CORNELL,
    EVEN,
    KIND_COUNT,
    LOOKS,
    LUCK,
    MANIAC,
    MOST_RIVALS,
    NOTHING,
    ODD_SIZE,
    POWER,
    RIVER,
    ROWS,
    RUNGS,
    SEATS,
    SIMPLE,
    SKLANSKY,
    STEPS,
    TABLE,
    TIGHT,
    WIDTH,
    Dealt,
    Known,
    chart,
    floats,
    ints,
    plan,
    play_on,
    power,
    strength,
    weigh,
)
from bots.strategies.holdem.ring_kinds import Ask, curves, gives_up, rates, respect
from bots.strategies.holdem.ring_player import ALIKE, Company, RingPlayer, RingRead
from bots.strategies.holdem.ring_watch import Deed, Watch, order_of
from bots.strategies.holdem.royale import power_index
from bots.strategies.tight import Tight
from bots.strategy import Strategy
from protocol.cards import DECK, Card, parse_cards
from protocol.games.base import FOLD, Action, Bet
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import BOARD, HoldemHand
from protocol.games.holdem_turn import HoldemTurn, SeatView
from protocol.games.poker_strength import card_bits, poker_strength
from protocol.installed_bots import load_bot

SMALL, BIG = 5, 10
BETTING = Betting("no-limit", BIG, BIG)


def dealt(rng: Random, least: int = 200, most: int = 1000) -> HoldemHand:
    """A hand with blinds between three to seven seats."""
    seats = rng.randint(3, 7)
    stacks = [rng.randint(least, most) for _ in range(seats)]
    button = rng.randrange(seats)
    blinds = [0] * seats
    blinds[(button + 1) % seats], blinds[(button + 2) % seats] = SMALL, BIG
    return deal(rng.sample(DECK, 52), stacks, BETTING, button=button, blinds=blinds)


def any_action(hand: HoldemHand, rng: Random) -> Action:
    legal = hand.legal()
    choice = rng.randrange(6)
    if choice == 0 and legal.to_call:
        return FOLD
    if choice == 1 and legal.raises:
        return Bet(min(legal.raises[-1], legal.raises[0] + rng.randrange(40)))
    return Bet(legal.to_call)


def chips_of(action: Action) -> int | None:
    return action.amount if isinstance(action, Bet) else None


def questions(rng: Random, hands: int) -> list[tuple[HoldemTurn, Ask]]:
    """Questions of many hands, each with what the model of the seat that is asked is told."""
    found = []
    for _ in range(hands):
        hand = dealt(rng)
        watches = [Watch((SMALL, BIG), BIG) for _ in hand.stacks]
        while (seat := hand.to_act) is not None:
            turn = hand.view(seat)
            watches[seat].deeds(turn, seat)
            found.append((turn, watches[seat].ask(seat)))
            action = any_action(hand, rng)
            watches[seat].acted(seat, chips_of(action))
            hand = hand.apply(action)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_sees_what_the_others_did(seed: int) -> None:
    """The actions of every hand, as the rules tell them, are those found between the questions of one seat."""
    rng = Random(seed)
    hand = dealt(rng)
    own = rng.randrange(len(hand.stacks))
    watch, asked = Watch((SMALL, BIG), BIG), 0
    done: list[tuple[int, int | None, int, int]] = []
    found: list[Deed] = []
    while (seat := hand.to_act) is not None:
        action = any_action(hand, rng)
        if seat == own:
            found += watch.deeds(hand.view(own), own)
            assert (watch.pot, watch.highest) == (hand.pot, hand.highest)
            asked = len(done)
            watch.acted(own, chips_of(action))
        else:
            done.append((seat, chips_of(action), hand.legal().to_call, hand.pot))
        hand = hand.apply(action)
    assert [(deed.seat, deed.chips, deed.ask.owed, deed.ask.pot) for deed in found] == done[:asked]


def looks(hole: tuple[Card, Card], board: tuple[Card, ...], looks_at: int) -> int:
    """What a player sees in cards that does not go by its win rate after the flop."""
    if not board or looks_at == NOTHING:
        return seen_at_first(*hole)[looks_at]
    if looks_at == CHART:
        return chart(card_bits(hole), card_bits(board), len(board) == BOARD[-1])
    assert looks_at == POWER
    return power(card_bits(hole), card_bits(board))


def planned(kind: int, ask: Ask) -> tuple[int, int, int, int, int]:
    return plan(kind, ask.street, ask.rivals, ask.owed, ask.pot, ask.stack, ask.asked)


def shares_of(row: int, value: int) -> float:
    return curves()[row * WIDTH + value]


@pytest.mark.parametrize(("name", "kind"), [("tight", TIGHT), ("caller", CALLER), ("maniac", MANIAC)])
def test_models_of_bots_without_chance_are_those_bots(name: str, kind: int) -> None:
    """At every first question of a street the model puts in what the bot does."""
    maker, rng = load_bot(name), Random(7)
    checked = 0
    for turn, ask in questions(rng, 15):
        if ask.asked > 1:
            continue
        done = chips_of(maker(Random(1)).decide(turn))
        looks_at, raise_row, stay_row, low, _ = planned(kind, ask)
        value = looks(turn.hole, turn.board, looks_at)
        if shares_of(raise_row, value) and ask.least:
            assert done == min(max(low, ask.least), ask.stack)
        else:
            stays = max(shares_of(raise_row, value), shares_of(stay_row, value))
            assert done == (ask.owed if stays or not ask.owed else None)
        checked += 1
    assert checked > 30


@pytest.mark.parametrize(
    ("name", "kind", "later"), [("simple", SIMPLE, True), ("cornell", CORNELL, False), ("sklansky", SKLANSKY, False)]
)
def test_models_of_bots_with_chance_act_as_often(name: str, kind: int, later: bool) -> None:
    maker, rng, tries = load_bot(name), Random(8), 150
    for turn, ask in rng.sample([one for one in questions(rng, 40) if one[1].street == 1 or later], 25):
        bot: Strategy = maker(Random(3))
        done = Counter(chips_of(bot.decide(turn)) for _ in range(tries))
        looks_at, raise_row, stay_row, *_ = planned(kind, ask)
        value = looks(turn.hole, turn.board, looks_at)
        raises, stays = shares_of(raise_row, value), shares_of(stay_row, value)
        # four standard errors
        off = 4 * 0.5 / tries**0.5
        if ask.owed:
            assert done[None] / tries == pytest.approx(1 - max(raises, stays), abs=off)
        called = (max(raises, stays) if ask.owed else 1.0) - (raises if ask.least else 0.0)
        assert done[ask.owed] / tries == pytest.approx(called, abs=off)


def test_what_simple_sees_is_its_power_index() -> None:
    hole, board = parse_cards("AS 9H"), parse_cards("AC 7D 2H")
    assert power_index((*hole, *board)) == 2
    assert power(card_bits(hole), card_bits(board)) == 1
    assert power(card_bits(hole), card_bits(parse_cards("7C 7D 2H"))) == 4


@pytest.mark.parametrize("count", [5, 6, 7])
def test_strengths_are_in_the_order_of_the_rules(count: int) -> None:
    rng = Random(count)
    hands = [rng.sample(DECK[:20] if number % 2 else DECK, count) for number in range(400)]
    found = [strength(card_bits(hand)) for hand in hands]
    expected = [poker_strength(hand) for hand in hands]
    for (one, first), (other, second) in pairwise(sorted(zip(found, expected, strict=True))):
        assert (one < other, one == other) == (first < second, first == second)
    assert [one >> CATEGORY for one in found] == [one >> 40 for one in expected]


def test_the_chart_is_that_of_tight() -> None:
    rng, words = Random(3), ("weak", "fair", "strong")
    for number in range(600):
        first, second, *board = rng.sample(DECK, 5 + number % 3)
        found = chart(card_bits((first, second)), card_bits(board), len(board) == BOARD[-1])
        assert words[found] == chart_of((first, second), board)


def test_chances_of_all_answers_add_up_to_one() -> None:
    for _, ask in questions(Random(5), 1):
        weights = []
        answers = [None, *range(ask.owed, ask.stack + 1)] if ask.owed else list(range(ask.stack + 1))
        for chips in answers:
            one = floats([1.0] * KIND_COUNT)
            weigh(one, ints([0] * LOOKS), curves(), ask, -1 if chips is None else chips)
            if chips is None or chips <= ask.owed or (ask.least and chips >= ask.least):
                weights.append(list(one))
        for total in map(sum, zip(*weights, strict=True)):
            assert total == pytest.approx(1, abs=0.06 + ODD_SIZE * ask.stack)


def test_curves_say_how_often() -> None:
    assert all(0 <= share <= 1 + 1e-9 for share in curves())
    assert len(curves()) == ROWS * WIDTH


def test_bolder_players_raise_more_often() -> None:
    ask = Ask(2, 1, 0, 30, 500, 10, 500, 1)
    rows = [planned(kind, ask)[1] for kind in (CAREFUL, EVEN, BOLD)]
    often = [shares_of(row, STEPS * 35 // 100) for row in rows]  # a win rate of 35 %: too little to raise for sure
    assert often == sorted(often)
    assert often[0] < often[-1] - 0.2


def test_win_rates_before_the_flop() -> None:
    table = win_rates()
    first, second = parse_cards("AS AH")
    aces = table[class_of(first, second)]
    assert aces[1] == pytest.approx(0.852, abs=0.01)
    assert aces[5] == pytest.approx(0.49, abs=0.02)
    assert len(table) == CLASSES
    for row in table:
        assert list(row) == sorted(row, reverse=True)
        assert len(row) == MOST_RIVALS + 1


def dealt_cards(hand: HoldemHand, order: list[int], pool: Pool, kinds: list[int]) -> Dealt:
    """The cards of a hand between players of these kinds: theirs take the first places of the pool."""
    count, board = len(hand.stacks), hand.deck[2 * len(hand.stacks) : 2 * len(hand.stacks) + 5]
    assert len(order) <= count
    for player, seat in enumerate(order):
        pool.holes[player] = card_bits(hand.hole(seat))
    return Dealt(
        ints([1]),
        ints([]),
        ints([0] * TABLE),
        ints([*kinds, *[0] * SEATS]),
        ints(range(SEATS)),
        ints([0, 0, *(card_bits(board[: BOARD[street]]) for street in range(2, RIVER + 1))]),
        floats([0.5] * LUCK),
        ints([0] * (RUNGS * (RIVER + 1))),
        ints([-1] * (SEATS * (RIVER + 1))),
    )


def looked_at(hand: HoldemHand, order: list[int]) -> list[int]:
    """What is seen in the cards of each: only the chart counts here."""
    found = []
    for seat in order:
        row = [0] * LOOKS
        first, second = hand.hole(seat)
        row[CHART] = looks((first, second), hand.board, CHART)
        found += row
    return found


@pytest.mark.parametrize("seed", range(60))
def test_a_hand_is_played_out_as_the_rules_have_it(seed: int) -> None:
    """The own seat goes all in; callers and bots by the chart answer as they would at a table."""
    rng = Random(2000 + seed)
    hand = dealt(rng)
    watch = Watch((SMALL, BIG), BIG)
    for _ in range(rng.randrange(6)):
        if hand.to_act is not None:
            hand = hand.apply(any_action(hand, rng))
    if hand.to_act is None or not hand.legal().raises:
        return
    me = hand.to_act
    watch.deeds(hand.view(me), me)
    order = order_of(hand.live, hand.button)
    kinds = [rng.choice((CALLER, TIGHT)) for _ in order]
    pool = Pool(hand.hole(me), Random(1))
    way, before, chips = dealt_cards(hand, order, pool, kinds), hand.stacks[me], hand.legal().raises[-1]
    watch.stacks, watch.put, watch.pending = list(hand.stacks), list(hand.put), list(hand.queue)
    watch.starting, watch.live, watch.asked = list(hand.starting), list(hand.live), [0] * len(hand.stacks)
    watch.pot, watch.street, watch.highest, watch.full_raise = hand.pot, hand.number, hand.highest, hand.full_raise
    table = watch.table(order, me)
    now = ints([*looked_at(hand, order), *[0] * (LOOKS * len(pool.holes))])
    known = Known(table, pool.holes, now, rates(), curves(), respect(), gives_up(), ints([]), floats([]), 0)
    won = play_on(known, way, chips)
    bots = {seat: (Caller if kind == CALLER else Tight)(Random(1)) for seat, kind in zip(order, kinds, strict=True)}
    hand = hand.apply(Bet(chips))
    while (seat := hand.to_act) is not None:
        hand = hand.apply(bots[seat].decide(hand.view(seat)))
    # the rules give odd chips to one winner, a playout divides them
    assert won == pytest.approx(hand.stacks[me] + hand.settle().shares[me] - before, abs=len(hand.stacks))


def test_cards_fit_what_was_seen_before_and_after_the_flop() -> None:
    rng = Random(1)
    hole, board = parse_cards("7S 2H"), parse_cards("AS 9C 4D")
    pool = Pool(hole, rng)
    read, trust = RingRead(pool), [float(kind == TIGHT) for kind in range(KIND_COUNT)]
    watch = Watch((SMALL, BIG), BIG)
    seats = (SeatView(970, 30, "live"), SeatView(1000, 0, "live"), SeatView(1000, 0, "live"))
    (deed,) = watch.deeds(HoldemTurn(1, 1000, 45, 30, (hole[0], hole[1]), (), 50, 1000, seats, 0), 1)
    assert (deed.seat, deed.chips) == (0, 30)
    read.saw(deed._replace(chips=35))
    for street, seen in ((1, ()), (2, board)):
        pool.turn_to(street, seen)
        limits = floats([0.0] * (KIND_COUNT * pool.size))
        read.add_up(limits, 0, trust)
        parts = [after - before for before, after in pairwise([0.0, *limits])]
        strong = sum(
            part
            for place, part in enumerate(parts)
            if seen_at_first(*cards_of(pool.holes[place % pool.size]))[CHART] == 2
        )
        assert strong > 0.8 * limits[-1]
        on_board = sum(part for place, part in enumerate(parts) if pool.holes[place % pool.size] & card_bits(seen))
        assert on_board == pytest.approx(0)


def cards_of(hole: int) -> tuple[Card, Card]:
    first, second = (card for card in DECK if card_bits([card]) & hole)
    return first, second


def test_learns_of_which_kind_players_are() -> None:
    company, rng = Company(ALIKE), Random(1)
    for turn, ask in [one for one in questions(rng, 25) if one[1].owed][:30]:
        pool = Pool(turn.hole, rng)
        pool.turn_to(turn.street, turn.board)
        read = RingRead(pool)
        read.saw(Deed(1, ask, ask.owed))
        company.learn(1, read.evidence(None))
    assert max(range(KIND_COUNT), key=lambda kind: company.trust(1)[kind]) == CALLER
    assert company.trust(2)[CALLER] > 2 / KIND_COUNT, "players at a table are often alike"


def test_the_best_cards_raise_and_the_worst_fold() -> None:
    board = parse_cards("QS JS 10S 2C 3D")
    seats = (SeatView(500, 0, "live"), SeatView(400, 100, "live"), SeatView(500, 0, "folded"))
    for hole, raises in (("AS KS", True), ("4H 5D", False)):
        first, second = parse_cards(hole)
        player = RingPlayer((SMALL, BIG), BIG, Random(1))
        turn = HoldemTurn(4, 500, 200, 100, (first, second), board, 200, 500, seats, 2)
        action = player.decide(turn, 0, int)
        assert isinstance(action, Bet) == raises
        assert not raises or action.amount > turn.owed  # type: ignore[union-attr]


@pytest.mark.parametrize("reset", [0, 1])
def test_plays_at_tables_of_any_size(reset: int) -> None:
    game = HoldemGame(reset_stacks=reset, stack=300)
    bots = [Holdem(Random(1)), *[load_bot(name)(Random(2)) for name in ("caller", "maniac", "random", "tight")]]
    assert len(list(play_hands(game, bots, b"ring", 12, bool(reset)))) == 12
