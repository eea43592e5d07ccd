"""What the page tells beside a table: moments, highlights, honours, all tables in brief, and its history."""

import json
from typing import Any

import pytest
from msgspec.structs import replace as with_fields
from trio.testing import MockClock

from dealer.journal.records import FinishedHandRecord
from dealer.ledger.played_hand import HandRecord
from dealer.settings import Settings
from dealer.telling.moments import EARLY_HANDS, RARE
from dealer.telling.scene import ACTION_SECONDS, DEAL_SECONDS, END_SECONDS, RUN_OUT_SECONDS
from dealer.tournament.figures import Rate, stage_of, tables_of
from dealer.tournament.scene import Scene
from dealer.web.board import RECENT_SECONDS, Recent, Stood
from dealer.web.highlights import LEADER_SECONDS, Highlights, Moments, Win
from dealer.web.table_views import BETWEEN_SECONDS, SlowMotion
from protocol.cards import DECK
from protocol.events import Acted, TableFigures
from protocol.games.base import Bet
from protocol.games.stud import StudGame
from tests.dealer.support.rig import SEED, by_chance, call, good_clients, open_rig
from tests.dealer.support.stage import NearBoard
from tests.dealer.web.test_page_secrets import deal, parts, stage


def board(*, leader: int = 0, level: int | None = 1, stage: str | None = None, hand: int = 100) -> dict[str, Any]:
    rows = [{"player": leader, "place": 1, "score": 900}, {"player": 1 - leader, "place": 2, "score": 100}]
    return {"rows": rows, "level": level, "stage": stage, "hand": hand}


def news(*out: tuple[int, str, str]) -> dict[str, Any]:
    return {"out": [[player, 9, kind, why] for player, kind, why in out], "faults": []}


def told(moments: Moments) -> list[tuple[Any, ...]]:
    return [tuple(moment[1:]) for moment in moments.latest]


def begun() -> Moments:
    moments = Moments()
    moments.note(board(), news((5, "out", "broke")), None, 0)
    assert told(moments) == []  # what was before anybody watched is no news
    return moments


def test_knock_outs_are_told_with_their_reasons_in_their_order() -> None:
    moments = begun()
    moments.note(board(), news((7, "late", "no reply within 1 s"), (6, "out", "broke"), (5, "out", "broke")), None, 1)
    assert told(moments) == [("out", 6, "broke", 0), ("out", 7, "late: no reply within 1 s", 0)]
    assert [moment.number for moment in moments.latest] == [1, 2]


def test_level_and_stage_are_told_once() -> None:
    moments = begun()
    for stage_name in ("final", "final", "heads-up", None):
        moments.note(board(level=2, stage=stage_name), news((5, "out", "broke")), None, 1)
    assert told(moments) == [("level", None, "", 2), ("final", None, "", 0), ("heads-up", None, "", 0)]


def test_leaders_are_told_now_and_then() -> None:
    moments = begun()
    for leader, now in ((1, 1), (0, 5), (1, 6), (0, 1 + LEADER_SECONDS)):
        moments.note(board(leader=leader), news(), None, now)
    assert told(moments) == [("leader", 1, "", 900), ("leader", 0, "", 900)]


def test_shared_lead_is_nobodys() -> None:
    moments = begun()
    shared = board(leader=1)
    shared["rows"][1]["place"] = 1
    moments.note(shared, news(), None, 1)
    assert told(moments) == []


async def test_only_larger_pots_are_huge_and_none_at_the_start() -> None:
    moments = begun()
    for pot, hand in ((10, 3), (20, 100), (20, 101), (15, 102)):
        moments.note(board(hand=hand), news(), Win(4, 5, pot, finished(hand)[1]), 1)
    assert told(moments) == [("pot", 4, "", 20)]


