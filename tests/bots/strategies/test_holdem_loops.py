"""``holdem`` where betting goes in loops: what it sees of others, what it makes of that, and hands played out."""

from collections.abc import Sequence
from random import Random

import pytest

from bots.arena import play_hands
from bots.strategies.holdem.best import Holdem
from bots.strategies.holdem.chances import RIVER, STEPS, chance, chances
from bots.strategies.holdem.habits import CALL, FOLD, FREE, KINDS, RAISE, Spot, moves_of, price_of, table_of
from bots.strategies.holdem.loop_deals import Dealing
from bots.strategies.holdem.loop_player import LoopPlayer
from bots.strategies.holdem.loop_playouts import LUCK, MARGIN, RAISES, Deal, LoopTable
from bots.strategies.holdem.loop_watch import Deed, LoopWatch
from bots.strategies.holdem.reads import POOL, Character, Pool, Read
from bots.strategies.holdem.rollouts import win_rate
from bots.strategy import load_maker
from protocol.cards import DECK, parse_cards
from protocol.games.base import FOLD as FOLDS
from protocol.games.base import Action, Bet
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import HoldemHand
from protocol.games.holdem_turn import HoldemTurn, SeatView
from protocol.games.poker_strength import poker_strength
from tests.bots.strategies.compiled_win_rate import win_rate as compiled_win_rate
from tests.bots.strategies.royale_series import ROYALE, endings

BET, LOOPS = 25, 3
BETTING = Betting("fixed-limit", BET, BET, loops=LOOPS)
CALLER, MANIAC = 6, 7


def dealt(rng: Random, most: int = 400) -> HoldemHand:
    """A hand in loops between a few seats with stacks of any size."""
    seats = rng.randint(2, 7)
    stacks = [rng.randint(1, most) for _ in range(seats)]
    return deal(rng.sample(DECK, 52), stacks, BETTING, button=rng.randrange(seats))


def choice_of(hand: HoldemHand, action: Action) -> int:
    if not isinstance(action, Bet):
        return FOLD
    return RAISE if action.amount > hand.legal().to_call else CALL


def action_for(hand: HoldemHand, choice: int) -> Action:
    """The action that a playout takes for a choice: who may not fold or raise, calls."""
    legal = hand.legal()
    if choice == FOLD and legal.to_call:
        return FOLDS
    return Bet(legal.raises[0]) if choice == RAISE and legal.raises else Bet(legal.to_call)


@pytest.mark.parametrize(("cards", "rivals"), [("AS AH", 1), ("QS JH", 4), ("9S 8S", 2)])
def test_chances_agree_with_roll_outs(cards: str, rivals: int) -> None:
    first, second = parse_cards(cards)
    seats = (SeatView(100, 0, "live"),) * (rivals + 1)
    turn = HoldemTurn(1, 100, 0, 0, (first, second), (), 10, 100, seats, 0)
    step = Pool((first, second), Random(1)).own_step
    # 2000 rounds have a standard error of 1 % at most; the rest is what the place alone does not tell
    assert chances(1, rivals)[step] == pytest.approx(win_rate(turn, Random(1), 2000), abs=0.1)


def test_chances_grow_with_the_place_and_fall_with_the_rivals() -> None:
    for street in range(1, RIVER + 1):
        for rivals in range(1, 9):
            assert all(
                one >= other for one, other in zip(chances(street, rivals), chances(street, rivals + 1), strict=True)
            )
        assert list(chances(street, 1)) == sorted(chances(street, 1))
    assert chance(0.5, RIVER, 3) == 0.125


def test_habits_are_chances() -> None:
    for kind in range(len(KINDS)):
        for street in range(1, RIVER + 1):
            for price in range(4):
                for last in (False, True):
                    for entry in table_of(kind, Spot(street, 3, price, last)):
                        assert sum(entry) == pytest.approx(1)
                        assert min(entry) >= 0
                        assert not (last and entry[RAISE])
                        assert not (price == FREE and entry[FOLD])


