"""The cases of stud are what they say, for every seed."""

from collections import Counter, defaultdict
from collections.abc import Callable
from random import Random

import pytest

from dealer.checker.cases.deals import Deal
from dealer.checker.cases.stud import CASES
from dealer.checker.cases.stud.boards import BOARDS, CONTRASTS, PAIRS, is_noticed
from dealer.checker.cases.stud.situations import PLAY, SITUATIONS, VARIANTS, Judged, Situation
from dealer.checker.cases.stud.stud_deals import (
    KINDS,
    hands_of_all_kinds,
    hands_without_questions,
    quiet_hands,
    short_stacks,
)
from dealer.checker.scoring.findings import Findings, Played
from dealer.checker.scoring.rubric import Line
from dealer.checker.scoring.verdict import judge
from dealer.checker.session.examiner import kinds_of
from protocol.cards import DECK, Rank, Suit
from protocol.games.base import FOLD, Bet
from protocol.games.stud import StudTurn
from tests.dealer.checker.played_deals import played

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_hands_of_all_kinds_hold_all_kinds(seed: int) -> None:
    kinds: Counter[str] = Counter()
    seats = set()
    for deal in hands_of_all_kinds(Random(seed), 200):
        seats.add(len(deal.hand.stacks))
        for asked in played(deal)[0]:
            kinds.update([*kinds_of(asked.turn, asked.street, again=asked.again), *CASES.kinds(asked.turn)])
    assert seats == set(range(2, 18))
    assert kinds["questions"] > 300
    for kind in ("nothing owed", "something owed", "raised again", "short stack", "a ten", "street 1", "street 2"):
        assert kinds[kind] > 20, kind
    assert 40 < kinds["a spade in the hole"] < kinds["questions"] / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_results_without_questions_show_every_card(seed: int) -> None:
    *silent, last = hands_without_questions(Random(seed))
    seen = set()
    outcomes = set()
    for deal in silent:
        asked, settlement = played(deal)
        assert asked == []
        status = settlement.statuses()[deal.seat]
        outcomes.add(status.won)
        seen |= set(status.cards)
    assert seen == set(DECK)
    assert outcomes == {True, False}
    assert played(last)[0]
    assert last.stop_after == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_quiet_hands_hold_no_ten(seed: int) -> None:
    for deal in quiet_hands(Random(seed), 4):
        asked, settlement = played(deal)
        assert {one.street for one in asked} == {1, 2}
        assert not any(card.text.startswith("10") for card in settlement.cards)
        assert not any("a ten" in kinds_of(one.turn, one.street, again=one.again) for one in asked)


@pytest.mark.parametrize("seed", SEEDS)
def test_quiet_hands_raise_behind_the_program_on_both_streets_and_then_not_at_all(seed: int) -> None:
    wild, quiet = quiet_hands(Random(seed), 2)
    raised_turns, quiet_turns = called(wild), called(quiet)
    assert [(turn.street, turn.owed) for turn in raised_turns] == [(1, 0), (1, 5), (2, 0), (2, 5)]
    assert [(turn.street, turn.owed) for turn in quiet_turns] == [(1, 0), (2, 0)]
    assert all(strength_of(turn) not in ("pair", "three") for turn in raised_turns)
    assert all(strength_of(turn) in ("pair", "three") for turn in quiet_turns)


def called(deal: Deal) -> list[StudTurn]:
    """The questions to a program that always calls."""
    hand, turns = deal.hand, list[StudTurn]()
    while (seat := hand.to_act) is not None:
        if seat == deal.seat:
            turn = hand.view(seat)
            assert isinstance(turn, StudTurn)
            turns.append(turn)
            deal.watch(turn, Bet(turn.owed))
        hand = hand.apply(deal.others(hand) if seat != deal.seat else Bet(hand.legal().to_call))
    return turns


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "play", [called, lambda deal: [asked.turn for asked in played(deal)[0]]], ids=["call", "raise"]
)
def test_short_stacks_leave_every_number_of_chips_to_every_strength(
    play: Callable[[Deal], list[StudTurn]], seed: int
) -> None:
    met: dict[tuple[int, str], set[int]] = defaultdict(set)
    for deal in short_stacks(Random(seed), KINDS):
        for turn in play(deal):
            met[turn.street, strength_of(turn)].add(turn.stack - turn.owed)
    for street, strengths in ((1, ("pair", "spade", "nothing")), (2, ("three", "pair", "spade", "nothing"))):
        for strength in strengths:
            assert met[street, strength] >= set(range(10)), (street, strength)


