"""The stud bot at the table, against yardsticks and its own kind: always legal, always the same, and stronger."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import fmean
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.arena import play_hand, play_hands
from bots.strategies.caller import Caller
from bots.strategies.maniac import Maniac
from bots.strategies.pair_or_fold import PairOrFold
from bots.strategies.random_bettor import RandomBettor
from bots.strategies.stud import Rival, Stud
from bots.strategies.stud_chances import kind_of, unseen_kinds
from bots.strategies.stud_habits import COUNT
from bots.strategies.stud_quality import qualities
from bots.strategies.tight import Tight
from bots.strategy import Maker, Simple, Strategy
from protocol.cards import DECK, parse_card, parse_cards
from protocol.estimates.intervals import Estimate
from protocol.games.base import FOLD, Action, Bet, Status
from protocol.games.stud import StudGame, StudMatch, StudTurn
from protocol.shuffle import seed_from_text
from tests.bots.helpers import estimate

YARDSTICKS: Sequence[Maker] = (Caller, PairOrFold, Tight, Maniac, RandomBettor)


class Watched(Simple):
    """Passes questions on to a stud bot, checks that the answers are legal, and keeps them."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._bot = Stud(rng)
        self.answers: list[Action] = []

    def decide(self, turn: StudTurn) -> Action:
        answer = self._bot.decide(turn)
        assert answer in turn.legal()
        self.answers.append(answer)
        return answer

    def hand_over(self, status: Status) -> None:
        self._bot.hand_over(status)


def play(stacks: Sequence[int], ante: int, makers: Sequence[Maker], seed: int, hands: int) -> list[list[Action]]:
    """What every watched bot answered in ``hands`` hands that leave their mark on the stacks."""
    players: list[Strategy] = [maker(Random(f"{seed} {seat}")) for seat, maker in enumerate(makers)]
    match = StudMatch(tuple(stacks), tuple(range(len(stacks))), ante)
    for number in range(hands):
        if len(match.seated) > 1:
            match = match.record(play_hand(StudGame(), match, players, b"%d" % seed, number).settlement)
    return [player.answers for player in players if isinstance(player, Watched)]


@st.composite
def tables(draw: Callable[..., object]) -> tuple[list[int], list[Maker]]:
    stacks = draw(st.lists(st.integers(1, 40) | st.integers(1, 5000), min_size=2, max_size=17))
    assert isinstance(stacks, list)
    others = draw(st.lists(st.sampled_from([Watched, *YARDSTICKS]), min_size=len(stacks), max_size=len(stacks)))
    assert isinstance(others, list)
    return stacks, [Watched, *others[1:]]


@settings(max_examples=25)  # each plays four hands twice, at up to 17 seats
@given(tables(), st.integers(0, 2**32))
def test_answers_are_legal_and_repeatable(table: tuple[list[int], list[Maker]], seed: int) -> None:
    stacks, makers = table
    assert play(stacks, 1, makers, seed, 4) == play(stacks, 1, makers, seed, 4)


def test_a_raising_war_between_deep_stacks_ends() -> None:
    """Four of a kind that raise whenever they like their cards, with stacks for hundreds of raises a street."""
    assert all(play([20_000] * 4, 1, [Watched] * 3 + [Maniac], 3, 40))


def turn(hole: str, up: str, shown: str, pot: int, owed: int, stack: int = 200) -> StudTurn:
    cards = parse_cards(up)
    each = [parse_cards(seat) for seat in shown.split("/")]
    return StudTurn(len(cards), stack, pot, owed, parse_cards(hole)[0], cards, tuple(each))


def test_a_sure_winner_raises_as_much_as_allowed() -> None:
    bot = Stud(Random(1))
    assert bot.decide(turn("AS", "AH", "AH/7D/2C", 3, 0)) == Bet(10)
    assert bot.decide(turn("AS", "AH AD", "AH AD/7D 9C/2C 5H", 33, 20, 170)) == Bet(30)
    assert bot.decide(turn("AS", "AH AD", "AH AD/7D 9C/2C 5H", 93, 20, 24)) == Bet(24)


