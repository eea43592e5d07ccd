"""Files that a user names: an endless one, a huge one and one nested too deeply are refused with a sentence."""

from pathlib import Path

import pytest

from bots.environments.learned import load_learned
from bots.human.play_statistics import StatisticsError, read_statistics
from protocol.files import MOST_BYTES, MOST_KEY_PARTS, parse_toml
from tests.end_to_end.casino import run

SERVE = ("serve", "holdem", "--no-page", "--no-journal")
SIMULATE = ("simulate", "dice", "dice-four", "dice-luck", "--hands", "100", "--duplicate")

#: Command lines whose last word is a file that the command reads as text.
OF_TEXTS = (
    (*SERVE, "--roster"),
    (*SERVE, "--level-table"),
    ("play", "holdem", "--level-table"),
    ("import",),
    (*SIMULATE, "--checkpoint"),
    ("round-robin", "dice", "dice-four", "dice-luck", "--rounds", "10", "--checkpoint"),
    ("collusion",),
)

#: Command lines whose last word is a journal.
OF_JOURNALS = (
    ("verify",),
    ("replay",),
    ("resume",),
    ("report", "--out", "report"),
)


async def refused(*words: str | Path) -> str:
    """The one line with which a command refuses its file."""
    outcome = await run(*words)
    assert outcome.code in (1, 2), (words, outcome)
    assert len(outcome.complaint) == 1, (words, outcome)
    return outcome.complaint[0]


async def test_endless_and_huge_files_are_refused(tmp_path: Path) -> None:
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    for words in (*OF_TEXTS, *OF_JOURNALS):
        assert "no regular file" in await refused(*words, "/dev/zero"), words
    for words in OF_TEXTS[:-2]:
        assert "more than 64 MB" in await refused(*words, huge), words


async def test_files_nested_too_deeply_are_refused(tmp_path: Path) -> None:
    nested, key = tmp_path / "nested", tmp_path / "key"
    nested.write_text("[" * 100_000)
    for words in OF_TEXTS[1:]:
        await refused(*words, nested)
    key.write_text("a." * 20_000 + "a = 1\n")
    for words in (*SERVE, "--level-table"), ("import",):
        assert f"a key has more than {MOST_KEY_PARTS} parts" in await refused(*words, key)


def test_a_text_with_many_dots_is_no_deep_key() -> None:
    text = "One two. " * 100
    assert parse_toml(f'note = "{text}"\n{".".join("a" * MOST_KEY_PARTS)} = 1\n'.encode())["note"] == text
    with pytest.raises(ValueError, match=r"a key has more than"):
        parse_toml(b"'b' . " * MOST_KEY_PARTS + b"a = 1\n")


def test_what_is_read_beside_the_command_line_has_an_end() -> None:
    with pytest.raises(LookupError, match="no regular file"):
        load_learned("/dev/zero")
    with pytest.raises(StatisticsError, match="no regular file"):
        read_statistics(Path("/dev/zero"))
