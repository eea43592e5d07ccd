"""``holdem`` and ``equilibrium``: whole tournaments, the tree, the river; and long series of all house bots."""

import subprocess
import sys
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from bots.arena import play_game, play_hands
from bots.simulation.engine import play
from bots.simulation.plan import Plan
from bots.strategies import stud
from bots.strategies.alpha import Alpha
from bots.strategies.balance import Balance
from bots.strategies.beta import Beta, BetaChips
from bots.strategies.blockhead import near_equilibrium
from bots.strategies.gamma import Gamma
from bots.strategies.holdem.equilibrium import Equilibrium
from bots.strategies.holdem.limit_board import HOLES, BoardStrategy, by_strength
from bots.strategies.holdem.limit_river import NODES, STEPS, solve
from bots.strategies.holdem.limit_tree import CALL, FOLD, RAISE, Betting, Node, load, tree
from bots.strategies.moves import QuestionCount, call, check_or_fold, raise_by
from bots.strategies.random_bettor import RandomBettor
from bots.strategies.tight import Tight
from bots.strategy import Maker, Simple, Strategy
from protocol.games.base import Action, Fold
from protocol.games.blockhead import BlockheadGame, BlockheadTurn, card_value, cards_value
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_hand import HoldemHand
from protocol.games.kernels.holdem import Cards, strengths
from protocol.games.stud import StudGame
from protocol.wire.messages import GameInfo
from tests.bots.helpers import estimate
from tests.bots.strategies.test_beta import chips_a_hand, gains_of, play_games, share_won
from tests.bots.strategies.test_holdem_best import BOARD, GAME, cards
from tests.bots.strategies.test_stud import NOTHING_MADE, YARDSTICKS, chips_of_stud, guest_chips
from tests.bots.strategies.test_stud_chances import computed, sampled, situation, tolerance
from tests.bots.train.test_local_best_response import Noting
from tests.patience import PATIENCE
from tests.protocol.helpers import shuffled_deck


def played_without_compiling(code: str) -> list[int]:
    """What the program prints in the base install, which has neither numba nor numpy."""
    code = f"""
import sys
sys.modules["numba"] = sys.modules["numpy"] = None
from random import Random
from protocol.cards import parse_cards
from protocol.games.holdem_turn import HoldemTurn, SeatView
{code}"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert not done.stderr
    return [*map(int, done.stdout.split())]


def test_loop_player_plays_as_well_where_nothing_is_compiled() -> None:
    code = """
from bots.strategies.holdem.ring_player import RingPlayer
seats = SeatView(500, 0, "live"), SeatView(475, 25, "live"), SeatView(500, 0, "folded")
board = parse_cards("QS JS 10S 2C 3D")
for hole in "AS KS", "4H 5D":
    turn = HoldemTurn(4, 500, 75, 25, parse_cards(hole), board, 50, 50, seats, 2)
    print(getattr(RingPlayer((0, 0), 25, Random(1), 3).decide(turn, 0, int), "amount", 0))
"""
    assert played_without_compiling(code) == [50, 0]


def test_ring_player_plays_as_well_where_nothing_is_compiled() -> None:
    code = """
from bots.strategies.holdem.ring_player import RingPlayer
seats = SeatView(500, 0, "live"), SeatView(400, 100, "live"), SeatView(500, 0, "folded")
for street, board in ((2, "QS JS 10S"), (4, "QS JS 10S 2C 3D")):
    for hole in "AS KS", "4H 5D":
        turn = HoldemTurn(street, 500, 200, 100, parse_cards(hole), parse_cards(board), 200, 500, seats, 2)
        print(getattr(RingPlayer((5, 10), 10, Random(1)).decide(turn, 0, int), "amount", 0))
