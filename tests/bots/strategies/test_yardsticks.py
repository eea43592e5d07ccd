"""What each simple bot does, and that it never breaks the rules."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.strategies.caller import Caller
from bots.strategies.maniac import Maniac
from bots.strategies.pair_or_fold import PairOrFold
from bots.strategies.random_bettor import RandomBettor
from bots.strategies.tight import Tight
from bots.strategy import Maker, Strategy
from protocol.cards import Card
from protocol.games.base import FOLD, Action, Bet, Fold, Status
from protocol.games.stud import MAX_RAISE, StudTurn, deal
from protocol.wire.codec import encode
from tests.bots.helpers import asked
from tests.protocol.strategies import decks, players, small_stacks, turns

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


@pytest.mark.parametrize("cards", [NOTHING, PAIR, HIGH_SPADE])
def test_the_caller_puts_in_what_is_owed(cards: str) -> None:
    assert replies(made(Caller), (cards, 0, 400), (cards, 30, 400), (cards, 7, 7)) == ["bet:0", "bet:30", "bet:7"]


def test_pair_or_fold_raises_once_a_street() -> None:
    bot = made(PairOrFold)
    assert replies(bot, (PAIR, 0, 400), (PAIR, 12, 390), (PAIR, 5, 378)) == ["bet:10", "bet:12", "bet:5"]
    assert bot.decide(street_2("8C:8D:3H", 4)) == Bet(14)
    assert bot.decide(street_2("8C:8D:3H", 4)) == Bet(4)


def test_pair_or_fold_checks_or_folds_without_a_pair() -> None:
    assert replies(made(PairOrFold), (NOTHING, 0, 400), (HIGH_SPADE, 1, 400)) == ["bet:0", "fold"]
    assert made(PairOrFold).decide(street_2("2C:7D:7H", 0)) == Bet(10)
    assert made(PairOrFold).decide(street_2("2C:7D:9H", 3)) == FOLD


@pytest.mark.parametrize("cards", [PAIR, HIGH_SPADE])
def test_tight_raises_strong_cards_twice_a_street(cards: str) -> None:
    questions = (cards, 0, 400), (cards, 30, 390), (cards, 20, 350)
    assert replies(made(Tight), *questions) == ["bet:10", "bet:40", "bet:20"]


@pytest.mark.parametrize("cards", [SPADE, KING, "KC:2D", "2C:AD"])
def test_tight_calls_up_to_ten_with_fair_cards(cards: str) -> None:
    assert replies(made(Tight), (cards, 0, 400), (cards, 10, 400), (cards, 11, 400)) == ["bet:0", "bet:10", "fold"]


def test_tight_checks_or_folds_the_rest() -> None:
    assert replies(made(Tight), (NOTHING, 0, 400), (NOTHING, 1, 400), ("QC:JD", 1, 400)) == ["bet:0", "fold", "fold"]
    assert made(Tight).decide(street_2("2C:7D:JS", 1)) == FOLD, "only a spade in the hole counts"


def test_maniac_raises_three_times_a_street() -> None:
    bot, questions = made(Maniac), [(NOTHING, 10, 400)] * 4
    assert replies(bot, *questions) == ["bet:20", "bet:20", "bet:20", "bet:10"]
    assert bot.decide(street_2("2C:7D:9H", 0)) == Bet(10)


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
def test_every_answer_is_legal(deck: tuple[Card, ...], stacks: list[int], luck: Random) -> None:
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
