"""Which engine plays, and what is asked of the kernel."""

import json
import subprocess
import sys

import pytest

from tests.docs.output_page import assert_keys
from tests.patience import PATIENCE


def casino(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "dealer.main", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_the_bench_prints_both_engines() -> None:
    done = casino("bench", "simulate", "--seconds", "0.05", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert_keys("## casino bench simulate", result)
    assert result["pairs"][0]["bots"] == ["caller", "caller"]
    for pair in result["pairs"]:
        assert pair["arena_hands_per_second"] > 0
        if pair["obstacle"] is None:
            assert pair["ratio"] == pytest.approx(pair["kernel_hands_per_second"] / pair["arena_hands_per_second"])


def test_bench_has_sub_commands() -> None:
    done = casino("bench", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--rounds" in done.stdout
    assert "simulate" in done.stdout
    unknown = casino("bench", "nothing")
    assert unknown.returncode == 2
