"""``holdem`` at no-limit tables: what it sees of others, its models of the house's bots, and hands played out."""

from collections import Counter
from random import Random

import pytest

from bots.arena import play_hands
from bots.strategies.holdem import ring_playouts
from bots.strategies.holdem.best import Holdem
from bots.strategies.holdem.preflop import CLASSES, class_of, win_rates
from bots.strategies.holdem.ring_cards import Pool, Runout, Spot
from bots.strategies.holdem.ring_kinds import BLIND, CHART, KINDS, MOST_RIVALS, POWER, RESPECT, Ask, likelihoods
from bots.strategies.holdem.ring_player import RingPlayer
from bots.strategies.holdem.ring_playouts import LUCK, RingDeal, RingTable
from bots.strategies.holdem.ring_reads import Company, RingRead
from bots.strategies.holdem.ring_watch import Deed, RingWatch, order_of
from bots.strategies.holdem.royale import power_index
from bots.strategy import Strategy, load_maker
from protocol.cards import DECK, Card, parse_cards
from protocol.games.base import FOLD, Action, Bet
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import BOARD, HoldemHand
from protocol.games.holdem_turn import HoldemTurn, SeatView
from tests.bots.strategies.ring_series import payoff, play_seating
from tests.bots.strategies.royale_series import compiled_roll_outs

SMALL, BIG = 5, 10
BETTING = Betting("no-limit", BIG, BIG)
SKLANSKY, SIMPLE, CORNELL, TIGHT, CALLER, MANIAC, RANDOM = 3, 4, 5, 6, 7, 8, 9


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
        watches = [RingWatch(SMALL, BIG) for _ in hand.stacks]
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
    watch, asked = RingWatch(SMALL, BIG), 0
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


def pool_with(hole: tuple[Card, ...], board: tuple[Card, ...], rng: Random) -> Pool:
    pool = Pool(hole, rng)
    street = BOARD.index(len(board)) if board else 1
    pool.turn_to(street, board, lambda holes: [1.0] * len(holes))
    return pool


@pytest.mark.parametrize(("name", "kind"), [("tight", TIGHT), ("caller", CALLER), ("maniac", MANIAC)])
def test_models_of_bots_without_chance_are_those_bots(name: str, kind: int) -> None:
    """At every first question of a street the model puts in what the bot does."""
    rng = Random(7)
    checked = 0
    for turn, ask in questions(rng, 60):
        if ask.asked > 1:
            continue
        bot = load_maker(name)(Random(1))
        done = chips_of(bot.decide(turn))
        plan = KINDS[kind](ask)
        value = Spot(Pool(turn.hole, Random(1)), turn.street, turn.board).value_of(plan.looks_at, turn.hole)
        raises, stays = plan.limits[value]
        if raises and ask.least:
            assert done == min(max(plan.low, ask.least), ask.stack)
        else:
            assert done == (ask.owed if stays or not ask.owed else None)
        checked += 1
    assert checked > 100


@pytest.mark.parametrize(
    ("name", "kind", "later"), [("simple", SIMPLE, True), ("cornell", CORNELL, False), ("sklansky", SKLANSKY, False)]
)
def test_models_of_bots_with_chance_act_as_often(name: str, kind: int, later: bool) -> None:
    rng, tries = Random(8), 150
    for turn, ask in rng.sample([one for one in questions(rng, 40) if one[1].street == 1 or later], 25):
        bot: Strategy = load_maker(name)(Random(3))
        done = Counter(chips_of(bot.decide(turn)) for _ in range(tries))
        looks_at, likely = likelihoods(kind, ask, None)
        value = Spot(Pool(turn.hole, Random(1)), turn.street, turn.board).value_of(looks_at, turn.hole)
        if ask.owed:
            # four standard errors, and the slips that a model expects
            assert done[None] / tries == pytest.approx(likely[value], abs=4 * 0.5 / tries**0.5 + 0.03)
        _, calls = likelihoods(kind, ask, ask.owed)
        assert done[ask.owed] / tries == pytest.approx(calls[value], abs=4 * 0.5 / tries**0.5 + 0.03)


