"""The frames of a replay are what the page showed during the tournament."""

import json
from pathlib import Path
from typing import Any

import pytest

from dealer.audit.hands import ReplayedHand
from dealer.audit.win_chances import run_outs, win_chances
from dealer.journal.records import Record
from dealer.ledger.deal import Deal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord
from dealer.replay.journal_reader import Choice
from dealer.replayer.command import write_replay
from dealer.web.table_view import LINES, CardVisibility, Shown, table_facts
from tests.dealer.support.replay_files import GAMES, data_of, frames_in, replayed, write_random

OPEN, CLOSED = CardVisibility(during=True, after=True), CardVisibility(during=False, after=False)


@pytest.mark.parametrize("name", GAMES)
def test_each_frame_is_what_the_page_showed(name: str, tmp_path: Path) -> None:
    journal, file = write_random(tmp_path / "a.journal", name), tmp_path / "a.html"
    ledger, hands = replayed(journal)
    assert write_replay(journal, Choice(), file) == 0
    for (record, hand), packed in zip(hands, data_of(file)["hands"], strict=True):
        frames, lines = frames_in(packed), packed["lines"] + packed["endLines"]
        told = [told_by_page(frame, lines, packed["holes"]) for frame in frames]
        assert told == shown_on_page(ledger, record, hand)


def told_by_page(frame: Any, lines: Any, holes: Any) -> Any:
    """A frame as the page is told it: with hole cards at the end, and the last lines."""
    facts = {**frame, "log": lines[: frame["told"]][-LINES:], "skipped": None}
    del facts["told"]
    if frame["over"] or frame.get("allIn"):
        facts["seats"] = [{**seat, "hole": holes[str(at)]} for at, seat in enumerate(frame["seats"])]
    return facts


def shown_on_page(ledger: Ledger, record: Record, hand: ReplayedHand) -> list[Any]:
    """What the page shows of a hand, action by action, then street by street, and at last its end."""
    players, game = ledger.players, ledger.settings.game
    deal = Deal(hand.table, hand.number, hand.level, tuple(record["players"]), hand.match, record["deck"])
    whole = HandRecord(deal, record["actions"], record["faults"])
    streets = tuple(run_outs(hand.steps, hand.last, game))
    actions = range(len(hand.steps) + (not streets))
    under_way = [Shown(whole._replace(actions=whole.actions[:count]), over=False) for count in actions]
    facts = [table_facts(shown, game, players, CLOSED) for shown in under_way]
    for stage, street in enumerate(streets):
        chances = win_chances(street, len(hand.players))
        facts.append(table_facts(Shown(whole, True, streets, stage), game, players, OPEN, chances))
    facts.append(table_facts(Shown(whole, True, streets, len(streets)), game, players, OPEN))
    told: list[Any] = json.loads(json.dumps(facts))  # tuples are lists on the page
    return told