@pytest.mark.parametrize("duplicate", [False, True])
async def test_podium_honours_hands_and_times(tcp_clock: MockClock, duplicate: bool) -> None:
    settings = Settings(SEED, StudGame(), hands=40, duplicate=duplicate)
    async with open_rig(settings) as rig:
        await rig.admit(*good_clients(3, by_chance(1)))
        pots: list[tuple[int, int]] = []
        rig.journal.tell(
            lambda records: pots.extend((one.pot, one.hand) for one in records if isinstance(one, FinishedHandRecord))
        )
        scene = Scene(rig.opening, journal=rig.journal)
        board = NearBoard(scene)
        board.look()
        scene.tournament = tournament = rig.begin()
        standings = await tournament.run()
        with board.watched(None, "127.0.0.1"):
            facts = parts(board.since(0, None))["board"]
    honours = facts["honours"]
    winner = tournament.players.index(standings[0].player)
    assert honours["best"][0] == winner
    assert 0 < honours["best"][1] <= honours["pot"][1] == max(pot for pot, _ in pots)
    assert (honours["pot"][1], honours["pot"][2]) in pots
    assert bool(honours["pot"][3]) is not duplicate  # whose cards are dealt again, and stay hidden
    median = {number: player.reply_times.quantile(0.5) or 0 for number, player in enumerate(tournament.players)}
    assert median[honours["fastest"][0]] == min(median.values())
    assert honours["steadiest"][1] >= honours["fastest"][1]


async def test_few_replies_are_not_compared(tcp_clock: MockClock) -> None:
    async with open_rig(Settings(SEED, StudGame(), hands=1)) as rig:
        await rig.admit(*good_clients(2))
        scene = Scene(rig.opening, journal=rig.journal)
        scene.tournament = rig.begin()
        await scene.tournament.run()
        board = NearBoard(scene)
        with board.watched(None, "127.0.0.1"):
            honours = parts(board.since(0, None))["board"]["honours"]
    assert (honours["fastest"], honours["steadiest"], honours["pot"]) == (None, None, None)


async def test_only_table_is_listed_without_its_pot() -> None:
    _, tournament = stage("stud", 2)
    deal(tournament, DECK)
    assert tables_of(tournament) == [TableFigures(0, 1, 0, ((0, 500), (1, 500)))]


async def test_pot_grows_with_every_bet_and_stays_after_the_hand() -> None:
    _, tournament = stage("stud", 4, table_size=2)
    table = deal(tournament, DECK)
    pots = []
    for bet in (5, 5, 0, 0):
        pots.append(tables_of(tournament)[0].pot)
        table.act(Bet(bet))
    table.finish()
    pots.append(tables_of(tournament)[0].pot)
    assert pots == [2, 7, 12, 12, 12]
    assert tables_of(tournament)[1] == TableFigures(1, 0, 0, ((1, 500), (3, 500)))


async def test_stages_follow_each_other_as_players_leave() -> None:
    _, tournament = stage("stud", 6, table_size=3, games=1)
    first, second = tournament.tables

    def leave(number: int) -> str | None:
        tournament.ledger.leave(tournament.players[number], 1, 500, "you are out: broke")
        for table in (first, second):
            tournament.ledger.tidy(table)
        return stage_of(tournament)

    assert stage_of(tournament) is None
    assert [leave(number) for number in (1, 3, 5, 0, 2)] == [None, None, "final", "heads-up", None]
    assert tables_of(tournament)


async def test_games_without_knock_outs_have_no_final_table() -> None:
    _, tournament = stage("stud", 2, games=1)
    assert stage_of(tournament) is None


def finished(hand: int, **changes: Any) -> tuple[FinishedHandRecord, HandRecord]:
    """A hand between two players who check to its end, with other facts than it has."""
    _, tournament = stage("stud", 2)
    table = deal(tournament, DECK)
    record = table.finish()
    assert table.last is not None
    played = table.last.record._replace(deal=table.last.record.deal._replace(number=hand))
    usual = {"players": (4, 7), "stacks": (500, 500), "payoffs": (1, -1), "pot": 2}
    return with_fields(record, **{**usual, **changes}), played