def test_a_loser_checks_for_nothing_and_never_pays() -> None:
    bot = Stud(Random(1))
    assert bot.decide(turn("2D", "7H", "7H/AS/KH", 3, 0)) == Bet(0)
    assert bot.decide(turn("2D", "7H 4C", "7H 4C/AS AC/KH KC", 3, 0)) == Bet(0)
    assert bot.decide(turn("2D", "7H 4C", "7H 4C/AS AC/KH KC", 43, 20)) == FOLD


def test_first_question_on_street_2_or_none_at_all() -> None:
    """A player who joins, or is first asked, in the middle of a hand."""
    asked = turn("2D", "7H 4C", "AS AC/7H 4C/KH KC", 43, 20)
    bot = Stud(Random(1))
    assert bot.decide(asked) in asked.legal()
    bot.hand_over(Status(False, parse_cards("9D AS AC")))
    Stud(Random(1)).hand_over(Status(True, parse_cards("2D 7H 4C")))


def bytecodes(work: Callable[[], object]) -> int:
    """How many instructions of the interpreter ``work`` takes: the same on a fast machine and on a slow one."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        nonlocal count
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("owed", [0, 10, 40])
def test_work_of_a_decision_at_17_seats(owed: int) -> None:
    """A slow laptop runs 40 million instructions a second: half a million take 13 ms of the 50 allowed.

    With the ace of spades in the hole no thought is cut short.
    """
    cards = [DECK[-1], *Random(owed).sample(DECK[:-1], 51)]
    bot = Stud(Random(1))
    for street in (1, 2):
        shown = tuple(tuple(cards[3 * seat + 1 : 3 * seat + 1 + street]) for seat in range(17))
        asked = StudTurn(street, 900, 17 + 17 * owed, owed, cards[0], shown[0], shown)
        bot.decide(asked)  # the first time fills tables that serve all later hands
        assert bytecodes(partial(bot.decide, asked)) < 500_000


def chips_of_stud(others: Sequence[Maker], hands: int, seed: bytes, stack: int = 200) -> Estimate:
    """Chips a hand of ``stud`` with stacks set back to ``stack`` before every hand."""
    players = [maker(Random(f"{seed!r} {seat}")) for seat, maker in enumerate((Stud, *others))]
    played = play_hands(StudGame(stack=stack), players, seed, hands, reset_stacks=True)
    return estimate([hand.settlement.payoffs[0] for hand in played])


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("others", "hands", "seed", "stack", "least"),
    [
        (YARDSTICKS, 20_000, b"twenty thousand", 500, 38),
        ([Tight] * 5, 20_000, b"five tight", 500, 1),
        *(([other], 10_000, b"one each", 200, 0) for other in YARDSTICKS),
    ],
)
def test_chips_a_hand_from_yardsticks(
    others: Sequence[Maker], hands: int, seed: bytes, stack: int, least: float
) -> None:
    assert chips_of_stud(others, hands, seed, stack).low > least


# Every deal is played once from each seat, so that much of the luck with cards evens out.


#: A game of six in which five are ``stud``.
OTHERS = 5

#: Chips a hand that a guest may make, at most, at the upper end of its interval.
NOTHING_MADE = 0.5


def guest_chips(guest: Maker, deals: int, seed: bytes) -> Estimate:
    """Chips a hand of one guest among five ``stud`` with equal stacks before every hand."""
    game, seats = StudGame(), OTHERS + 1
    tables = [
        [(guest if seat == place else Stud)(Random(f"{place} {seat}")) for seat in range(seats)]
        for place in range(seats)
    ]
    won = [
        fmean(
            play_hand(game, game.start(seats), table, seed, number).settlement.payoffs[place]
            for place, table in enumerate(tables)
        )
        for number in range(1, deals + 1)
    ]
    return estimate(won)


def places(names: Sequence[Maker], seed: str, stack: int, level_hands: int) -> list[float]:
    """The places, from 1, in a freezeout with antes that rise; who leaves in one hand shares the places."""
    game = StudGame(stack=stack)
    players = [maker(Random(f"{seed} {seat}")) for seat, maker in enumerate(names)]
    match: StudMatch = game.start(len(names))
    found, number = [1.0] * len(names), 0
    while len(match.seated) > 1:
        number += 1
        before = match.seated
        level = game.stakes.at_level(1 + number // level_hands)
        after = match.charge(level.smallest()).record(
            play_hand(game, match, players, seed_from_text(seed), number).settlement
        )
        match = after.charge(level.payable([after.stacks[player] for player in after.seated]))
        leaving = [player for player in before if player not in match.seated]
        for player in leaving:
            found[player] = len(match.seated) + (len(leaving) + 1) / 2
    return found


def lead_over_tight(tournaments: int, stack: int, level_hands: int) -> Estimate:
    """By how many places four ``stud`` come before four ``tight`` on average."""
    leads = []
    for number in range(tournaments):
        names: list[Maker] = [Stud, Tight] * 4
        Random(number).shuffle(names)
        found = places(names, f"levels {number}", stack, level_hands)
        of = {maker: [place for place, name in zip(found, names, strict=True) if name is maker] for maker in names}
        leads.append(fmean(of[Tight]) - fmean(of[Stud]))
    return estimate(leads)


def test_every_raise_of_a_counting_player_tells_of_better_cards() -> None:
    """With each raise the average quality of what it may hold rises, on either street."""
    for shown in (["4D", "9C", "JH"], ["4D 8C", "9C 2S", "JH 5D"]):
        cards = [parse_cards(up) for up in shown]
        unseen = unseen_kinds(card for up in cards for card in up)
        ups = [tuple(card.rank for card in up) for up in cards]
        quality = qualities(ups, unseen)[0]
        rival = Rival([float(habit == COUNT - 1) for habit in range(COUNT)])
        rival.deal(ups[0], quality, 3)
        means = []
        for _ in range(4):
            held = [card * many for card, many in zip(rival.holding().held, unseen, strict=True)]
            means.append(sum(map(float.__mul__, held, quality)) / sum(held))
            rival.acted(1.0, rival.raise_chance(unseen), priced=True)
        assert means == sorted(means)
        assert means[-1] > means[0] + 0.5


def test_a_raise_is_no_news_of_a_player_who_raises_with_any_cards() -> None:
    up = parse_card("4D")
    unseen = unseen_kinds([up])
    rival = Rival([float(habit == 1) for habit in range(COUNT)])
    rival.deal((up.rank,), [1.0] * 26, 2)
    rival.acted(1.0, rival.raise_chance(unseen), priced=True)
    held = rival.holding().held
    assert held[kind_of(parse_card("AS"))] == pytest.approx(held[kind_of(parse_card("2C"))])


@pytest.mark.heavy
def test_eight_of_a_kind_do_not_ruin_each_other() -> None:
    """Seven of eight were broke within 20 hands when a raise moved no estimate."""
    players = [Stud(Random(seat)) for seat in range(8)]
    game = StudGame()
    match = game.start(8)
    for number in range(1, 21):
        match = match.record(play_hand(game, match, players, seed_from_text("eight"), number).settlement)
    assert len(match.seated) >= 7


def asked(hole: str, shown: str, stack: int, pot: int, owed: int) -> StudTurn:
    """A question on street 1, in which the first of the up cards is the bot's own."""
    ups = tuple((card,) for card in parse_cards(shown))
    return StudTurn(1, stack, pot, owed, parse_card(hole), ups[0], ups)


