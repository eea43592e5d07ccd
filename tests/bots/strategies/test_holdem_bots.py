"""The simple players: each does what its source says, and its answers are always legal."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.strategies.caller import Caller
from bots.strategies.holdem.best import Holdem
from bots.strategies.holdem.chart import chart_of, starting_hand_group
from bots.strategies.holdem.cornell import Cornell, CornellEasy, CornellHard
from bots.strategies.holdem.equity import Equity
from bots.strategies.holdem.rollouts import opponents, win_rate
from bots.strategies.holdem.royale import RollOut1, RollOut10, SimpleBetting, Sklansky, power_index
from bots.strategies.maniac import Maniac
from bots.strategies.pair_or_fold import PairOrFold
from bots.strategies.random_bettor import RandomBettor
from bots.strategies.tight import Tight
from bots.strategy import Maker, Strategy
from protocol.cards import Card, parse_cards
from protocol.estimates.intervals import share
from protocol.games.base import FOLD, Action, Bet, Fold, Status
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_turn import HoldemTurn, SeatView
from protocol.games.stud import MAX_RAISE, StudTurn, deal
from protocol.wire.codec import encode
from tests.bots.helpers import asked
from tests.protocol.helpers import decks, players, shuffled_deck, small_stacks, turns

BOTS = [SimpleBetting, RollOut1, RollOut10, Sklansky, Cornell, CornellEasy, CornellHard, Equity, Tight, Holdem]


def turn(hole: str, board: str = "", *, owed: int = 0, stack: int = 1000, pot: int = 30, rivals: int = 1) -> HoldemTurn:
    first, second = parse_cards(hole)
    cards = parse_cards(board)
    seats = (SeatView(stack, 0, "live"),) * (rivals + 1)
    street = {0: 1, 3: 2, 4: 3, 5: 4}[len(cards)]
    return HoldemTurn(street, stack, pot, owed, (first, second), cards, owed + 10, stack, seats, 0)


class Throws(Random):
    """Chances that are given instead of drawn."""

    def __init__(self, *throws: float) -> None:
        super().__init__(1)
        self._throws = list(throws)

    def random(self) -> float:
        return self._throws.pop(0)


@pytest.mark.parametrize(
    ("hole", "board", "throws", "action"),
    [
        ("8S 8H", "", (), Bet(45)),  # a pair opens with a raise
        ("10S 2H", "", (), Bet(20)),  # a card above nine calls
        ("9S 2H", "", (0.24,), Bet(45)),
        ("9S 2H", "", (0.26, 0.32), Bet(20)),
        ("9S 2H", "", (0.26, 0.34), FOLD),
        ("9S 2H", "KC 7D 5S", (), FOLD),  # high cards only
        ("9S 2H", "KC KD 5S", (0.49,), FOLD),  # the pair is everybody's
        ("9S 2H", "KC KD 5S", (0.51, 0.74), Bet(20)),
        ("9S 9H", "9C 2D 5S", (), Bet(45)),  # three of a kind raises
        ("9S 5H", "9C 2D 5S", (), Bet(20)),  # two pair calls
        ("9S 3H", "9C 2D 5S", (0.74,), Bet(20)),
        ("9S 3H", "9C 2D 5S", (0.76, 0.65), Bet(45)),
        ("9S 3H", "9C 2D 5S", (0.76, 0.67), FOLD),
    ],
)
def test_rules_of_simple_in_their_order(hole: str, board: str, throws: tuple[float, ...], action: object) -> None:
    assert SimpleBetting(Throws(*throws)).decide(turn(hole, board, owed=20)) == action


@pytest.mark.parametrize(
    ("cards", "power"),
    [("2S", 1), ("2S 2H", 2), ("2S 2H 3C 3D", 3), ("2S 2H 2C", 4), ("2S 2H 2C 2D", 8), ("2S 3S 4S 5S 6S", 9)],
)
def test_power_index(cards: str, power: int) -> None:
    assert power_index(parse_cards(cards)) == power


@pytest.mark.parametrize(
    ("cards", "group"),
    [("8C 9C", 4), ("8D 9S", 7), ("AS AH", 1), ("AS KS", 1), ("AS KH", 2), ("KH AS", 2), ("7D 2S", 9), ("2S 2H", 7)],
)
def test_groups_of_starting_hands(cards: str, group: int) -> None:
    assert starting_hand_group(*parse_cards(cards)) == group


@pytest.mark.parametrize(("cards", "action"), [("QS QH", Bet(45)), ("9S 8S", Bet(20)), ("7D 2S", FOLD)])
def test_sklansky_opens_by_its_table(cards: str, action: object) -> None:
    assert Sklansky(Random(1)).decide(turn(cards, owed=20)) == action


@pytest.mark.parametrize(
    ("hole", "board", "rivals", "low", "high"),
    [
        ("AS AH", "", 1, 0.83, 0.87),  # 85.2 % against any two cards
        ("2S 7H", "", 1, 0.32, 0.37),  # 34.6 %
        ("AS AH", "", 8, 0.31, 0.39),  # about 35 %
        ("AS KS", "QS JS 10S", 3, 1.0, 1.0),
        ("2C 3D", "AS KS QS JS 10S", 3, 0.25, 0.25),  # the board wins for all
    ],
)
def test_win_rates(hole: str, board: str, rivals: int, low: float, high: float) -> None:
    assert low <= win_rate(turn(hole, board, rivals=rivals), Random(5), 4000) <= high


def test_only_live_opponents_are_counted() -> None:
    seats = tuple(SeatView(100, 0, state) for state in ("live", "folded", "allin", "out", "live"))
    assert opponents(turn("2C 3D")._replace(seats=seats)) == 2


@pytest.mark.parametrize("bot", [Cornell, CornellEasy, CornellHard])
def test_cornell_bets_by_chance_with_cards_of_any_kind(bot: type[Cornell]) -> None:
    """How often each kind of cards bets where nobody has: its 95 % interval holds what the rules say."""
    flop = "KC QD 9H"
    for hole, board, often in (("AS KS", "", 0.8), ("7D 2S", "", 0.0), ("7D 2S", flop, 0.25), ("AS AH", flop, 0.75)):
        player, tries = bot(Random(11)), 120
        found = share(sum(player.decide(turn(hole, board)) != Bet(0) for _ in range(tries)), tries)
        assert found.low <= often <= found.high, (hole, board, found)


def test_cornell_divides_bets_by_their_size() -> None:
    bad, good = turn("7D 2S", "KC QD 9H"), turn("AS AH", "KC QD 9H")
    situations = [
        (bad, 40, (0.0, 1.0)),  # small: always called
        (bad, 100, (0.0, 0.25)),  # medium: by its cards
        (good, 100, (0.75, 1.0)),
        (bad, 500, (0.0, 0.7)),  # large: often called, whatever it holds
        (good, 500, (0.0, 0.7)),
    ]
    for seen, owed, expected in situations:
        player, tries = Cornell(Random(5)), 120
        answers = [player.decide(seen._replace(owed=owed, least=owed + 10)) for _ in range(tries)]
        raises = sum(isinstance(answer, Bet) and answer.amount > owed for answer in answers)
        for count, often in zip((raises, tries - answers.count(FOLD)), expected, strict=True):
            found = share(count, tries)
            assert found.low <= often <= found.high, (owed, expected, found)


def test_cornell_bets_overlapping_sizes() -> None:
    def sizes(hole: str) -> list[int]:
        actions = [Cornell(Random(seed)).decide(turn(hole)) for seed in range(300)]
        return [action.amount for action in actions if isinstance(action, Bet) and action.amount]

    good, fair = sizes("AS AH"), sizes("JC 10D")
    assert min(good) < max(fair)
    assert max(good) > max(fair) > 60


@pytest.mark.parametrize(
    ("hole", "board", "strength"),
    [
        ("JS JH", "", "strong"),  # group 1
        ("AS JS", "", "strong"),  # group 2
        ("9S 9H", "", "fair"),  # group 3
        ("9S 8S", "", "fair"),  # group 4
        ("7S 7H", "", "weak"),  # group 5
        ("KS 3H", "KC 7D 5S", "strong"),  # top pair
        ("AS AH", "KC 7D 5S", "strong"),
        ("AS 7H", "KC 7D 5S", "fair"),
        ("QS QH", "KC 7D 5S", "fair"),
        ("7S 5H", "KC 7D 5C", "strong"),
        ("AS 5H", "KC KD 5C", "fair"),  # the other pair is everybody's
        ("AS QH", "KC KD KH", "weak"),
        ("QS QH", "KC KD KH", "strong"),
        ("AS 2S", "KS 7S 5C", "fair"),
        ("AS 2S", "KS 7S 5C 4H QD", "weak"),
        ("AC 2C", "KS QS JS 10S 9S", "weak"),
    ],
)
def test_chart(hole: str, board: str, strength: str) -> None:
    first, second = parse_cards(hole)
    assert chart_of((first, second), parse_cards(board)) == strength


def test_tight_raises_the_pot_twice_a_street() -> None:
    bot = Tight(Random(1))
    aces = turn("AS AH", owed=20, pot=30)
    assert [bot.decide(aces) for _ in range(3)] == [Bet(70), Bet(70), Bet(20)]


@pytest.mark.parametrize(("owed", "action"), [(0, Bet(0)), (10, Bet(10)), (11, FOLD)])
def test_tight_calls_a_third_of_the_pot_with_fair_cards(owed: int, action: object) -> None:
    assert Tight(Random(1)).decide(turn("9S 9H", owed=owed, pot=30)) == action


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(
    "options", [{}, {"betting": "fixed-limit"}, {"betting": "pot-limit"}, {"preset": "royale"}, {"preset": "cornell"}]
)
def test_every_answer_is_legal(bot: Any, options: dict[str, Any]) -> None:
    game = HoldemGame.from_facts({**options, "stack": 300})
    players = [bot(Random(1)), *[SimpleBetting(Random(seed)) for seed in (2, 3)]]
    match = game.start(3)
    for number in range(1, 13):
        if match.over:
            break
        hand = match.deal(shuffled_deck(bytes(32), 0, number))
        while (seat := hand.to_act) is not None:
            action = players[match.seated[seat]].decide(hand.view(seat))
            assert action in hand.legal()
            hand = hand.apply(action)
        match = match.record(hand.settle())


YARDSTICKS: list[Maker] = [Caller, PairOrFold, Tight, Maniac, RandomBettor]

NOTHING = "2C:7D"
PAIR = "8C:8D"
SPADE = "2S:7D"
HIGH_SPADE = "JS:7D"
KING = "2C:KD"


def replies(strategy: Strategy, *questions: tuple[str, int, int]) -> list[str]:
    """What the strategy replies on street 1 to questions given as (own cards, owed, stack)."""
    return [encode(strategy.decide(street_1(*question))) for question in questions]


def street_1(cards: str, owed: int, stack: int) -> StudTurn:
    return asked(f"bet1:{stack}:50:{owed}:{cards}:up:{cards.split(':')[1]}:QH")


def street_2(cards: str, owed: int, stack: int = 400) -> StudTurn:
    up = cards.partition(":")[2]
    return asked(f"bet2:{stack}:50:{owed}:{cards}:up:{up}:QH:JH")


def made(maker: Maker) -> Strategy:
    return maker(Random(1))


@pytest.mark.parametrize(
    ("maker", "all_cards", "questions", "answers"),
    [
        (Caller, [NOTHING, PAIR, HIGH_SPADE], [(0, 400), (30, 400), (7, 7)], ["bet:0", "bet:30", "bet:7"]),
        (PairOrFold, [PAIR], [(0, 400), (12, 390), (5, 378)], ["bet:10", "bet:12", "bet:5"]),  # it raises once
        (PairOrFold, [NOTHING, HIGH_SPADE], [(0, 400), (1, 400)], ["bet:0", "fold"]),
        # It raises twice with strong cards, and calls up to ten with fair ones.
        (Tight, [PAIR, HIGH_SPADE], [(0, 400), (30, 390), (20, 350)], ["bet:10", "bet:40", "bet:20"]),
        (Tight, [SPADE, KING, "KC:2D", "2C:AD"], [(0, 400), (10, 400), (11, 400)], ["bet:0", "bet:10", "fold"]),
        (Tight, [NOTHING, "QC:JD"], [(0, 400), (1, 400)], ["bet:0", "fold"]),
        (Maniac, [NOTHING], [(10, 400)] * 4, ["bet:20", "bet:20", "bet:20", "bet:10"]),
    ],
)
def test_answers_of_yardsticks_on_street_1(
    maker: Maker, all_cards: list[str], questions: list[tuple[int, int]], answers: list[str]
) -> None:
    """Questions in a row, each by what is owed and the stack."""
    for cards in all_cards:
        assert replies(made(maker), *[(cards, owed, stack) for owed, stack in questions]) == answers


def test_a_street_has_raises_and_cards_of_its_own() -> None:
    """A pair raises again, and with three cards it is another; only a spade in the hole counts."""
    bot = made(PairOrFold)
    assert replies(bot, (PAIR, 0, 400)) == ["bet:10"]
    assert [bot.decide(street_2("8C:8D:3H", 4)) for _ in range(2)] == [Bet(14), Bet(4)]
    assert made(PairOrFold).decide(street_2("2C:7D:7H", 0)) == Bet(10)
    assert made(PairOrFold).decide(street_2("2C:7D:9H", 3)) == FOLD
    assert made(Tight).decide(street_2("2C:7D:JS", 1)) == FOLD
    maniac = made(Maniac)
    assert replies(maniac, *[(NOTHING, 10, 400)] * 4)[-1] == "bet:10"
    assert maniac.decide(street_2("2C:7D:9H", 0)) == Bet(10)


@pytest.mark.parametrize("maker", [PairOrFold, Tight, Maniac])
def test_a_new_hand_starts_the_count_again(maker: Maker) -> None:
    bot = made(maker)
    first = [bot.decide(street_1(PAIR, 10, 400)) for _ in range(5)]
    bot.hand_over(Status(False, ()))
    assert [bot.decide(street_1(PAIR, 10, 400)) for _ in range(5)] == first
    assert first[0] == Bet(20)
    assert first[-1] == Bet(10)


@pytest.mark.parametrize("maker", [PairOrFold, Tight, Maniac])
def test_a_short_stack_cuts_the_raise(maker: Maker) -> None:
    assert replies(made(maker), (PAIR, 10, 14)) == ["bet:14"]
    assert replies(made(maker), (PAIR, 10, 10)) == ["bet:10"]


def test_random_does_everything_and_repeats_by_seed() -> None:
    questions = [(NOTHING, 5, 400)] * 300
    first = replies(RandomBettor(Random("seed")), *questions)
    assert set(first) == {"fold", *(f"bet:{chips}" for chips in range(5, 16))}
    assert replies(RandomBettor(Random("seed")), *questions) == first
    assert replies(RandomBettor(Random("another")), *questions) != first
    assert "fold" not in replies(RandomBettor(Random("seed")), *[(NOTHING, 0, 400)] * 300), "a check is free"


def keeps_the_rules(action: Action, turn: StudTurn) -> bool:
    return isinstance(action, Fold) or turn.owed <= action.amount <= min(turn.owed + MAX_RAISE, turn.stack)


@settings(max_examples=60)
@given(decks, small_stacks, players)
def test_every_answer_of_a_yardstick_is_legal(deck: tuple[Card, ...], stacks: list[int], luck: Random) -> None:
    bots = [maker(luck) for maker in YARDSTICKS]
    hand = deal(deck, stacks)
    while (seat := hand.to_act) is not None:
        answers = [bot.decide(hand.view(seat)) for bot in bots]
        assert all(answer in hand.legal() for answer in answers)
        hand = hand.apply(luck.choice(answers))


@given(turns(), st.integers(0, 60), st.integers(0, 60), players)
def test_question_to_a_seat_that_cannot_pay(turn: StudTurn, stack: int, owed: int, luck: Random) -> None:
    turn = turn._replace(stack=stack, owed=owed)
    for maker in YARDSTICKS:
        assert keeps_the_rules(maker(luck).decide(turn), turn)