def heard(*hands: dict[str, Any], early: int = EARLY_HANDS, is_show: bool = True) -> Highlights:
    """What is made of hands after some usual ones."""
    highlights = Highlights(StudGame())
    for number, changes in enumerate([{}] * early + list(hands), start=1):
        highlights.hear(*finished(number, **changes), is_show=is_show, eliminates=True)
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
    highlights = Highlights(StudGame())
    highlights.hear(record, table.last.record, is_show=False, eliminates=True)
    assert highlights.largest is not None
    assert highlights.largest.why(StudGame()).startswith(table.last.settlement.pots[0].why)


async def test_knock_out_comes_before_the_largest_pot_which_is_worth_seeing_unless_it_is_early() -> None:
    for changes, kind in (({"payoffs": (500, -500), "pot": 1000}, "out"), ({"payoffs": (-9, 9), "pot": 20}, "pot")):
        newest = heard(changes).newest
        assert newest is not None
        assert newest[1:] == (kind, 7, "")
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
        if replayed is None:
            return None
        shown = replayed.shown
        told = shown.ended.actions if shown.ended else [event for event in shown.events if isinstance(event, Acted)]
        return len(told), shown.ended is not None

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


def test_gains_compare_with_recent_standings() -> None:
    recent = Recent()
    assert recent.before(0) is None
    for second in range(60):
        recent.note(second, {0: Stood(1, second)})
    before = recent.before(0)
    assert before is not None
    assert before.chips == 59 - RECENT_SECONDS
    assert recent.before(1) is None


def test_rate_measures_recent_growth() -> None:
    rate = Rate()
    assert rate.per_second == 0
    rate.note(0.0, 0)
    assert rate.per_second == 0
    for tenth in range(1, 100):
        rate.note(tenth / 10, tenth)
    assert round(rate.per_second) == 10
    for tenth in range(100, 200):
        rate.note(tenth / 10, 99)
    assert rate.per_second == 0


async def curves_of(settings: Settings) -> dict[str, Any]:
    """Play a tournament of three players, and return the facts of the event ``curves`` for a viewer who comes after."""
    async with open_rig(settings) as rig:
        await rig.admit(*good_clients(3, call))
        scene = Scene(rig.opening, journal=rig.journal)
        board = NearBoard(scene)
        board.look()
        scene.tournament = rig.begin()
        await scene.tournament.run()
        with board.watched(None, "127.0.0.1"):
            messages = board.since(0, None).decode().split("\n\n")
    (curves,) = (message for message in messages if message.startswith("event: curves"))
    facts: dict[str, Any] = json.loads(curves.partition("data: ")[2])
    return facts


async def test_fast_tournament_still_has_curves(tcp_clock: MockClock) -> None:
    """A fast table plays hundreds of hands in the time of one look; the journal tells the page of each."""
    settings = Settings(SEED, StudGame(), hands=60)
    hands = (await curves_of(settings))["hands"]
    assert (hands[0], hands[-1]) == (0, 60)
    assert len(hands) > 30


async def test_curves_of_a_round_robin_begin_with_the_first_stack(tcp_clock: MockClock) -> None:
    """Their chips are averages over games; a player who has not finished one has no average of 0."""
    settings = Settings(SEED, StudGame(), hands=5, format="round-robin")
    lines = (await curves_of(settings))["lines"]
    assert all(chips > 0 for _, points in lines for chips in points)


async def test_curves_of_a_round_robin_move_during_games(tcp_clock: MockClock) -> None:
    """In the first round two of the three play the first game of 30 hands."""
    facts = await curves_of(Settings(SEED, StudGame(), hands=30, format="round-robin"))
    during = [
        [chips for hand, chips in zip(facts["hands"], line, strict=True) if hand < 30] for _, line in facts["lines"]
    ]
    assert sorted(len(set(chips)) > 1 for chips in during) == [False, True, True]
    assert all(chips[0] == StudGame().start(2).stacks[0] for chips in during)