def test_what_simple_sees_is_its_power_index() -> None:
    hole, board = parse_cards("AS 9H"), parse_cards("AC 7D 2H")
    assert power_index((*hole, *board)) == 2
    assert Spot(Pool(hole, Random(1)), 2, board).value_of(POWER, hole) == 1
    shared = parse_cards("7C 7D 2H")
    assert Spot(Pool(hole, Random(1)), 2, shared).value_of(POWER, hole) == 4


def test_chances_of_all_answers_add_up_to_one() -> None:
    for _, ask in questions(Random(5), 10):
        for kind in range(len(KINDS)):
            plan = KINDS[kind](ask)
            folds = likelihoods(kind, ask, None)[1] if ask.owed else [0.0] * len(plan.limits)
            stays = likelihoods(kind, ask, ask.owed)[1]
            raises = [limit[0] if ask.least else 0.0 for limit in plan.limits]
            for total in (sum(one) for one in zip(folds, stays, raises, strict=True)):
                assert total == pytest.approx(1, abs=0.05)
            assert all(0 <= limit[0] <= limit[1] + 1e-9 for limit in plan.limits)
    assert len(RESPECT) == len(KINDS)


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


def at_question(hand: HoldemHand, me: int, order: list[int]) -> RingTable:
    return RingTable(
        order.index(me),
        [hand.stacks[seat] for seat in order],
        [hand.put[seat] for seat in order],
        [hand.starting[seat] - hand.stacks[seat] for seat in order],
        hand.pot,
        hand.number,
        [order.index(seat) for seat in hand.queue],
        [0 for _ in order],
        hand.highest,
        hand.full_raise,
        BIG,
        frozenset(),
        False,
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_hand_is_played_out_as_the_rules_have_it(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The own seat goes all in; callers and bots by the chart answer as they would at a table."""
    monkeypatch.setattr(ring_playouts, "BLIND", frozenset())
    rng = Random(2000 + seed)
    hand = dealt(rng)
    for _ in range(rng.randrange(6)):
        if hand.to_act is not None:
            hand = hand.apply(any_action(hand, rng))
    if hand.to_act is None or not hand.legal().raises:
        return
    me, count = hand.to_act, len(hand.stacks)
    order = order_of(hand.live, hand.button)
    kinds = [rng.choice((CALLER, TIGHT)) for _ in order]
    pool = Pool(hand.hole(me), Random(1))
    board = hand.deck[2 * count : 2 * count + 5]
    # the cards of the hand take the first places of the pool
    pool.cards[: len(order)] = [hand.hole(seat) for seat in order]
    pool.holes = [sum(1 << (16 * card.suit + card.rank) for card in pair) for pair in pool.cards]
    now = Spot(pool, hand.number, hand.board)
    runout = Runout(pool, now, board[len(hand.board) :])
    before, chips = hand.stacks[me], hand.legal().raises[-1]
    table = at_question(hand, me, order)
    won = table.play_on(chips, RingDeal(runout, kinds, list(range(len(order))), [0.5] * LUCK))
    bots = {seat: load_maker("caller" if kinds[order.index(seat)] == CALLER else "tight")(Random(1)) for seat in order}
    hand = hand.apply(Bet(chips))
    while (seat := hand.to_act) is not None:
        hand = hand.apply(bots[seat].decide(hand.view(seat)))
    # the rules give odd chips to one winner, a playout divides them
    assert won == pytest.approx(hand.stacks[me] + hand.settle().shares[me] - before, abs=count)


def test_guesses_of_beating_any_cards_are_right_on_average() -> None:
    hole = parse_cards("QS JH")
    for rivals in (1, 4):
        rng, found = Random(rivals), []
        for _ in range(20):
            pool = Pool(hole, rng)
            found += [pool.deal().beats(rivals) for _ in range(40)]
        # 800 boards have a standard error of about 1.3 %
        assert sum(found) / len(found) == pytest.approx(win_rates()[class_of(hole[0], hole[1])][rivals], abs=0.05)


def test_cards_fit_what_was_seen_before_and_after_the_flop() -> None:
    rng = Random(1)
    hole, board = parse_cards("7S 2H"), parse_cards("AS 9C 4D")
    pool = Pool(hole, rng)
    read, trust = RingRead(pool), [float(kind == TIGHT) for kind in range(len(KINDS))]
    watch = RingWatch(SMALL, BIG)
    seats = (SeatView(970, 30, "live"), SeatView(1000, 0, "live"), SeatView(1000, 0, "live"))
    (deed,) = watch.deeds(HoldemTurn(1, 1000, 45, 30, (hole[0], hole[1]), (), 50, 1000, seats, 0), 1)
    assert (deed.seat, deed.chips) == (0, 30)
    read.saw(deed._replace(chips=35))
    drawn = read.draws(trust, rng)
    strong = [pool.spot.value(CHART, next(drawn)[1]) for _ in range(200)]
    assert sum(value == 2 for value in strong) > 150
    assert pool.turn_to(2, board, lambda holes: read.fit(trust, holes))
    read.begin_anew()
    drawn = read.draws(trust, rng)
    groups = [Spot(pool, 1, ()).value(CHART, next(drawn)[1]) for _ in range(200)]
    assert sum(value == 2 for value in groups) > 180
    assert not pool.turn_to(2, board, lambda holes: [])


def test_learns_of_which_kind_players_are() -> None:
    company, rng = Company(), Random(1)
    for turn, ask in [one for one in questions(rng, 25) if one[1].owed][:30]:
        pool = pool_with(turn.hole, turn.board, rng)
        read = RingRead(pool)
        read.saw(Deed(1, ask, ask.owed))
        company.learn(1, read.evidence(None))
    assert max(range(len(KINDS)), key=lambda kind: company.trust(1)[kind]) == CALLER
    assert company.trust(2)[CALLER] > 2 / len(KINDS), "players at a table are often alike"


def test_the_best_cards_raise_and_the_worst_fold() -> None:
    board = parse_cards("QS JS 10S 2C 3D")
    seats = (SeatView(500, 0, "live"), SeatView(400, 100, "live"), SeatView(500, 0, "folded"))
    for hole, raises in (("AS KS", True), ("4H 5D", False)):
        first, second = parse_cards(hole)
        player = RingPlayer(SMALL, BIG, Random(1))
        turn = HoldemTurn(4, 500, 200, 100, (first, second), board, 200, 500, seats, 2)
        action = player.decide(turn, 0, int)
        assert isinstance(action, Bet) == raises
        assert not raises or action.amount > turn.owed  # type: ignore[union-attr]


@pytest.mark.parametrize("reset", [0, 1])
def test_plays_at_tables_of_any_size(reset: int) -> None:
    game = HoldemGame(reset_stacks=reset, stack=300)
    bots = [Holdem(Random(1)), *[load_maker(name)(Random(2)) for name in ("caller", "maniac", "random", "tight")]]
    assert len(list(play_hands(game, bots, b"ring", 12, bool(reset)))) == 12


def test_kinds_that_look_at_no_cards() -> None:
    for _, ask in questions(Random(5), 3):
        assert {kind for kind, plan in enumerate(KINDS) if len(plan(ask).limits) == 1} == BLIND
    assert {CALLER, MANIAC, RANDOM} <= BLIND


def test_hands_that_are_all_in_count_as_the_mean_of_many_boards() -> None:
    """As chips won by the exact equity of aces against kings, and as they were where no card decided."""
    known = parse_cards("AS AH KS KH 7C 2D")
    deck = [*known, *[card for card in DECK if card not in known]]
    hand = deal(deck, [100, 100, 100], BETTING, button=0, blinds=[0, SMALL, BIG])
    start = hand
    for action in (Bet(100), Bet(95), FOLD):
        last, hand = hand, hand.apply(action)
    assert hand.to_act is None
    found = [payoff(hand._replace(number=last.number), seat, Random(1)) for seat in range(3)]
    assert sum(found) == pytest.approx(0)
    assert found[0] == pytest.approx(0.82 * 210 - 100, abs=10)
    assert found[2] == -BIG
    for action in (FOLD, FOLD):
        last, start = start, start.apply(action)
    assert [payoff(start, seat, Random(1)) for seat in range(3)] == list(start.settle().payoffs)


@pytest.mark.slow
def test_a_series_tells_what_each_deal_won() -> None:
    with compiled_roll_outs():
        seating = play_seating(["caller"] * 6, 0, 3, "test")
    assert len(seating.won) == 3
    assert len(seating.seconds) >= 3
