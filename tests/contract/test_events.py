"""The events of every game: the same live as read back from the journal, and no hidden card before all may see it.

So with the steps of a hand in the log: all of them are told, and no card that lies face down.
"""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from trio.testing import MockClock

from dealer.audit.hands import Step
from dealer.journal.file import AppendFile
from dealer.journal.records import FinishedHandRecord
from dealer.journal.writer import open_journal
from dealer.ledger.played_hand import Deal, HandRecord, PlayedHand
from dealer.settings import Settings
from dealer.telling.hand_events import HandEvents, LiveHand, texts
from dealer.telling.scene import TableScene
from dealer.telling.seen_hand import RAIL
from dealer.tournament.table import HandLog
from protocol.events import FOLD_CHIPS, Acted, AtTable, Dealt, HandOver, StreetDealt, type_of
from protocol.games.base import FOLDED as ALL_FOLDED
from protocol.games.base import Action, Bet, Hand
from protocol.games.game import Game
from tests.bad_bots import replies
from tests.contract.playouts import deal, moments, other_outcome, places_seen_by, players
from tests.dealer.support import scribe
from tests.dealer.support.feeds import as_told, open_feed_rig, read_back
from tests.dealer.support.recorded import clients_by_chance
from tests.dealer.support.rig import SEED

#: An event as a subscriber reads it.
Told = dict[str, Any]

#: What is told only while a tournament is played.
LIVE = frozenset({"hello", "lobby", "state", "figures"})


@pytest.mark.parametrize("table_size", [3, 6])
async def test_live_events_are_those_of_the_journal(
    game: Game, table_size: int, tmp_path: Path, tcp_clock: MockClock
) -> None:
    hands = int(game.facts.get("hands", 3))  # some games agree on them
    settings = Settings(SEED, game, hands=hands, games=2 if game.in_games else 1, table_size=table_size, lives=2)
    path = tmp_path / "a.journal"
    async with open_journal(AppendFile.create(path)) as journal:
        async with open_feed_rig(settings, journal) as dealer, dealer.reader() as reader:
            await reader.until("hello")
            seats = min(5, game.seats[-1])
            await dealer.rig.admit(*clients_by_chance(seats - 1), replies.malformed)
            tournament = dealer.begin()
            # slow enough for each hand to be told action by action
            tournament.begin_with = partial(tournament.set_pace, 1.0)
            await tournament.run()
            dealer.feed.close()
            live = [event for event in await reader.read_all() if event["type"] not in LIVE]
    for event in live:
        del event["n"]
    back = [as_told(event) for event in read_back(path)]
    assert in_hands(live) == in_hands(back)
    assert beside_hands(live) == beside_hands(back)
    assert {"dealt", "street", "acted", "hand", "end"} <= {event["type"] for event in live}


#: Types of events that belong to a hand.
IN_HAND = frozenset(type_of(kind) for kind in (Dealt, StreetDealt, Acted, HandOver))


def in_hands(events: list[Told]) -> dict[tuple[int, int], list[Told]]:
    """The events of each hand, in order. Those of different tables, and of what is beside, may mix in any way."""
    hands: dict[tuple[int, int], list[Told]] = {}
    for event in events:
        if event["type"] in IN_HAND:
            hands.setdefault((event["table"], event["hand"]), []).append(event)
    return hands


def beside_hands(events: list[Told]) -> list[Told]:
    return [event for event in events if event["type"] not in IN_HAND]


def told(hand: Hand, actions: Sequence[Action]) -> list[AtTable]:
    """What everybody is told of a hand up to the last of these actions."""
    steps = []
    for action in actions:
        assert hand.to_act is not None
        steps.append(Step(hand, hand.to_act, action, 0.001, None))
        hand = hand.apply(action)
    players = tuple(range(len(hand.starting)))
    return [event.public() for event in HandEvents(0, 1, 1, 1, players).steps(steps, hand)]


@settings(max_examples=30)  # each plays a whole hand twice
@given(seed=st.integers(0, 2**32))
def test_public_events_do_not_change_with_what_is_hidden(game: Game, seed: int) -> None:
    """Change about all cards that never lay face up: whoever hears the public events of a hand cannot tell."""
    chance = Random(seed)
    match, hand, drawn = deal(game, chance)
    size = len(game.chance.outcome(drawn))
    seen, actions = set[int](), []
    for moment, action in moments(hand, chance):
        seen |= places_seen_by(game, moment, RAIL, size)
        actions += [] if action is None else [action]
    other = match.deal(other_outcome(game, drawn, seen, chance))
    assert told(other, actions) == told(hand, actions)