def test_who_reads_expects_slips_and_who_plays_out_does_not() -> None:
    spot = Spot(1, 6, 1, False)
    assert moves_of(CALLER, spot)[0] == (0, 1, 0)
    assert min(table_of(CALLER, spot)[0]) > 0


@pytest.mark.parametrize("seed", range(60))
def test_sees_what_the_others_did(seed: int) -> None:
    """The actions of every hand, as the rules tell them, are those found between the questions of one seat."""
    rng = Random(seed)
    hand = dealt(rng)
    own = rng.randrange(len(hand.stacks))
    watch, asked = LoopWatch(LOOPS), 0
    done: list[Deed] = []
    found: list[Deed] = []
    while (seat := hand.to_act) is not None:
        if seat == own:
            found += watch.deeds(hand.view(own), own)
            asked = len(done)
            action = action_for(hand, rng.choice((CALL, CALL, RAISE)))
            assert isinstance(action, Bet)
            watch.acted(own, action.amount)
        else:
            action = action_for(hand, rng.choice((FOLD, CALL, CALL, RAISE)))
            owed = hand.legal().to_call
            last = not (hand.loop < LOOPS and hand.stacks[seat] > owed)
            spot = Spot(hand.number, len(hand.live) - 1, price_of(owed, hand.stacks[seat]), last)
            done.append(Deed(seat, spot, choice_of(hand, action)))
        hand = hand.apply(action)
    assert found == done[:asked]