"""
    on_flop, on_flop_weak, on_river, on_river_weak = played_without_compiling(code)
    assert on_flop >= 100
    assert on_river > 100
    assert on_flop_weak == on_river_weak == 0


def after(hand: HoldemHand, betting: Betting, action: Action) -> Betting:
    """The betting after an action, by the tree."""
    node = tree()[betting]
    raised = not isinstance(action, Fold) and action.amount in hand.legal().raises
    return node.after_raise if raised else node.after_call or ()


def test_player_knows_its_place_in_the_tree_and_the_tree_its_chips() -> None:
    players = [Noting(Random(1)), Noting(Random(2))]
    match = GAME.start(2)
    for number in range(30):
        hand = match.deal(shuffled_deck(b"tree", 0, number))
        betting: Betting = ((False, 0),)
        while (seat := hand.to_act) is not None:
            action = players[seat].decide(hand.view(seat))
            node = tree()[betting]
            assert players[seat].asked == node
            assert node.first_acts == ((seat == hand.button) == (hand.number == 1))
            assert 1000 - hand.stacks[seat] == 10 * node.loss or not node.owes
            assert node.may_raise == bool(hand.legal().raises)
            assert node.owes == bool(hand.legal().to_call)
            betting = after(hand, betting, action)
            hand = hand.apply(action)
        settlement = hand.settle()
        for player, status in zip(players, settlement.statuses(), strict=True):
            player.hand_over(status)
        match = match.record(settlement)


def test_short_stacks_are_played_to_the_end() -> None:
    for stack in (5, 9, 10, 23, 47, 95):
        game = HoldemGame(betting="fixed-limit", stack=stack, reset_stacks=1)
        bots = [Equilibrium(Random(1)), Equilibrium(Random(2))]
        for place, bot in enumerate(bots):
            bot.game_begins(GameInfo.about(game, place, 2))
        for number in range(40):
            hand = game.start(2).deal(shuffled_deck(b"short", stack, number))
            while (seat := hand.to_act) is not None:
                hand = hand.apply(bots[seat].decide(hand.view(seat)))
            for bot, status in zip(bots, hand.settle().statuses(), strict=True):
                bot.hand_over(status)


Array = NDArray[np.floating]

BEFORE: Betting = ((False, 1), (True, 1), (False, 1))

START = tree()[(*BEFORE, (False, 0))]


def place(order: NDArray[np.int16], text: str) -> int:
    """Where two cards are in an order of pairs."""
    first, second = sorted(cards(text).tolist())
    return int(np.flatnonzero(order == second * (second - 1) // 2 + first)[0])


def test_river_of_the_best_or_worst_cards_against_fair_ones() -> None:
    """The pot is 2 and a bet is 2: a third of all bets are bluffs, and half of the bets are called."""
    order, ends = by_strength(cards(BOARD))
    weights = np.zeros((2, len(order)), np.float32)
    best, worst, fair = (place(order, pair) for pair in ("10S 4H", "5C 4D", "AH 3D"))
    weights[0, [best, worst]] = 1.0, 3.0
    weights[1, fair] = 1.0
    strategy = solve(weights, HOLES[order], ends, 1.0, 1000)
    assert strategy[0, RAISE, best] == pytest.approx(1.0, abs=0.01)
    assert strategy[0, RAISE, worst] == pytest.approx(0.5 / 3, abs=0.01)
    assert strategy[1, CALL, fair] == pytest.approx(0.5, abs=0.02)
    assert strategy[1, RAISE, fair] < 0.01


def compared(board: Cards, order: NDArray[np.int16]) -> tuple[Array, Array]:
    """By hole cards and hole cards: 1, 0 or -1 for who wins, and 1 where no card is shared, else 0."""
    holes = HOLES[order]
    strong = strengths(np.hstack([holes.astype(np.int8), np.tile(board, (len(holes), 1))])).astype(int)
    apart = ~(holes[:, None, :, None] == holes[None, :, None, :]).any(axis=(2, 3))
    return np.sign(strong[:, None] - strong) * apart, apart.astype(float)


def best_response(node: Node, player: int, strategy: Array, weights: Array, pairs: tuple[Array, Array]) -> Array:
    """What the best response of ``player`` (0 acts first) wins by hole cards from the other's range ``weights``."""
    margins, apart = pairs
    checked, bets = node.betting[-1]
    moves = strategy[STEPS * checked + bets]
    mine = node.first_acts == (player == 0)
    parts = np.tile(weights, (3, 1)) if mine else moves * weights
    values = [(-node.loss if mine else node.loss) * (apart @ parts[FOLD])] if node.owes else []
    after = node.after_call
    values.append(
        best_response(tree()[after], player, strategy, parts[CALL], pairs)
        if after
        else node.stake * (margins @ parts[CALL])
    )
    if node.may_raise:
        values.append(best_response(tree()[node.after_raise], player, strategy, parts[RAISE], pairs))
    return np.asarray(np.max(values, axis=0) if mine else np.sum(values, axis=0))


def test_best_responses_win_little_from_a_solved_river() -> None:
    board = cards(BOARD)
    strategy = BoardStrategy(load(), board)
    order, _ = by_strength(board)
    ranges = strategy.ranges(BEFORE)[:, order]
    nodes = [tree()[(*BEFORE, (checked, bets))] for checked in (False, True) for bets in range(STEPS)]
    played = np.array([strategy.shares(node)[:, order] for node in nodes])
    assert played.shape[:2] == (NODES, 3)
    assert played.sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    pairs = compared(board, order)
    deals = ranges[0] @ pairs[1] @ ranges[1]
    won = [best_response(START, me, played, ranges[1 - me], pairs) @ ranges[me] / deals for me in (0, 1)]
    assert 0.0 < sum(won) / 2 < 0.01 * START.put


@pytest.mark.parametrize("maker", [Beta, BetaChips, Gamma])
def test_it_beats_alpha(maker: Maker) -> None:
    gains = gains_of(maker, Alpha, 150)
    assert chips_a_hand(gains).low > 0
    assert share_won(gains).low > 0.5


