"""The measurement of the environments."""

import json
import sys

import pytest

from bots.environments.bench import main
from protocol.games.registry import game_names


def test_every_game_has_a_row(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "--seconds", "0.001", "--json"])
    main()
    games = json.loads(capsys.readouterr().out)["games"]
    assert [row["game"] for row in games] == list(game_names())
    assert all(row["pettingzoo"] > 0 and row["gymnasium"] > 0 for row in games)
    assert {row["game"] for row in games if row["compiled_calls"]} == {"blockhead", "holdem", "stud"}


def test_the_table_for_people(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "--seconds", "0.001"])
    main()
    assert "Steps a second on one core" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["bench", "--seconds", "-1"])
    with pytest.raises(SystemExit):
        main()
