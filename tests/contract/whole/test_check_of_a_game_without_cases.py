"""Every game can be checked and practised by its name, or says in a sentence what is missing."""

import os
import sys
from pathlib import Path

import pytest

from dealer.checker.cases.game_cases import missing_cases
from tests.dealer.checker.checked import WHERE, examined


@pytest.mark.usefixtures("_leduc_on_path")
async def test_check_of_a_game_without_cases(
    leduc: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(leduc), os.environ.get("PYTHONPATH", "")]))
    bot = [sys.executable, "-m", "dealer.main", "bot", "leduc-value", *WHERE, "--patience", "0"]
    results = await examined("leduc", bot, limit=30.0)
    assert (results.verdict.points, results.verdict.of) == (120, 120)
    assert missing_cases("leduc") in capsys.readouterr().err
    assert missing_cases("leduc").startswith(
        "the checker does not know leduc yet; it knows blockhead, dice, holdem, stud"
    )