def strength_of(turn: StudTurn) -> str:
    same = max(Counter(card.rank for card in turn.own).values())
    if same > 1:
        return "three" if same == 3 else "pair"
    return "spade" if turn.hole.suit is Suit.SPADES and turn.hole.rank >= Rank.JACK else "nothing"


def test_no_more_short_stacks_are_dealt_than_asked_for() -> None:
    assert len(list(short_stacks(Random(1), 20))) == 20
    assert len(list(short_stacks(Random(1), 10_000))) == KINDS


def folded(situation: Situation, folds: Callable[[StudTurn], bool]) -> Judged:
    """A situation met by a program that folds some questions of street 1, and calls all others."""
    judged = Judged(situation, "seed")
    while deals := judged.deals():
        for deal in deals:
            hand = deal.hand
            while (seat := hand.to_act) is not None:
                if seat != deal.seat:
                    hand = hand.apply(deal.others(hand))
                    continue
                turn = hand.view(seat)
                assert isinstance(turn, StudTurn)
                action = FOLD if turn.street == 1 and folds(turn) else Bet(turn.owed)
                deal.watch(turn, action)
                hand = hand.apply(action)
    return judged


def test_fold_of_low_cards_with_nothing_owed_is_sensible_on_the_first_street() -> None:
    (low,) = (one for one in SITUATIONS if one.name.startswith("two low cards, nothing owed"))
    question = low.scene(Random(0)).question()
    assert question is not None
    assert low.sensible(question, FOLD)


TRIPS = next(situation for situation in SITUATIONS if situation.name == "three of a kind, raised twice: stay")


def test_program_is_judged_in_hands_in_which_it_stays_to_the_street() -> None:
    judged = folded(TRIPS, lambda turn: turn.hole.rank < Rank.JACK)
    assert len(judged.seen) == VARIANTS < judged.dealt
    assert all(seen.turn.street == 2 and seen.turn.hole.rank >= Rank.JACK for seen in judged.seen)
    findings = Findings()
    judged.write_down(findings)
    assert [one.good for one in findings.played] == [True]


def test_program_that_always_folds_before_is_not_judged() -> None:
    judged = folded(TRIPS, lambda _: True)
    findings = Findings()
    judged.write_down(findings)
    assert [one.good for one in findings.played] == [None]
    assert judge(findings, [Line(PLAY, 40, "plays", play=True)]).lines[0].verdict == "not judged"


@pytest.mark.parametrize(
    ("gaps", "noticed"),
    [
        ([0] * 10, False),
        ([0] * 9 + [5], False),
        ([0] * 8 + [5, 1], True),
        ([0] * 7 + [5, 1, -1], False),
        ([5] * 9 + [-1], True),
        ([5] * 8 + [0, -1], True),
        ([5] * 7 + [0, 0, -1], False),
        ([5] * 8 + [-1, -1], False),
    ],
)
def test_boards_are_noticed_if_the_play_differs_and_in_one_direction(gaps: list[int], noticed: bool) -> None:
    assert is_noticed(gaps) is noticed


def test_enough_contrasts_give_all_points() -> None:
    line = Line(BOARDS, 20, "looks", play=True, enough=3)

    def points(*good: bool | None) -> float:
        return judge(Findings(played=[Played(BOARDS, "", one, "") for one in good]), [line]).points

    assert points(True, True, True, False, False) == 20
    assert points(True, False, False, False) == pytest.approx(20 / 3)
    assert points(True, None, None) == 20
    assert points(False, False, False) == 0


def test_situations_are_what_they_say() -> None:
    for situation in SITUATIONS:
        for seed in SEEDS:
            question = situation.scene(Random(seed)).question()
            assert question is not None, (situation.name, seed)
            assert question.owed in situation.owed, (situation.name, seed)
            assert situation.owed.start == 0 or question.owed <= question.stack, (situation.name, seed)
            sensible = {situation.sensible(question, action) for action in [FOLD, *question.legal()]}
            assert sensible == {True, False}, (situation.name, seed)


def test_two_boards_differ_in_cards_of_others_only() -> None:
    for contrast in CONTRASTS:
        for seed in SEEDS:
            for number in range(PAIRS):
                better, worse = (scene.question() for scene in contrast.scenes(Random(seed), number))
                assert better is not None, (contrast.name, seed, number)
                assert worse is not None, (contrast.name, seed, number)
                assert better.owed == contrast.owed, (contrast.name, seed, number)
                assert better._replace(shown=()) == worse._replace(shown=()), (contrast.name, seed, number)
                assert better.shown != worse.shown, (contrast.name, seed, number)