def test_it_never_takes_alpha_for_a_stranger() -> None:
    for maker in (Beta, BetaChips, Gamma):
        beta = maker(Random(3))
        play_games([beta, Alpha(Random(4))], 50, "trust")
        assert beta.trusts


#: Chips a hand that ``tight`` makes in the place of ``stud`` among the yardsticks.
TIGHT_ALONE = 17.6


def test_makes_more_of_the_yardsticks_than_tight_does() -> None:
    assert chips_of_stud(YARDSTICKS, 500, b"yardsticks").low > TIGHT_ALONE


@pytest.mark.parametrize("other", YARDSTICKS)
def test_never_loses_to_a_yardstick_alone(other: Maker) -> None:
    assert chips_of_stud([other], 1_000, b"alone").high > 0


def test_a_careless_guest_loses_to_five() -> None:
    assert guest_chips(RandomBettor, 15, b"guest").high < NOTHING_MADE


@pytest.mark.parametrize(
    ("seats", "situations", "deals"),
    [
        *((seats, 4, 20_000) for seats in (3, 6, 17)),
        *(pytest.param(seats, 30, 60_000, marks=pytest.mark.heavy) for seats in (2, 3, 6, 9, 17)),
    ],
)
@pytest.mark.parametrize("street", [1, 2])
def test_many_rivals_against_a_sample(street: int, seats: int, situations: int, deals: int) -> None:
    rng = Random(f"chances {street} {seats}")
    for _ in range(situations):
        given = situation(rng, street, seats, 0 if seats == 17 else 3)
        assert computed(given) == pytest.approx(sampled(given, rng, deals), abs=tolerance(seats)), given


def test_bets_often_enough_against_a_caller_in_fixed_limit() -> None:
    game = HoldemGame(betting="fixed-limit", reset_stacks=1)
    outcome = play(Plan(("holdem", "caller"), game, 150, True, "casino"))
    assert outcome.tally.chips_per_hand(0).low > 0.6 * game.big_blind


# Each test plays the same deals twice, with the shipped constant and with one that is far too small or too large, and
# compares chips won deal by deal. So much chance cancels that a few hundred deals are enough for a 95 % interval above
# 0.


class AlwaysThree(QuestionCount):
    """Raises 3 at the first three questions of a street, with any cards, then calls."""

    def decide(self, turn: BlockheadTurn) -> Action:
        return raise_by(turn, 3) if self.ask(turn.street) <= 3 else call(turn)


class StrongFive(Simple):
    """Raises 5 with strong cards only, calls with fair ones."""

    def decide(self, turn: BlockheadTurn) -> Action:
        ahead = card_value(turn.hole) + cards_value(turn.up) - max(map(cards_value, turn.others)) - 6.5
        if ahead > 3:
            return raise_by(turn, 5)
        return call(turn) if ahead > -3 else check_or_fold(turn)


def gains_of_stud(hands: int) -> list[int]:
    """Chips that ``stud`` wins from ``tight`` in each hand."""
    players: list[Strategy] = [stud.Stud(Random(0)), Tight(Random(1))]
    return [hand.settlement.payoffs[0] for hand in play_hands(StudGame(200), players, b"margin", hands, True)]


def gains_of_balance(opponent: Maker, games: int) -> list[float]:
    """Chips a hand that ``balance`` wins in each game, played once in either seat."""
    game, gains = BlockheadGame(), []
    for number in range(games):
        won = 0
        for seat in (0, 1):
            players = [Balance(Random(f"balance {number} {seat}")), opponent(Random(f"opponent {number} {seat}"))]
            hands = play_game(game, players[::-1] if seat else players, b"reading", number * game.hands + 1)
            won += sum(hand.settlement.payoffs[seat] for hand in hands)
        gains.append(won / game.hands / 2)
    return gains


def assert_wins_more(shipped: Sequence[float], changed: Sequence[float]) -> None:
    """The 95 % interval of the mean difference lies above 0."""
    assert estimate([more - less for more, less in zip(shipped, changed, strict=True)]).low > 0


@pytest.mark.parametrize("margin", [0.55, 2.2])
def test_raise_margin_of_stud(margin: float, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = gains_of_stud(600)
    monkeypatch.setattr(stud, "RAISE_MARGIN", margin)
    assert_wins_more(shipped, gains_of_stud(600))


@pytest.mark.parametrize(("exponent", "opponent", "games"), [(0.0, AlwaysThree, 60), (1.0, StrongFive, 130)])
def test_reading_of_raises_by_balance(
    exponent: float, opponent: Maker, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = gains_of_balance(opponent, games)
    monkeypatch.setattr(near_equilibrium, "READ_BIG", (exponent,) * 4)
    assert_wins_more(shipped, gains_of_balance(opponent, games))