@settings(max_examples=50)
@given(seed=st.integers(0, 2**32))
def test_the_scene_of_a_table_shows_what_the_rules_say(game: Game, seed: int) -> None:
    """Folded from events alone: pots, chips, cards, and whose turn it is, at every moment."""
    chance = Random(seed)
    _, hand, _ = deal(game, chance)
    maker = HandEvents(0, 1, 1, 1, tuple(range(len(hand.starting))))
    dealt, street = maker.begin(hand)
    scene = TableScene(dealt)
    scene.hear(street)
    *steps, (last, _) = moments(hand, chance)
    afters = [*(before for before, _ in steps[1:]), last][: len(steps)]
    for (before, action), after in zip(steps, afters, strict=True):
        assert before.to_act is not None
        for event in maker.step(Step(before, before.to_act, action, 0.001, None), after):
            scene.hear(event)
        public = after.public()
        assert scene.pots == tuple(public.side_pots())
        assert (scene.street, scene.board) == (public.street, texts(public.board))
        for number, (shown, seat) in enumerate(zip(scene.seats, public.seats, strict=True)):
            assert (shown.live, shown.turn) == (seat.live, number == public.to_act)
            if seat.live:
                assert (shown.hidden, shown.up) == (seat.hidden, texts(seat.up))
        if public.to_act is not None:  # behind the last action, chips that nobody called go back
            assert [seat.all_in for seat in scene.seats] == [seat.all_in for seat in public.seats]
            assert (scene.pot, [seat.stack for seat in scene.seats]) == (public.pot, list(after.stacks))


@given(seed=st.integers(0, 2**32))
def test_end_of_a_hand_that_is_dealt_again_names_no_card(game: Game, seed: int) -> None:
    _, hand, drawn = deal(game, Random(seed))
    *_, (last, _) = moments(hand, Random(seed))
    players = tuple(range(len(hand.starting)))
    record = FinishedHandRecord(0, 1, 1, players, hand.starting, drawn, [], [], last.pot, ())
    maker = HandEvents(0, 1, 1, 1, players)
    whole = maker.end(record, Settings(SEED, game, duplicate=True), hand, last.settle())
    assert whole.cards is not None
    public = whole.public()
    assert (public.cards, public.board) == (None, None)
    assert all(pot.kind == ALL_FOLDED or (pot.why is None and not pot.kind) for pot in public.pots)


#: A card within a sentence, as ``Card.text`` writes it.
CARD = re.compile(r"\b(?:10|[2-9AJQK])[SHDC]\b")


def face_up(hand: Hand) -> set[str]:
    public = hand.public()
    return {card.text for card in (*public.board, *(card for seat in public.seats for card in seat.up))}


def named(texts: list[str]) -> set[str]:
    return {card for text in texts for card in CARD.findall(text)}


@settings(max_examples=25)  # each plays a whole hand
@given(seed=st.integers(0, 2**32))
def test_no_card_is_named_before_it_lies_face_up(game: Game, seed: int) -> None:
    chance = Random(seed)
    count = players(game, chance)
    match, drawn = game.start(count), game.chance.draw(SEED, 0, chance.randrange(1, 10**6))
    seated = scribe.players(*[f"Player {number}" for number in range(count)])
    deal = Deal(0, 1, 1, tuple(range(count)), match, drawn)
    record, hand_log = HandRecord(deal, [], []), HandLog(game, seated)
    live = LiveHand(HandEvents.of_deal(deal), record, [hand_log.hear])
    known: set[str] = set()
    with capture_logs() as lines:

        def check(texts_from: int) -> None:
            assert named([line["event"] for line in lines[texts_from:]]) <= known

        *steps, (last, _) = moments(deal.begin(game), chance)
        afters = [*(before for before, _ in steps[1:]), last]
        opening = deal.begin(game)
        known |= face_up(opening)
        live.begin(opening)
        check(0)
        for (before, action), after in zip(steps, afters, strict=True):
            begun, seat = len(lines), before.to_act
            assert seat is not None
            hand_log.asked(before, seat)
            record.actions.append((seat, action.amount if isinstance(action, Bet) else FOLD_CHIPS, 1000))
            live.acted(before, after)
            asked, acted = (line["event"] for line in lines[begun : begun + 2])
            assert asked.startswith(f"Player {seat} (seat {seat}) is asked: ")
            assert acted.startswith(f"Player {seat} (seat {seat}) ")
            assert acted.endswith("after 1.00 ms")
            known |= face_up(after)
            check(begun)
        begun, settlement = len(lines), last.settle()
        hand_log.ended(PlayedHand(record, last, settlement))
    if len(last.live) > 1:
        known |= {card.text for card in (*settlement.cards, *(card for _, shown in settlement.shown for card in shown))}
    result = [line["event"] for line in lines[begun:]]
    assert named(result) <= known
    assert sum("collects" in text for text in result) == sum(share > 0 for share in settlement.shares)
    gains = [int(gain) for gain in re.findall(r"\(([+-]\d+)\)", result[-1])]
    assert gains == list(settlement.payoffs)
    assert {(line["log_level"], line["table"], line["hand"]) for line in lines} == {("debug", 0, 1)}