def after_stacks_of(stacks: Sequence[int], question: StudTurn) -> Action:
    """The answer of a bot that has begun earlier hands with ``stacks``."""
    bot = Stud(Random(1))
    for stack in stacks:
        bot.decide(asked("2D", "7H KH 9S", stack, 3, 0))
        bot.hand_over(Status(False, parse_cards("9D KH AC")))
    return bot.decide(question)


@pytest.mark.parametrize(
    ("hole", "shown", "bold", "careful"), [("JS", "6C KS 7H", Bet(20), Bet(10)), ("4C", "JS AH 9C", Bet(10), FOLD)]
)
def test_where_stacks_are_kept_it_risks_less(hole: str, shown: str, bold: Action, careful: Action) -> None:
    question = asked(hole, shown, 100, 80, 10)
    assert after_stacks_of([100, 100], question) == bold
    assert after_stacks_of([100, 90], question) == careful


@pytest.mark.heavy
@pytest.mark.parametrize("guest", [Tight, PairOrFold, Caller, RandomBettor, Maniac])
def test_a_guest_among_five_makes_nothing(guest: Maker) -> None:
    assert guest_chips(guest, 400, b"guest").high < NOTHING_MADE


@pytest.mark.heavy
def test_better_places_than_tight_where_antes_rise() -> None:
    assert lead_over_tight(30, 500, 20).low > 0
