"""``holdem`` and the table of fixed limit: what they count, who sits where, and what is won."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from bots.simulation.engine import play
from bots.simulation.plan import Plan
from bots.strategies.holdem.best import Holdem, Opponent, Rate, size_of
from bots.strategies.holdem.equilibrium import Equilibrium
from bots.strategies.holdem.equity import Equity
from bots.strategies.holdem.futures import Rival, draw_futures
from bots.strategies.holdem.limit_board import BoardStrategy
from bots.strategies.holdem.limit_tree import (
    BET_SIZES,
    BUCKETS,
    CALL,
    LEVELS,
    RAISE,
    RIVER,
    Betting,
    load,
    path,
    rows,
    tree,
)
from bots.strategies.holdem.preflop import class_of
from bots.strategies.holdem.seating import Seating
from protocol.cards import DECK, parse_cards
from protocol.games.base import FOLD, Bet, Status
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_turn import HoldemTurn, SeatView
from protocol.games.kernels.holdem import Cards
from protocol.wire.messages import GameInfo
from tests.protocol.helpers import shuffled_deck

NEVER, ALWAYS = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)


def heads_up(hole: str, *, own: SeatView, other: SeatView, button: int = 0, least: int = 20) -> HoldemTurn:
    first, second = parse_cards(hole)
    owed = min(max(0, other.put - own.put), own.stack)
    return HoldemTurn(
        1, own.stack, own.put + other.put, owed, (first, second), (), least, own.stack, (own, other), button
    )


def bot(**options: int) -> Holdem:
    player = Holdem(Random(1))
    player.game_begins(GameInfo.about(HoldemGame(**options), 0, 2))  # type: ignore[arg-type]
    return player


@pytest.mark.parametrize(("bet", "size"), [(10, 0), (50, 0), (51, 1), (150, 1), (151, 2)])
def test_kinds_of_bets(bet: int, size: int) -> None:
    assert size_of(bet, 100) == size


def test_rates_move_from_the_guess_to_what_was_seen() -> None:
    rate = Rate(0.5)
    assert rate.value == 0.5
    for _ in range(96):
        rate.add(False)
    assert rate.value == pytest.approx(0.02)


def test_folds_to_one_kind_of_bet_tell_of_the_others() -> None:
    opponent = Opponent()
    before = opponent.fold_rate(True, 2)
    for _ in range(50):
        opponent.folds[True][0].add(False)
    assert opponent.fold_rate(True, 0) < 0.05
    assert opponent.fold_rate(True, 2) < before - 0.2
    assert opponent.fold_rate(False, 2) == before


def test_pushes_and_folds_with_few_chips() -> None:
    small, big = SeatView(95, 5, "live"), SeatView(90, 10, "live")
    assert bot().decide(heads_up("AS AH", own=small, other=big)) == Bet(95)
    assert bot().decide(heads_up("7S 2H", own=small, other=big)) == FOLD
    pushed = SeatView(0, 100, "allin")
    assert bot().decide(heads_up("AS AH", own=big, other=pushed, button=1, least=0)) == Bet(90)
    assert bot().decide(heads_up("7S 2H", own=big, other=pushed, button=1, least=0)) == FOLD


def test_bets_win_what_others_fold() -> None:
    hole, board = parse_cards("7S 2H"), parse_cards("AC KD 9H 8C 4D")
    folder, caller = Rival(100, 0, 1.0, 1.0, ALWAYS), Rival(100, 0, 1.0, 1.0, NEVER)
    gains = [draw_futures(hole, board, [rival], Random(1)).raised(50, 0, 60, 1) for rival in (folder, caller)]
    assert gains[0] == 60
    assert gains[1] < -20


def test_the_best_cards_win_the_call_of_a_caller() -> None:
    hole, board = parse_cards("AS KS"), parse_cards("QS JS 10S 2C 3D")
    futures = draw_futures(hole, board, [Rival(100, 0, 1.0, 1.0, NEVER)], Random(1))
    assert futures.called(0, 60, 100) == 60
    assert futures.raised(50, 0, 60, 1) == 110
    assert futures.raised(200, 0, 60, 2) == 160, "a rival calls no more than it has"


def test_counts_who_folded_to_its_bet() -> None:
    player = bot(stack=1000)
    board = parse_cards("QS JS 10S 2C 3D")
    first, second = parse_cards("AS KS")
    seats = (SeatView(900, 0, "live"), SeatView(900, 0, "live"))
    action = player.decide(HoldemTurn(4, 900, 200, 0, (first, second), board, 10, 900, seats, 0))
    assert isinstance(action, Bet)
    assert action.amount > 0
    player.hand_over(Status(True, ()))
    rates = player._opponent(1).folds[True]
    assert sum(rate.happened for rate in rates) == sum(rate.seen for rate in rates) == 1


@pytest.mark.heavy
@pytest.mark.parametrize("opponent", ["caller", "cornell"])
def test_wins_from_bots_that_call_too_much(opponent: str) -> None:
    game = HoldemGame(reset_stacks=1)
    outcome = play(Plan(("holdem", opponent), game, 150, True, "casino"))
    assert outcome.tally.chips_per_hand(0).low > 0


def asked(*stacks: int) -> HoldemTurn:
    first, second = parse_cards("AS KS")
    seats = tuple(SeatView(stack, 0, "live") for stack in stacks)
    return HoldemTurn(1, 100, 0, 0, (first, second), (), 0, 0, seats, 0)


def over(**collected: int) -> Status:
    return Status(False, (), collected=tuple((int(seat[1:]), chips) for seat, chips in collected.items()))


def players(seating: Seating, count: int) -> list[int]:
    return [seating.player(seat) for seat in range(count)]


def seated(own: int, stacks: Sequence[int], *hands: Status) -> tuple[Seating, list[int]]:
    """Who sits where when the seat ``own`` is asked with ``stacks``, and the same seats after these hands."""
    seating = Seating(True)
    seating.question(asked(*stacks), own)
    first = players(seating, len(stacks))
    for status in hands:
        seating.hand_over(status)
    return seating, first


@pytest.mark.parametrize(
    ("own", "stacks", "won", "after", "stay"),
    [
        (0, [100, 40, 60, 200], over(s3=80), [80, 60, 260], [0, 2, 3]),
        (1, [30, 100, 270], over(s2=60), [70, 330], [1, 2]),  # the own seat moves too
        (0, [100, 100, 100, 100], over(s3=200), [50, 50, 300], [0, None, 3]),  # one of two may have left
        (0, [100, 100, 100], over(), [100, 500, 300], [None] * 3),  # another table
        (0, [100, 100], over(), [100, 100, 100], [None] * 3),  # a player who came is new
    ],
)
def test_players_move_up_when_another_leaves(
    own: int, stacks: list[int], won: Status, after: list[int], stay: list[int | None]
) -> None:
    """Who may be somebody else is new."""
    seating, first = seated(own, stacks, won)
    seating.question(asked(*after), 0)
    found = players(seating, len(after))
    assert [first.index(player) if player in first else None for player in found] == stay


def test_hands_without_a_question_leave_seats_as_they_are() -> None:
    seating, first = seated(0, [100, 100], over(s1=20), over(s1=20))
    seating.question(asked(60, 140), 0)
    assert players(seating, 2) == first
    seating.hand_over(over())
    seating.hand_over(over())
    seating.question(asked(200), 0)
    assert seating.player(0) not in first


def test_seats_stay_where_every_hand_begins_with_equal_stacks() -> None:
    seating = Seating(False)
    seating.question(asked(10, 190), 0)
    first = players(seating, 2)
    seating.hand_over(over())
    seating.question(asked(100, 100), 0)
    assert players(seating, 2) == first


GAME = HoldemGame(betting="fixed-limit", reset_stacks=1)
#: Decisions of one street that begins without a bet, and ways in which it ends without a fold; before the flop fewer.
DECISIONS, ENDS, OPENING_DECISIONS, OPENING_ENDS = 10, 9, 8, 7


def test_tree_has_all_decisions_of_fixed_limit() -> None:
    streets = [sum(node.street == street for node in tree().values()) for street in range(4)]
    ways = OPENING_ENDS
    assert streets == [OPENING_DECISIONS, *(ways * ENDS**street * DECISIONS for street in range(3))]
    assert rows() == sum(BUCKETS[node.street] for node in tree().values())
    assert len(load()["moves"]) == rows(RIVER) == min(node.row for node in tree().values() if node.street == RIVER)


def test_path_leads_to_the_next_street() -> None:
    for betting, node in tree().items():
        if betting[-1] == (False, 0):
            at: Betting | None = ((False, 0),)
            for passed, move in path(betting[:-1]):
                assert passed.betting == at
                at = (None, passed.after_call, passed.after_raise)[move]
            assert at == betting
            assert node.street == len(betting) - 1


def test_shares_of_a_row_add_up_to_one_at_most() -> None:
    assert all((byte >> 4) + (byte & 15) <= LEVELS for byte in set(load()["moves"]))


def test_first_raise_is_never_folded_to_with_aces_and_mostly_with_the_worst_cards() -> None:
    raised = tree()[((False, 1),)].row
    moves = load()["moves"]
    (one, other), (high, low) = parse_cards("AS AH"), parse_cards("7C 2D")
    assert moves[raised + class_of(one, other)] >> 4 == 0
    assert moves[raised + class_of(high, low)] >> 4 >= LEVELS / 2


@pytest.mark.parametrize(("game", "players"), [(HoldemGame(), 2), (GAME, 3)])
def test_other_games_are_played_as_equity_plays_them(game: HoldemGame, players: int) -> None:
    turn = game.start(players).deal(shuffled_deck(b"other", 0, 0)).view(0)
    bot = Equilibrium(Random(5))
    bot.game_begins(GameInfo.about(game, 0, players))
    assert bot.decide(turn) == Equity(Random(5)).decide(turn)
    assert bot.rng.random() != Random(5).random()  # it has dealt cards, as the table never does


BOARD = "AS KS QS JS 2D"


def cards(text: str) -> Cards:
    return np.array([DECK.index(card) for card in parse_cards(text)], np.int8)


def test_range_before_the_river_is_what_the_table_plays() -> None:
    strategy = BoardStrategy(load(), cards(BOARD))
    opening = strategy.shares(tree()[((False, 0),)])[RAISE]
    answer = strategy.shares(tree()[((False, 1),)])[CALL]
    first, second = strategy.ranges(((False, 1),))
    assert second == pytest.approx(np.maximum(opening, 0.01))  # the button, which acts last on the river
    assert first == pytest.approx(np.maximum(answer, 0.01))
    assert BET_SIZES[RIVER] == 2
