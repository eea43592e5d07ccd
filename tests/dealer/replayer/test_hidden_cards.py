"""A player's own file holds no card that was hidden from it, nothing that others' programs sent, and no id."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dealer.audit.hands import ReplayedHand
from tests.dealer.support.replay_files import GAMES, data_of, replayed, write_random
from tests.dealer.support.reported import report

CARD = re.compile(r'"((?:10|[2-9JQKA])[SHDC])"|(?<!\w)((?:10|[2-9JQKA])[SHDC])(?!\w)')


@pytest.mark.parametrize("name", GAMES)
def test_no_hidden_card_of_others(name: str, tmp_path: Path) -> None:
    journal, out = write_random(tmp_path / "a.journal", name, hands=40), tmp_path / "out"
    report(journal, out)
    ledger, hands = replayed(journal)
    for number, player in enumerate(ledger.players):
        data = data_of(out / "players" / player.id / "replay.html")
        own = [hand for _, hand in hands if player in hand.players]
        assert [hand["hand"] for hand in data["hands"]] == [hand.number for hand in own]
        for packed, hand in zip(data["hands"], own, strict=True):
            check_hand(packed, hand, hand.players.index(player))
        others = [other.id for other in ledger.players if other is not player]
        text = json.dumps(data, ensure_ascii=False)
        assert data["scene"]["seenBy"] == f"Avatar {number}"
        assert not any(re.search(rf"\b{other}\b", text) for other in others)


def check_hand(packed: Any, hand: ReplayedHand, seat: int) -> None:
    """A hand of a player's file names only cards that the player had or that were shown."""
    shown = dict(hand.settlement.shown)
    hidden = {at: [card.text for card in hand.last.hole(at)] for at in range(len(hand.players))}
    assert packed["holes"] == {str(seat): hidden[seat]}
    may_know = {str(at) for at in shown} | {str(at) for at in range(len(hand.players)) if hand.settlement.shares[at]}
    assert set(packed.get("shown", {})) <= may_know - {str(seat)}
    seen = [*(step.before.public() for step in hand.steps), hand.last.public()]
    known = {
        card.text for public in seen for cards in (public.board, *(one.up for one in public.seats)) for card in cards
    }
    known |= {card.text for cards in shown.values() for card in cards} | set(hidden[seat])
    known |= {getattr(card, "text", "") for card in hand.settlement.cards}
    named = {first or second for first, second in CARD.findall(json.dumps(packed))}
    assert named <= known


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of hold'em, and its report in the folder ``out`` beside it."""
    folder = tmp_path_factory.mktemp("reported")
    report(write_random(folder / "a.journal", "holdem", hands=40), folder / "out")
    return folder


def test_host_has_all_cards_and_the_reasons_of_faults(reported: Path) -> None:
    _, hands = replayed(reported / "a.journal")
    data = data_of(reported / "out" / "replay.html")
    assert [len(hand["holes"]) for hand in data["hands"]] == [len(hand.players) for _, hand in hands]
    (reason,) = {reason for hand in data["hands"] for reason in hand.get("reasons", {}).values()}
    assert "got 'I am p" in reason
    told = [moment for moment in data["moments"] if moment[0] == "out" and reason in moment[-1]]
    assert len(told) == 1


def test_own_reason_is_told_and_that_of_others_is_not(reported: Path) -> None:
    sent = {}
    for folder in (reported / "out" / "players").iterdir():
        text = json.dumps(data_of(folder / "replay.html"))
        sent[folder.name] = re.findall(r"I am (p\d)", text)
    assert any(sent.values())
    assert all(set(ids) <= {own} for own, ids in sent.items())


def test_anonymous_report_tells_no_id(tmp_path: Path) -> None:
    journal, out = write_random(tmp_path / "a.journal", "holdem", hands=40), tmp_path / "out"
    report(journal, out, anonymous=True)
    assert not re.search(r"\bp\d\b", json.dumps(data_of(out / "replay.html")))
