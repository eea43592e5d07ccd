"""The cases of stud are what they say, for every seed."""

from collections import Counter
from random import Random

import pytest

from dealer.checker.cases.stud import CASES
from dealer.checker.cases.stud.boards import CONTRASTS, PAIRS, Contrast
from dealer.checker.cases.stud.situations import SITUATIONS, Situation
from dealer.checker.cases.stud.stud_deals import hands_of_all_kinds, hands_without_questions, quiet_hands
from dealer.checker.session.checked_hand import kinds_of
from protocol.cards import DECK
from protocol.games.base import FOLD
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
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_situation_is_what_it_says(situation: Situation, seed: int) -> None:
    question = situation.scene(Random(seed)).question()
    assert question is not None
    assert question.owed in situation.owed
    assert situation.owed.start == 0 or question.owed <= question.stack
    actions = [FOLD, *question.legal()]
    assert any(situation.sensible(question, action) for action in actions)
    assert not all(situation.sensible(question, action) for action in actions)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("contrast", CONTRASTS, ids=lambda contrast: contrast.name)
def test_two_boards_differ_in_cards_of_others_only(contrast: Contrast, seed: int) -> None:
    for number in range(PAIRS):
        better, worse = (scene.question() for scene in contrast.scenes(Random(seed), number))
        assert better is not None
        assert worse is not None
        assert better._replace(shown=()) == worse._replace(shown=())
        assert better.shown != worse.shown
