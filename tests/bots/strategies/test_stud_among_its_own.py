"""The stud bot among its own kind: raises say something about cards, and nobody lives on its quarrels.

Every deal is played once from each seat, so that much of the luck with cards evens out.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev

import pytest

from bots.arena import play_hand
from bots.strategies.caller import Caller
from bots.strategies.maniac import Maniac
from bots.strategies.pair_or_fold import PairOrFold
from bots.strategies.random_bettor import RandomBettor
from bots.strategies.stud import Stud
from bots.strategies.stud_chances import kind_of, unseen_kinds
from bots.strategies.stud_habits import COUNT
from bots.strategies.stud_quality import qualities
from bots.strategies.stud_rival import Rival
from bots.strategies.tight import Tight
from bots.strategy import Maker
from protocol.cards import parse_card, parse_cards
from protocol.games.base import FOLD, Action, Bet, Status
from protocol.games.stud import StudGame, StudMatch, StudTurn
from protocol.shuffle import seed_from_text

#: A game of six in which five are ``stud``.
OTHERS = 5

#: Chips a hand that a guest may make, at most, at the upper end of its interval.
NOTHING_MADE = 0.5


def guest_chips(guest: Maker, deals: int, seed: bytes) -> tuple[float, float]:
    """The mean of one guest among five ``stud`` with equal stacks before every hand, and half its 95 % interval."""
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
    return fmean(won), 1.96 * stdev(won) / deals**0.5


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


def lead_over_tight(tournaments: int, stack: int, level_hands: int) -> tuple[float, float]:
    """By how many places four ``stud`` come before four ``tight`` on average, and half the 95 % interval."""
    leads = []
    for number in range(tournaments):
        names: list[Maker] = [Stud, Tight] * 4
        Random(number).shuffle(names)
        found = places(names, f"levels {number}", stack, level_hands)
        of = {maker: [place for place, name in zip(found, names, strict=True) if name is maker] for maker in names}
        leads.append(fmean(of[Tight]) - fmean(of[Stud]))
    return fmean(leads), 1.96 * stdev(leads) / tournaments**0.5


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
    mean, margin = guest_chips(guest, 400, b"guest")
    assert mean + margin < NOTHING_MADE


@pytest.mark.heavy
def test_better_places_than_tight_where_antes_rise() -> None:
    mean, margin = lead_over_tight(30, 500, 20)
    assert mean - margin > 0
