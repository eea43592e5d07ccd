"""Hands worth seeing, and how they are shown again."""

from typing import Any

from dealer.ledger.played_hand import HandRecord
from dealer.web.highlights import EARLY_HANDS, RARE, Highlights
from dealer.web.slow_motion import ACTION_SECONDS, BETWEEN_SECONDS, DEAL_SECONDS, END_SECONDS, SlowMotion
from dealer.web.table_view import RUN_OUT_SECONDS
from protocol.cards import DECK
from tests.dealer.web.test_page_secrets import deal, stage


def finished(hand: int, **changes: Any) -> tuple[dict[str, Any], HandRecord]:
    """A hand between two players who check to its end, with other facts than it has."""
    _, tournament = stage("stud", 2)
    table = deal(tournament, DECK)
    facts = table.finish()
    assert table.last is not None
    played = table.last.record._replace(deal=table.last.record.deal._replace(number=hand))
    usual = {"players": (4, 7), "stacks": (500, 500), "payoffs": (1, -1), "pot": 2}
    return {**facts, **usual, **changes}, played


def heard(*hands: dict[str, Any], early: int = EARLY_HANDS, is_show: bool = True) -> Highlights:
    """What is made of hands after some usual ones."""
    _, tournament = stage("stud", 2)
    highlights = Highlights(tournament.settings.game, eliminates=True)
    for number, changes in enumerate([{}] * early + list(hands), start=1):
        highlights.hear(*finished(number, **changes), is_show)
    return highlights


async def test_largest_pot_and_best_hands_are_kept() -> None:
    highlights = heard({"payoffs": (-9, 9), "pot": 20}, {"payoffs": (3, -3), "pot": 6}, is_show=False)
    assert highlights.largest is not None
    assert highlights.largest[:3] == (7, 9, 20)
    assert {player: win.chips for player, win in highlights.best.items()} == {4: 3, 7: 9}
    assert highlights.newest is None


async def test_win_is_told_in_words() -> None:
    _, tournament = stage("stud", 2)
    table = deal(tournament, DECK[::-1])
    record = table.finish()
    assert table.last is not None
    highlights = Highlights(tournament.settings.game, eliminates=True)
    highlights.hear(record, table.last.record, is_show=False)
    assert highlights.largest is not None
    assert highlights.largest.why(tournament.settings.game).startswith(table.last.settlement.pots[0].why)


async def test_knock_out_comes_before_the_largest_pot() -> None:
    newest = heard({"payoffs": (500, -500), "pot": 1000}).newest
    assert newest is not None
    assert newest[1:] == ("out", 7, "")


async def test_largest_pot_is_worth_seeing_unless_it_is_early() -> None:
    newest = heard({"payoffs": (-9, 9), "pot": 20}).newest
    assert newest is not None
    assert newest[1:] == ("pot", 7, "")
    assert heard({"payoffs": (-9, 9), "pot": 20}, early=3).newest is None


async def test_hand_that_gave_the_lead_is_worth_seeing() -> None:
    highlights = heard({"payoffs": (-1, 1)})
    assert highlights.newest is None
    highlights.lead_taken(7)
    assert highlights.newest is not None
    assert (highlights.newest.kind, highlights.newest.record.deal.number) == ("leader", EARLY_HANDS + 1)


async def test_usual_kind_of_hand_is_not_rare() -> None:
    assert heard({}, early=RARE + 5).newest is None


async def test_hand_is_shown_again_action_by_action() -> None:
    highlights = heard({"payoffs": (500, -500), "pot": 1000})
    slow = SlowMotion(stage("stud", 2)[1].settings.game)
    slow.offer(highlights.newest, 100, wanted=True)

    def actions(now: float) -> tuple[int, bool] | None:
        replayed = slow.at(now)
        return replayed and (len(replayed.shown.record.actions), replayed.shown.over)

    assert highlights.newest is not None
    count = len(highlights.newest.record.actions)
    begins = 100 + DEAL_SECONDS + 0.01
    assert actions(100) == (0, False)
    assert [actions(begins + ACTION_SECONDS * number) for number in range(count)] == [
        (number + 1, False) for number in range(count)
    ]
    ends = begins + ACTION_SECONDS * count
    assert actions(ends) == (count, True)
    assert actions(ends + END_SECONDS + RUN_OUT_SECONDS * 3) is None
    assert actions(100) is None


async def test_hand_that_is_shown_again_gives_way() -> None:
    slow = SlowMotion(stage("stud", 2)[1].settings.game)
    slow.offer(heard({"payoffs": (500, -500), "pot": 1000}).newest, 100, wanted=True)
    slow.stop()
    assert slow.at(101) is None


async def test_hands_are_not_shown_again_one_after_the_other() -> None:
    first = heard({"payoffs": (500, -500), "pot": 1000}).newest
    second = heard({"payoffs": (-500, 500), "pot": 1000}).newest
    third = heard({"payoffs": (-500, 500), "pot": 1000}).newest
    slow = SlowMotion(stage("stud", 2)[1].settings.game)
    slow.offer(first, 0, wanted=True)
    slow.offer(second, 5, wanted=True)
    slow.offer(second, BETWEEN_SECONDS, wanted=True)  # it was offered, and is old news
    assert slow.at(BETWEEN_SECONDS) is None
    slow.offer(third, BETWEEN_SECONDS, wanted=True)
    assert slow.at(BETWEEN_SECONDS) is not None
