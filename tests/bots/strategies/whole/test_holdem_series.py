"""How strong ``holdem`` is at no-limit tables of six and in the preset ``royale``: ``pytest -m heavy -s`` tells.

Each deal is played in all seatings, with the options of ``casino simulate --duplicate``. Two things make
the interval smaller in the same time: the roll-outs of the others are compiled, and a hand that is all in before the
river counts as the mean of many boards, which leaves the mean as it is. Intervals are at 95 %.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from random import Random
from statistics import fmean, median
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pytest

from bots.arena import play_hand, play_hands
from bots.strategies.holdem import cornell, equity, royale
from bots.strategies.holdem.best import Holdem
from bots.strategies.holdem.rollouts import opponents
from bots.strategies.holdem.rollouts import win_rate as plain_win_rate
from bots.strategy import tell
from protocol.cards import DECK, parse_cards
from protocol.games.base import FOLD, Bet
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import HoldemHand
from protocol.games.holdem_turn import HoldemTurn, SeatView
from protocol.games.kernels.compiling import jit
from protocol.games.kernels.holdem import _SUIT_START, BOARD, CARDS, Cards, key_of, next_random, place_of, seeded
from protocol.games.poker_strength import card_bits, strength_of_bits
from protocol.installed_bots import load_bot
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo
from tests.bots.helpers import estimate
from tests.protocol.helpers import deck_of

_INDEX = {card: index for index, card in enumerate(DECK)}


def win_rate(turn: HoldemTurn, rng: Random, rounds: int) -> float:
    """As ``rollouts.win_rate``, with other chance."""
    hole, board = (np.array([_INDEX[card] for card in cards], np.int8) for cards in (turn.hole, turn.board))
    return float(_win_rate(hole, board, opponents(turn), rounds, np.uint64(rng.getrandbits(63))))


@jit
def _win_rate(hole: Cards, board: Cards, rivals: int, rounds: int, seed: np.uint64) -> float:
    deck, unseen = np.empty(CARDS, np.int8), 0
    for card in range(CARDS):
        known = False
        for other in hole:
            known |= other == card
        for other in board:
            known |= other == card
        if not known:
            deck[unseen] = card
            unseen += 1
    dealt, missing = len(board), BOARD - len(board)
    common, theirs = np.empty(BOARD, np.int8), np.empty(2, np.int8)
    common[:dealt] = board
    own, won, state = key_of(hole) - _SUIT_START, 0.0, seeded(seed)
    for _ in range(rounds):
        for place in range(missing + 2 * rivals):
            state = next_random(state)
            other = place + np.int64(((state >> np.uint64(32)) * np.uint64(unseen - place)) >> np.uint64(32))
            deck[place], deck[other] = deck[other], deck[place]
        common[dealt:] = deck[:missing]
        shared = key_of(common)
        mine, sharing = place_of(shared + own, hole, common), 1
        for rival in range(rivals):
            theirs[:] = deck[missing + 2 * rival : missing + 2 * rival + 2]
            strength = place_of(shared + key_of(theirs) - _SUIT_START, theirs, common)
            if strength > mine:
                sharing = 0
                break
            sharing += strength == mine
        if sharing:
            won += 1 / sharing
    return won / rounds


@contextmanager
def compiled_roll_outs() -> Iterator[None]:
    """Let the other bots use compiled roll-outs meanwhile."""
    with ExitStack() as patches:
        for module in (royale, cornell, equity):
            patches.enter_context(patch.object(module, "win_rate", win_rate))
        yield


@pytest.mark.heavy
@pytest.mark.parametrize(("cards", "board", "rivals"), [("AS AH", "", 1), ("QS JH", "", 4), ("9S 8S", "7S 6S 2H", 2)])
def test_compiled_win_rates_are_those_of_the_bots(cards: str, board: str, rivals: int) -> None:
    first, second = parse_cards(cards)
    seats = (SeatView(100, 0, "live"),) * (rivals + 1)
    common = parse_cards(board)
    turn = HoldemTurn(2 if common else 1, 100, 0, 0, (first, second), common, 10, 100, seats, 0)
    plain, fast = plain_win_rate(turn, Random(1), 2000), win_rate(turn, Random(1), 40_000)
    # a win rate of 2000 rounds has a standard error of at most 1.1 %
    assert fast == pytest.approx(plain, abs=0.045)


GAME = HoldemGame(reset_stacks=1)
#: Boards for a hand that is all in.
RUNOUTS = 300


class Seating(NamedTuple):
    """What one seating gave ``holdem``: chips won in each deal, and seconds of processor time of each decision."""

    won: Sequence[float]
    seconds: Sequence[float]


def chips_collected(me: int, live: Sequence[int], strengths: Sequence[int], spent: Sequence[int], pot: int) -> float:
    """Chips that a player wins at a showdown; odd ones are divided.

    Args:
        me: the player.
        live: the players who have not folded.
        strengths: of the cards of each player.
        spent: chips that each player has put in in the hand; those of players who are not counted are dead.
        pot: all chips put in.
    """
    dead, below, won = pot - sum(spent), 0, 0.0
    for level in sorted({spent[player] for player in live if spent[player] <= spent[me]}):
        chips = sum([min(max(chips - below, 0), level - below) for chips in spent]) + dead
        best = [strengths[player] for player in live if spent[player] >= level]
        top = max(best)
        if strengths[me] == top:
            won += chips / best.count(top)
        dead, below = 0, level
    return won


def payoff(hand: HoldemHand, seat: int, rng: Random) -> float:
    """Chips that a seat won in a finished hand, on average over boards if it was all in before the last card."""
    board = hand.board
    if len(hand.live) == 1 or len(board) == BOARD:
        return hand.settle().payoffs[seat]
    spent = [before - left for before, left in zip(hand.starting, hand.stacks, strict=True)]
    holes = {live: hand.hole(live) for live in hand.live}
    known = {*board, *[card for hole in holes.values() for card in hole]}
    rest, common = [card for card in DECK if card not in known], card_bits(board)
    won = 0.0
    for _ in range(RUNOUTS if seat in holes else 0):
        final = common | card_bits(rng.sample(rest, BOARD - len(board)))
        strengths = [
            strength_of_bits(card_bits(holes[other]) | final) if other in holes else 0 for other in range(len(spent))
        ]
        won += chips_collected(seat, hand.live, strengths, spent, hand.pot)
    return won / RUNOUTS - spent[seat]


def play_seating(names: Sequence[str], turn: int, deals: int, seed: str) -> Seating:
    """Play deals with the first of the names ``turn`` seats further left than it was named."""
    seated = [(seat + turn) % len(names) for seat in range(len(names))]
    bots = [load_bot(names[player])(Random(f"{seed}/{player}/{turn}")) for player in seated]
    own = seated.index(0)
    match = GAME.start(len(bots))
    for seat, bot in enumerate(bots):
        tell(bot, GameInfo.about(GAME, seat, len(bots)))
    won, seconds = [], []
    for number in range(1, deals + 1):
        hand = match.deal(GAME.chance.outcome(GAME.chance.draw(seed_from_text(seed), 0, number)))
        last = hand
        while (to_act := hand.to_act) is not None:
            started = process_time()
            action = bots[to_act].decide(hand.view(to_act))
            if to_act == own:
                seconds.append(process_time() - started)
            last, hand = hand, hand.apply(action)
        settlement = hand.settle()
        for bot, status in zip(bots, settlement.statuses(), strict=True):
            tell(bot, status)
        # the board as it was at the last action: what came later decided nothing
        won.append(payoff(hand._replace(number=last.number), own, Random(f"{seed}{number}")))
        match = match.record(settlement)
    return Seating(won, seconds)


def test_hands_that_are_all_in_count_as_the_mean_of_many_boards() -> None:
    """As chips won by the exact equity of aces against kings, and as they were where no card decided."""
    hand = deal(deck_of("AS AH KS KH 7C 2D"), [100, 100, 100], Betting("no-limit", 10, 10), button=0, blinds=[0, 5, 10])
    start = hand
    for action in (Bet(100), Bet(95), FOLD):
        last, hand = hand, hand.apply(action)
    assert hand.to_act is None
    found = [payoff(hand._replace(number=last.number), seat, Random(1)) for seat in range(3)]
    assert sum(found) == pytest.approx(0)
    assert found[0] == pytest.approx(0.82 * 210 - 100, abs=10)
    assert found[2] == -10
    for action in (FOLD, FOLD):
        last, start = start, start.apply(action)
    assert [payoff(start, seat, Random(1)) for seat in range(3)] == list(start.settle().payoffs)


def test_seating_tells_what_each_deal_won() -> None:
    with compiled_roll_outs():
        seating = play_seating(["caller"] * 6, 0, 3, "test")
    assert len(seating.won) == 3
    assert len(seating.seconds) >= 3


MIXED = ("simple", "rollout-5", "sklansky", "cornell", "tight")


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("others", "deals", "seed"),
    [
        *(([bot] * 5, 20, "house") for bot in ("caller", "maniac", "simple", "sklansky", "rollout-5", "cornell")),
        (["tight"] * 5, 600, "ring-2"),
        (MIXED, 20, "house"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_holdem_wins_from_five_others(others: Sequence[str], deals: int, seed: str) -> None:
    with compiled_roll_outs():
        played = [play_seating(["holdem", *others], turn, deals, seed) for turn in range(6)]
    found = estimate([fmean(deal) for deal in zip(*[seating.won for seating in played], strict=True)])
    seconds = [second for seating in played for second in seating.seconds]
    print(f"{found} chips a hand; a decision takes {median(seconds):.3f} s (median), {max(seconds):.3f} s at most")
    assert found.low > 0


ROYALE = HoldemGame.from_facts({"preset": "royale"})
#: The players beside the one that is measured.
OTHERS = ("simple", "rollout-1", "rollout-5", "rollout-10", "sklansky", "cornell")


class Ending(NamedTuple):
    """Chips of a player after the last game, and its place."""

    money: int
    place: int


def endings(bot: str, tournaments: int, seed: str) -> Iterator[Ending]:
    """How a bot ends in each of several tournaments."""
    for number in range(tournaments):
        yield _tournament(bot, f"{seed} {number}")


def _tournament(bot: str, seed: str) -> Ending:
    names = Random(seed).sample((bot, *OTHERS), 1 + len(OTHERS))
    bots = [load_bot(name)(Random(f"{seed} {name}")) for name in names]
    match = ROYALE.start(len(bots))
    for seat, player in enumerate(bots):
        tell(player, GameInfo.about(ROYALE, seat, len(bots)))
    left: dict[int, tuple[int, int]] = {}
    for number in range(1, ROYALE.hands + 1):
        if match.over:
            break
        before = match.stacks
        match = match.record(play_hand(ROYALE, match, bots, seed_from_text(seed), number).settlement)
        left |= {
            player: (number, before[player])
            for player in range(len(bots))
            if before[player] and not match.stacks[player]
        }
    ranked = sorted(range(len(bots)), key=lambda player: (match.stacks[player], left.get(player, (0, 0))), reverse=True)
    me = names.index(bot)
    return Ending(match.stacks[me], ranked.index(me) + 1)


def test_plays_the_preset() -> None:
    bots = [Holdem(Random(1)), *[load_bot(name)(Random(2)) for name in ("caller", "maniac", "random", "tight")]]
    played = list(play_hands(ROYALE, bots, b"loops", 6, False))
    assert len(played) == 6


def test_a_tournament_of_the_preset_ends_with_money_and_a_place() -> None:
    (ending,) = endings("caller", 1, "test")
    assert 0 <= ending.money <= 7 * ROYALE.stack
    assert 1 <= ending.place <= 7


@pytest.mark.heavy
def test_holdem_makes_money_in_the_preset() -> None:
    with compiled_roll_outs():
        ends = [*endings("holdem", 100, "royale")]
    money, place = estimate([ending.money for ending in ends]), estimate([ending.place for ending in ends])
    print(f"{money} chips, place {place}")
    assert money.low > ROYALE.stack
