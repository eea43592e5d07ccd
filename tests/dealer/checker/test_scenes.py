"""What is asked are real positions: every question comes from the rules of the game, whatever the seed."""

from collections import Counter
from random import Random

import pytest

from dealer.checker.cases.boards import CONTRASTS, PAIRS
from dealer.checker.cases.deals import Deal, blockhead_deals, call, news_deals, quiet_stud_deals, stud_deals
from dealer.checker.cases.parts import parts_of
from dealer.checker.cases.stud_situations import SITUATIONS
from dealer.checker.session.judged_hand import kinds_of
from protocol.cards import DECK, Card
from protocol.games.base import FOLD, Bet, Settlement
from protocol.games.blockhead import BlockheadTurn
from protocol.games.stud import StudTurn

SEEDS = range(12)


def played(deal: Deal) -> tuple[list[tuple[StudTurn | BlockheadTurn, bool]], Settlement]:
    """The questions of a hand to a program that raises by one once a street and then calls, and how it ended."""
    hand, asked, streets = deal.hand, [], list[int]()
    while (seat := hand.to_act) is not None:
        if seat != deal.seat:
            hand = hand.apply(deal.others(hand))
            continue
        turn, again = hand.view(seat), hand.number in streets
        asked.append((turn, again))
        streets.append(hand.number)
        legal = turn.legal()
        raise_ = Bet(turn.owed + 1)
        hand = hand.apply(raise_ if not again and raise_ in legal else call(hand))
    settlement = hand.settle()
    deal.over(settlement)
    return asked, settlement


@pytest.mark.parametrize("seed", SEEDS)
def test_hands_of_all_kinds_hold_all_kinds(seed: int) -> None:
    kinds: Counter[str] = Counter()
    seats = set()
    for deal in stud_deals(Random(seed), 200):
        seats.add(len(deal.hand.stacks))
        for turn, again in played(deal)[0]:
            kinds.update(kinds_of(turn, len(turn.up), again))
    assert seats == set(range(2, 18))
    assert kinds["questions"] > 300
    for kind in ("nothing owed", "something owed", "raised again", "short stack", "a ten", "street 1", "street 2"):
        assert kinds[kind] > 20, kind
    assert 40 < kinds["a spade in the hole"] < kinds["questions"] / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_news_without_questions_show_every_card(seed: int) -> None:
    *silent, last = news_deals(Random(seed))
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
def test_the_first_hands_hold_no_ten(seed: int) -> None:
    for deal in quiet_stud_deals(Random(seed), 4):
        asked, settlement = played(deal)
        assert {len(turn.up) for turn, _ in asked} == {1, 2}
        assert not any(card.text.startswith("10") for card in settlement.cards)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_a_situation_is_what_it_says(situation: object, seed: int) -> None:
    assert situation in SITUATIONS
    (found,) = (one for one in SITUATIONS if one is situation)
    question = found.scene(Random(seed)).question()
    assert question is not None
    assert question.owed in found.owed
    assert found.owed.start == 0 or question.owed <= question.stack
    actions = [FOLD, *question.legal()]
    assert any(found.sensible(question, action) for action in actions)
    assert not all(found.sensible(question, action) for action in actions)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("contrast", CONTRASTS, ids=lambda contrast: contrast.name)
def test_two_boards_differ_in_nothing_but_cards_of_others(contrast: object, seed: int) -> None:
    (found,) = (one for one in CONTRASTS if one is contrast)
    for number in range(PAIRS):
        better, worse = (scene.question() for scene in found.scenes(Random(seed), number))
        assert better is not None
        assert worse is not None
        assert better._replace(shown=()) == worse._replace(shown=())
        assert better.shown != worse.shown


def test_a_game_of_blockhead_goes_on_with_the_same_chips() -> None:
    seen = []
    for deal in blockhead_deals(Random(1), 2, 5):
        seen.append((deal.before, deal.hand.starting))
        played(deal)
    assert len(seen) == 10
    assert [before is not None for before, _ in seen] == [True, *[False] * 4] * 2
    assert set(seen[0][1]) == set(seen[5][1]) == {1000}
    assert set(seen[1][1]) != {1000}


@pytest.mark.parametrize("game", ["stud", "blockhead"])
def test_the_seed_decides_everything(game: str) -> None:
    def decks(seed: str) -> list[tuple[int, tuple[Card, ...]]]:
        parts = parts_of(game, seed, 40)
        dealt = []
        for deal in (deal for part in parts for deal in part.deals):
            played(deal)
            dealt.append((deal.seat, deal.hand.deck))
        return dealt

    assert decks("a") == decks("a")
    assert decks("a") != decks("b")
