"""Command lines and files of no use, endless ones too: the command says why, and does nothing."""

import shlex
from pathlib import Path

import pytest

from bots.environments.learned import load_learned
from bots.human.play_statistics import StatisticsError, read_statistics
from protocol.files import MOST_BYTES, MOST_KEY_PARTS, parse_toml
from tests.end_to_end.casino import run

MISSING = "casino: the file missing.npz cannot be read: No such file or directory"

#: Command lines, and a part of the answer, or the whole line if it begins with ``casino:``.
BAD_USAGE = [
    ("league stud caller", "a league of stud needs 2 to 1000 bots, got 1"),
    ("league stud caller --players 1001", "a league of stud needs 2 to 1000 bots, got 1001"),
    ("league dice caller caller caller --duplicate", "a league of dice needs 2 bots, got 3"),
    ("league blockhead caller", "a league of blockhead needs 2 to 6 bots, got 1"),
    ("league blockhead --players 7 caller", "a league of blockhead needs 2 to 6 bots, got 7"),
    ("league stud stdu", "there is no bot 'stdu'; did you mean 'stud'?"),
    ("league stud caller alpha", "the bot 'alpha' plays blockhead, not stud"),
    ("league stud --table-size 18", "--table-size"),
    ("league blockhead --table-size 4", "--table-size is for games whose players move between tables"),
    ("league blockhead --levels 4", "--levels needs stakes that can rise; in blockhead the buy-in of 10 is fixed"),
    ("league stud --levels 4 --games 2", "give --series to play several, not --games"),
    ("league stud --rounds 4", "--rounds is for --format swiss"),
    ("league stud --format swiss --series 2", "leave it or --format swiss out"),
    ("league stud --format round-robin --levels 2", "leave out --levels, --level-table and --table-size"),
    ("league stud --duplicate --series 2", "a duplicate league has a format of its own"),
    ("league stud --duplicate --levels 2", "a duplicate league has one table and fixed stakes"),
    ("league stud caller --bot-cmd 'java Poker'", "has no {port}; write it like 'java Poker {host} {port}'"),
    ('league stud caller --bot-cmd "java \'Poker {port}"', "No closing quotation"),
    ("league stud caller tight --stack 1 --ante 2", "a stack of 1 chip does not pay the ante of 2"),
    ("league stud caller tight --hnads 3", "hnads"),
    ("league stud caller tight --hands 0", "hands"),
    ("league stud caller tight --limit -1", "limit"),
    ("league stud caller tight --stack 9999999999999999999999", "stack"),
    ("league poker caller tight", "poker"),
    ("league", "--game requires an argument"),
    ("league blockhead caller maniac --ante 2", "--ante is for holdem and stud"),
    ("league stud caller maniac --ranks poker", "--ranks is for blockhead"),
    (
        "league stud caller tight --duplicate --games 3",
        "in a duplicate league of stud each deal is one hand: give --hands, not --games",
    ),
    ("serve stud --duplicate", "Unknown option: --duplicate"),
    ("serve stud --no-page --seats 1", "--seats takes 2 to 1000, as many as can play stud; got 1"),
    ("serve stud --no-page --seats 1001", "--seats takes 2 to 1000"),
    ("serve stud --no-page --port 70000", "--port"),
    ("serve stud --no-page --wait 0", "--wait"),
    ("serve stud --no-page --wait nan", "--wait"),
    ("serve stud --no-page --roster no-such-file", "cannot read the roster no-such-file: No such file or directory"),
    ("serve stud --no-page --sets 2", "--sets"),
    ("serve stud --no-page --log-level loud", "--log-level"),
    ("serve stud --no-page --connections 0", "--connections"),
    ("serve stud --no-page --per-address -1", "--per-address"),
    ("serve stud --no-page --connects 0", "--connects"),
    ("serve stud --no-page --login-limit 0", "--login-limit"),
    (
        "serve stud --port 0 --line-port 4711 --people-port 4711",
        "casino: --line-port and --people-port are both 4711; each needs its own port",
    ),
    ("serve stud --desk --no-page", "casino: --desk and --no-page contradict each other; the desk is part of the page"),
    ("serve stud --acpc-port 0", "casino: programs of the ACPC do not play stud; they play holdem"),
    (
        "serve holdem --acpc-port 4711 --port 4711",
        "casino: --port and --acpc-port are both 4711; each needs its own port",
    ),
    ("regress tight tight --games studd", "casino: there is no game 'studd'; did you mean 'stud'?"),
    ("regress tight caller --games dice", "casino: the bot 'tight' plays stud, blockhead and holdem, not dice"),
    ("regress tight caller --games dice --players 3", "casino: dice is played by 2, not by 3"),
    ("regress tigth caller --games stud", "casino: there is no bot 'tigth'; did you mean 'tight'?"),
    ("regress tight caller --games stud --against x-y-z", "there is no bot 'x-y-z'; installed are"),
    ("regress tight caller --games ,", "casino: --games names no game, like: --games stud,holdem"),
    ("check stud --sandbox --listen 0", "--sandbox is for a program that is started here"),
    ("practice stud --sandbox --listen 0", "--sandbox is for a program that is started here"),
    ("report journal", "--out"),
    ("simulate stud missing.npz caller", MISSING),
    ("check stud -- missing.npz", MISSING),
    ("practice stud --against tight -- missing.npz", MISSING),
    ("practice stud --against missing.npz -- x {port}", MISSING),
    ("bot tight 127.0.0.1 0", "for PORT"),
    ("play 127.0.0.1 0", "for PORT"),
    ("collusion /nowhere", "cannot read the checkpoint /nowhere: No such file or directory"),
    ("import /nowhere", "cannot read /nowhere: No such file or directory"),
    ("worker nonsense", "expected the address of a scheduler, tcp://HOST:PORT, got 'nonsense'"),
    ("report /nowhere --out /nowhere/report", "cannot read the journal /nowhere"),
    ("resume /nowhere", "there is no journal /nowhere"),
    ("practice stud --against nobody -- x {port}", "there is no bot 'nobody'; installed are "),
    ("practice stud --against alpha -- x {port}", "the bot 'alpha' plays blockhead, not stud"),
    (f"practice stud {17 * '--against tight '} -- x {{port}}", "stud is played by 2 to 17: give at most 16 house bots"),
    ("practice stud -- x", "the command 'x' has no {port}; write it like 'java Poker {host} {port}'"),
    ("practice stud", "give the program's command behind --, like: -- java Poker {host} {port}; or --listen PORT"),
    ("practice stud --listen 0 -- x {port}", "--listen waits for a program that you start yourself"),
]


@pytest.mark.parametrize(("words", "reason"), BAD_USAGE)
async def test_bad_usage_exits_with_2_and_says_why(words: str, reason: str) -> None:
    outcome = await run(*shlex.split(words))
    assert (outcome.code, outcome.out) == (2, "")
    assert reason in " ".join(outcome.err.replace("│", " ").split())
    first, *others = outcome.complaint
    assert others or first.startswith("casino: ")
    if reason.startswith("casino: "):
        assert outcome.complaint == [reason]


SERVE = ("serve", "holdem", "--no-page", "--no-journal")
SIMULATE = ("simulate", "dice", "dice-four", "dice-luck", "--deals", "2", "--duplicate")

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
