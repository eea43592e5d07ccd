"""What the page tells beside a table: moments, highlights, honours, all tables in brief, and its history."""

import json
from typing import Any

import pytest
from msgspec.structs import replace as with_fields
from trio.testing import MockClock

from dealer.feed.told import Played
from dealer.journal.records import FinishedHandRecord
from dealer.settings import Settings
from dealer.telling.moments import Moment
from dealer.telling.scene import ACTION_SECONDS, DEAL_SECONDS, END_SECONDS, RUN_OUT_SECONDS
from dealer.tournament.figures import Rate, stage_of, tables_of
from dealer.tournament.scene import Scene
from dealer.web.board import RECENT_SECONDS, Moments, Recent
from dealer.web.chance_worker import ChanceWorker
from dealer.web.table_view import BETWEEN_SECONDS, CardVisibility, Highlight, SlowMotion, TableViews
from protocol.cards import DECK
from protocol.events import Acted, Figures, PlayerFigures, TableFigures
from protocol.games.base import Bet
from protocol.games.stud import StudGame
from tests.bad_bots import replies
from tests.dealer.support.rig import SEED, by_chance, call, good_clients, open_rig
from tests.dealer.support.stage import NearBoard
from tests.dealer.web.test_page_secrets import deal, parts, stage


def told(moments: Moments) -> list[tuple[Any, ...]]:
    return [tuple(moment[1:]) for moment in moments.latest()]


def test_moments_are_told_with_public_reasons_in_their_order() -> None:
    moments = Moments()
    moments.add(Moment("out", 0, 9, 6, words="broke"))
    moments.add(Moment("out", 0, 9, 7, words="late", reason="no reply within 1 s"))
    moments.add(Moment("rare", 0, 9, 7, words="flush"))
    for _ in range(2):
        assert told(moments) == [("out", 6, "broke", 0), ("out", 7, "late: no reply within 1 s", 0)]
    moments.add(Moment("level", amount=2))
    assert [number for number, *_ in moments.latest()] == [1, 2, 3]


def test_of_several_pots_between_two_looks_the_last_is_told() -> None:
    moments = Moments()
    for chips in (10, 20):
        moments.add(Moment("pot", 0, 9, 4, chips))
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


async def test_page_is_told_who_is_out_without_what_its_program_sent(tcp_clock: MockClock) -> None:
    async with open_rig(Settings(SEED, StudGame(), hands=5)) as rig:
        await rig.admit(*good_clients(2), replies.malformed)
        scene = Scene(rig.opening, journal=rig.journal)
        board = NearBoard(scene)
        board.look()
        scene.tournament = tournament = rig.begin()
        await tournament.run()
        with board.watched(None, "127.0.0.1"):
            latest = parts(board.since(0, None))["moments"]["latest"]
    (fallen,) = (player.number for player in tournament.players if player.left is not None)
    words = "malformed: its reply was not an action: expected 'fold' or 'bet:<chips>'"
    assert [moment[1:4] for moment in latest if moment[1] == "out"] == [["out", fallen, words]]


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


def finished(hand: int = 21) -> Played:
    """A hand between two players who check to its end."""
    _, tournament = stage("stud", 2)
    table = deal(tournament, DECK)
    table.finish()
    assert table.last is not None
    return with_fields(Played.of(table.last, "news"), hand=hand)


def worth_seeing() -> Highlight:
    return Highlight(finished().record, Moment("pot", 0, 21, 1, 2))


def slow_facts(views: TableViews, now: float, *, is_show: bool = True) -> Any:
    """What is said of a hand that is shown again to who watches the table of the leader."""
    figures = Figures(
        1, 1, 1, 1, 0, 0, 0, 2, False, 0, 60 if is_show else None, False, None, {}, None, (),
        (TableFigures(0, 30, 0, ((0, 500),)), TableFigures(1, 30, 0, ((1, 500),))),
    )  # fmt: skip
    return views.facts(None, figures, now, ended=False).get("slow")


@pytest.mark.parametrize(("is_show", "after"), [(True, True), (False, True), (True, False)])
async def test_hand_worth_seeing_is_shown_again_in_a_show_if_its_cards_may_be_seen(is_show: bool, after: bool) -> None:
    views = TableViews(StudGame(), CardVisibility(during=False, after=after), ChanceWorker())
    views.see_again(finished(), Moment("pot", 0, 21, 1, 2))
    assert slow_facts(views, 100, is_show=is_show) == (["pot", 1, ""] if is_show and after else None)


async def test_knock_out_comes_before_the_pot_of_its_hand_and_a_lead_after_it() -> None:
    for kind, shown in (("out", "out"), ("leader", "pot")):
        views = TableViews(StudGame(), CardVisibility(during=False, after=True), ChanceWorker())
        views.see_again(finished(), Moment("pot", 0, 21, 1, 2))
        views.see_again(finished(), Moment(kind, 0, 21, 0))
        assert slow_facts(views, 100)[0] == shown


async def test_hand_is_shown_again_action_by_action() -> None:
    highlight = worth_seeing()
    slow = SlowMotion(stage("stud", 2)[1].settings.game)
    slow.offer(highlight, 100, wanted=True)

    def actions(now: float) -> tuple[int, bool] | None:
        replayed = slow.at(now)
        if replayed is None:
            return None
        shown, _ = replayed
        told = shown.ended.actions if shown.ended else [event for event in shown.events if isinstance(event, Acted)]
        return len(told), shown.ended is not None

    count = len(highlight.record.actions)
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
    slow.offer(worth_seeing(), 100, wanted=True)
    slow.stop()
    assert slow.at(101) is None


async def test_hands_are_not_shown_again_one_after_the_other() -> None:
    first, second, third = worth_seeing(), worth_seeing(), worth_seeing()
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
        recent.note(second, [PlayerFigures(0, 1, 0, second, 0, "in", 0, 0, 0, None, None)])
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