def at_question(hand: HoldemHand, me: int, order: Sequence[int]) -> LoopTable:
    return LoopTable(
        order.index(me),
        [hand.stacks[seat] for seat in order],
        [hand.put[seat] for seat in order],
        [hand.starting[seat] - hand.stacks[seat] for seat in order],
        hand.pot,
        hand.number,
        hand.loop,
        hand.raised,
        hand.highest,
        BET,
        LOOPS,
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_hand_is_played_out_as_the_rules_have_it(seed: int) -> None:
    rng = Random(1000 + seed)
    hand = dealt(rng)
    for _ in range(rng.randrange(12)):
        if hand.to_act is not None:
            hand = hand.apply(action_for(hand, rng.choice((FOLD, CALL, CALL, RAISE))))
    if hand.to_act is None:
        return
    me = hand.to_act
    count = len(hand.stacks)
    order = [seat for step in range(count) if (seat := (hand.button + 1 + step) % count) in hand.live]
    kinds = [rng.choice((CALLER, MANIAC)) for _ in order]
    board = hand.deck[2 * count : 2 * count + 5]
    strengths = [poker_strength((*hand.hole(seat), *board)) for seat in order]
    steps = [[rng.randrange(STEPS) for _ in order] for _ in range(RIVER + 1)]
    choice, before = rng.choice((CALL, RAISE)), hand.stacks[me]
    won = at_question(hand, me, order).play_on(choice, Deal(kinds, steps, strengths, [0.5] * LUCK))
    first = True
    while (seat := hand.to_act) is not None:
        if seat == me:
            rivals, owed = len(hand.live) - 1, hand.legal().to_call
            win = chances(hand.number, rivals)[steps[hand.number][order.index(me)]]
            calls = not owed or win > owed / (hand.pot + owed) + MARGIN
            plays = RAISE if win > RAISES / (rivals + 1) else CALL if calls else FOLD
            hand = hand.apply(action_for(hand, choice if first else plays))
            first = False
        else:
            hand = hand.apply(action_for(hand, CALL if kinds[order.index(seat)] == CALLER else RAISE))
    # the rules give odd chips to one winner, a playout divides them
    end = hand.stacks[me] + hand.settle().shares[me]
    assert won == pytest.approx(end - before, abs=count)


def test_cards_fit_what_was_seen() -> None:
    rng = Random(1)
    pool = Pool(parse_cards("7S 2H"), rng)
    read, spot = Read(pool), Spot(1, 6, 1, False)
    chart = [float(kind == 3) for kind in range(len(KINDS))]
    read.saw(spot, RAISE)
    drawn = read.draws(chart, rng)
    places = [pool.steps[next(drawn)[1]] for _ in range(200)]
    assert sum(places) / len(places) > 0.75 * STEPS


def test_one_deal_gives_no_card_twice() -> None:
    rng = Random(1)
    hole, board = parse_cards("AS KS"), parse_cards("QS JS 2C")
    pool = Pool(hole, rng)
    pool.turn_to(2, board)
    even = Character().trust
    draws = [None, *[Read(pool).draws(even, rng) for _ in range(6)]]
    for dealt_cards in Dealing(pool, hole, board, 2, rng).deals(draws, 20):
        assert len(dealt_cards.strengths) == len(dealt_cards.kinds) == 7
        assert [len(steps) for steps in dealt_cards.steps] == [0, 0, 7, 7, 7]
        assert len(set(dealt_cards.kinds)) > 1
    assert len(pool.holes) == POOL


def test_learns_of_which_kind_a_player_is() -> None:
    character, rng = Character(), Random(1)
    for _ in range(12):
        pool = Pool(rng.sample(DECK, 2), rng)
        read = Read(pool)
        read.saw(Spot(1, 6, 2, False), CALL)
        read.saw(Spot(2, 3, 3, False), CALL)
        character.learn(read.evidence(None))
    assert max(range(len(KINDS)), key=lambda kind: character.trust[kind]) == CALLER


def test_the_best_cards_raise_and_the_worst_fold() -> None:
    board = parse_cards("QS JS 10S 2C 3D")
    seats = (SeatView(500, 0, "live"), SeatView(475, 25, "live"))
    for hole, wanted in (("AS KS", Bet(50)), ("4H 5D", FOLDS)):
        first, second = parse_cards(hole)
        player = LoopPlayer(LOOPS, BET, Random(1))
        turn = HoldemTurn(4, 500, 75, 25, (first, second), board, 50, 50, seats, 0)
        before = turn._replace(street=1, board=(), owed=0, pot=0, least=25, most=25)
        checked = (SeatView(500, 0, "live"), SeatView(500, 0, "live"))
        player.decide(before._replace(seats=checked), 0, int)
        assert player.decide(turn, 0, int) == wanted


@pytest.mark.slow
def test_plays_the_preset() -> None:
    bots = [Holdem(Random(1)), *[load_maker(name)(Random(2)) for name in ("caller", "maniac", "random", "tight")]]
    played = list(play_hands(ROYALE, bots, b"loops", 6, False))
    assert len(played) == 6


@pytest.mark.heavy
@pytest.mark.parametrize(("cards", "board", "rivals"), [("AS AH", "", 1), ("QS JH", "", 4), ("9S 8S", "7S 6S 2H", 2)])
def test_compiled_win_rates_are_those_of_the_bots(cards: str, board: str, rivals: int) -> None:
    first, second = parse_cards(cards)
    seats = (SeatView(100, 0, "live"),) * (rivals + 1)
    common = parse_cards(board)
    turn = HoldemTurn(2 if common else 1, 100, 0, 0, (first, second), common, 10, 100, seats, 0)
    plain, fast = win_rate(turn, Random(1), 2000), compiled_win_rate(turn, Random(1), 40_000)
    # a win rate of 2000 rounds has a standard error of at most 1.1 %
    assert fast == pytest.approx(plain, abs=0.045)


@pytest.mark.slow
def test_a_tournament_of_the_preset_ends_with_money_and_a_place() -> None:
    (ending,) = endings("caller", 1, "test")
    assert 0 <= ending.money <= 7 * ROYALE.stack
    assert 1 <= ending.place <= 7
