"""Imported hands played again: those whose hole cards are all known, and the reasons for all others."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from dealer.audit.hands import ReplayedHand
from dealer.replay.journal_reader import Choice
from dealer.replay.phh.command import import_files
from dealer.replay.show import export_histories
from dealer.versions import whatif
from dealer.versions.whatif import what_if
from dealer.versions.whatif_flags import WhatIfFlags
from protocol.cards import UNKNOWN
from protocol.games.holdem import HoldemGame
from protocol.shuffle import shuffled_deck
from tests.dealer.replay.test_phh_import import DWAN_IVEY, toml
from tests.dealer.support.holdem_journals import write_league
from tests.dealer.support.replay_files import replayed
from tests.end_to_end.casino import run

GAME = HoldemGame(reset_stacks=1)

#: The keys of a hand that cannot be dealt again, in what `casino whatif --json` prints.
NOT_DEALT = {"table", "hand", "why"}


@pytest.fixture(autouse=True)
def logs_aside(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave the logs of other tests as they are: a logger keeps the level at which it was first used."""
    monkeypatch.setattr(whatif, "configure_logs", lambda level: None)
    with capture_logs():
        yield


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Thirty hands of our own, whose cards are all known."""
    return write_league(tmp_path / "own.journal", Random(3), GAME, hands=30, one_table=True)


def imported(own: Path, capsys: pytest.CaptureFixture[str], choice: Choice = Choice()) -> Path:  # noqa: B008 - frozen
    """The same hands as another program tells them."""
    capsys.readouterr()
    export_histories(own, choice, "phh")
    return import_text(own.with_name("told.phhs"), capsys.readouterr().out, capsys)


def import_text(file: Path, text: str, capsys: pytest.CaptureFixture[str]) -> Path:
    file.write_text(text, "utf-8")
    path = file.with_suffix(".journal")
    assert import_files([file], as_json=True, journal=path) == 0
    capsys.readouterr()
    return path


def hands(path: Path) -> list[ReplayedHand]:
    return [hand for _, hand in replayed(path)[1]]


async def facts_of(path: Path, capsys: pytest.CaptureFixture[str], replace: str) -> dict[str, Any]:
    assert await what_if(path, WhatIfFlags(replace, json=True)) == 0
    facts: dict[str, Any] = json.loads(capsys.readouterr().out)
    return facts


def test_hand_dealt_again_has_its_own_cards_and_result(league: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, drawn = imported(league, capsys), 0
    for seed in range(2):
        for hand in hands(path):
            order = shuffled_deck(bytes([seed]) * 32, 0, hand.number)
            again = GAME.deal_recorded_again(hand.match, hand.last, order)
            known = hand.last.deck  # type: ignore[attr-defined]
            dealt = again.deck
            assert len(set(dealt)) == len(dealt)
            assert all(card in (UNKNOWN, new) for card, new in zip(known, dealt, strict=True))
            drawn += UNKNOWN in known
            for step in hand.steps:
                assert again.view(step.seat) == step.before.view(step.seat)
                assert step.action is not None
                again = again.apply(step.action)
            assert again.settle().payoffs == hand.settlement.payoffs
    assert drawn, "some hands ended before the river"


async def test_the_same_hands_give_the_same_difference(league: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = imported(league, capsys)
    player = hands(path)[0].players[0].id
    facts = await facts_of(path, capsys, f"{player}=caller")
    assert (facts["hands"], facts["not_dealt"]) == (30, [])
    assert 0 < facts["changed"] <= 30
    assert facts == await facts_of(path, capsys, f"{player}=caller"), "the cards nobody saw follow from --seed"


async def test_hands_with_unknown_hole_cards_are_counted(league: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = imported(league, capsys, Choice(seat="0", table=0))
    every = hands(path)
    player = every[0].players[0].id
    facts = await facts_of(path, capsys, f"{player}=caller")
    assert facts["hands"] > 0
    assert len(facts["not_dealt"]) == 30 - facts["hands"] > 0
    for one in facts["not_dealt"]:
        assert set(one) == NOT_DEALT
        deck = every[one["hand"] - 1].last.deck
        assert UNKNOWN in deck[: 2 * len(every[0].players)]
        assert "hole cards of seat" in one["why"]
    assert await what_if(path, WhatIfFlags(f"{player}=caller")) == 0
    out = capsys.readouterr().out
    assert f"{len(facts['not_dealt'])} imported hands left out, which cannot be dealt again:" in out


@pytest.mark.parametrize("status", [{}, {"ante_trimming_status": False}, {"ante_trimming_status": True}])
async def test_hand_without_antes_is_dealt_again(
    status: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left_out = ("finishing_stacks", "ante_trimming_status")
    told = {name: value for name, value in DWAN_IVEY.items() if name not in left_out}
    known = [action.replace("????", "KcKd") for action in DWAN_IVEY["actions"]]
    hand = {**told, **status, "antes": [0, 0, 0], "actions": known, "players": ["Phil", "Patrik", "Tom"]}
    facts = await facts_of(import_text(tmp_path / "told.phhs", toml(hand), capsys), capsys, "Tom=caller")
    assert (facts["hands"], facts["not_dealt"]) == (1, [])


async def test_no_hand_can_be_dealt_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = {**DWAN_IVEY, "players": ["Phil", "Patrik", "Tom"]}
    without_antes = {name: value for name, value in told.items() if name != "finishing_stacks"} | {"antes": [0, 0, 0]}
    mucked = [action.replace("????", "KcKd").replace("sm 7h6h", "sm") for action in DWAN_IVEY["actions"]]
    for name, hand, why in (
        ("antes", told, "its blinds, antes or bets are not those of the game that the journal begins with"),
        ("hidden", without_antes, "the hole cards of seat 1 are not known"),
        (
            "mucked",
            {**without_antes, "actions": mucked},
            "a player gave up at the showdown, which our rules do not ask",
        ),
    ):
        path = import_text(tmp_path / f"{name}.phhs", toml(hand), capsys)
        outcome = await run("whatif", path, "--replace", "Tom=caller")
        assert outcome.code == 2
        assert outcome.complaint == [f"casino: {path}: 1 hand of 'Tom', and none can be dealt again; hand 1: {why}"]
