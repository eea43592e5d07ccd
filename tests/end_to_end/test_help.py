"""``casino`` itself: help is where a person looks for it."""

import pytest

from tests.end_to_end.casino import run


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
async def test_casino_explains_itself(words: list[str]) -> None:
    outcome = await run(*words)
    assert (outcome.code, outcome.err) == (0, "")
    for command in (
        "league",
        "serve",
        "desk",
        "replay",
        "report",
        "bench",
        "bot",
        "bots",
        "play",
        "check",
        "new",
        "practice",
    ):
        assert command in outcome.out


@pytest.mark.parametrize(
    ("command", "flag"),
    [
        ("league", "--bot-cmd"),
        ("serve", "--line-port"),
        ("replay", "--speed"),
        ("bench", "--rounds"),
        ("report", "--anonymous"),
        ("bot", "--patience"),
        ("simulate", "--hands"),
        ("play", "--against"),
        ("bots", "--json"),
        ("check", "--transcript"),
        ("new", "--lang"),
        ("practice", "--no-clock"),
    ],
)
async def test_every_command_explains_itself(command: str, flag: str) -> None:
    outcome = await run(command, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert flag in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


async def test_the_version_is_the_packages() -> None:
    outcome = await run("--version")
    assert (outcome.code, outcome.out.strip()) == (0, "0.1.0")


async def test_an_unknown_command_is_bad_usage() -> None:
    outcome = await run("leauge")
    assert outcome.code == 2
    assert "leauge" in outcome.err
