"""The pages about messages, rules and the deck: each of their examples is tried on the code."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from dealer.net.limits import REPLY_BYTES
from protocol.games.base import FOLD, Bet, Legal
from protocol.games.dice import Dice
from protocol.games.stud import legal_bets
from protocol.shuffle import Deck, commitment, seed_from_text
from protocol.wire.codec import (
    decode_action,
    decode_command,
    decode_name,
    decode_secret_name,
    encode,
    encode_action,
)
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Done, ProtocolError
from tests.docs.pages import blocks, page, section, tables
from tests.protocol.helpers import shuffled_deck
from tests.protocol.playthrough import FOLDER, unescaped

NAMES = ("wire", "blockhead", "dice", "holdem", "deck")
WIRE, BLOCKHEAD, DICE, HOLDEM, DECK = (page(f"protocol/docs/{name}.md") for name in NAMES)
BLOCKS = blocks(WIRE) + blocks(BLOCKHEAD) + blocks(DICE) + blocks(HOLDEM) + blocks(DECK)


def examples(kind: str) -> list[str]:
    """The lines of all fenced blocks of a kind."""
    return [line for block, body in BLOCKS if block == kind for line in body.splitlines()]


def table_under(heading: str) -> list[list[str]]:
    """The cells of the rows of the first table below a heading of the page about messages."""
    return next(tables(section(WIRE, heading)))


def test_every_block_is_of_a_kind_that_is_tried_here() -> None:
    stud = "frames lines command name secret-name bad-name reply bad-reply session python"
    assert {kind for kind, _ in BLOCKS} == {
        *stud.split(),
        "blockhead",
        "dice",
        "dice-reply",
        "dice-bad-reply",
        "holdem",
        "sh",
    }


READERS: dict[str, Callable[[str], Any]] = {
    "command": decode_command,
    **{game: partial(decode_command, game=game) for game in ("blockhead", "holdem", "dice")},
    "reply": decode_action,
    "secret-name": decode_secret_name,
}


@pytest.mark.parametrize(("kind", "line"), [(kind, line) for kind in READERS for line in examples(kind)])
def test_every_message_shown_is_one(kind: str, line: str) -> None:
    message = READERS[kind](line)
    assert encode(message) == line
    assert kind != "secret-name" or message.secret


@pytest.mark.parametrize("line", examples("dice-reply"))
def test_every_reply_of_dice_shown_is_one(line: str) -> None:
    turn = decode_command("dice:12:0:4:3", "dice")
    assert encode_action(decode_action(line, turn), turn) == line


@pytest.mark.parametrize("line", examples("dice-bad-reply"))
def test_every_reply_of_dice_shown_as_malformed_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError, match="expected 'fold' or 'bet'"):
        decode_action(line, decode_command("dice:12:0:4:3", "dice"))


@pytest.mark.parametrize("line", examples("name"))
def test_every_name_shown_is_one(line: str) -> None:
    assert encode(decode_name(line)).replace(": ", ":") == line.replace(": ", ":")


@pytest.mark.parametrize(
    ("read", "line"),
    [
        *((decode_action, line) for line in examples("bad-reply")),
        *((decode_name, line) for line in examples("bad-name")),
    ],
)
def test_every_reply_or_name_shown_as_malformed_is_refused(read: Callable[[str], object], line: str) -> None:
    with pytest.raises(ProtocolError):
        read(line)


@pytest.mark.parametrize(
    ("framing", "line"),
    [
        *((UtfFraming(), line) for line in examples("frames")),
        *((LineFraming(), line) for line in examples("lines")),
    ],
)
def test_the_bytes_shown_are_those_of_the_message(framing: Framing, line: str) -> None:
    message, data = re.split(" {2,}", line)
    assert framing.encode(message) == bytes.fromhex(data)


def test_the_bytes_of_every_message_are_shown_and_can_be_read() -> None:
    """What a reader takes apart by hand: two bytes of length, the text, and nothing behind it."""
    frames = [bytes.fromhex(re.split(" {2,}", line)[1]) for line in examples("frames")]
    assert [len(data) - 2 for data in frames] == [int.from_bytes(data[:2], "big") for data in frames]
    texts = [UtfFraming().decode(data[2:]) for data in frames]
    hand = texts[texts.index("amit:Amit") - 1 :]
    replies: dict[int, Callable[[str], Any]] = {1: decode_name, 3: decode_action, 5: decode_action}
    read = [replies.get(place, decode_command)(text) for place, text in enumerate(hand)]
    assert [encode(message) for message in read] == hand
    asked = re.findall(r"^\| `(\w+)(?::\.\.\.)?` \|", section(WIRE, "## Messages").split("\n### ")[0], re.MULTILINE)
    assert asked == ["login", "bet1", "bet2", "status", "done"]
    assert {text.split(":")[0] for text in hand} == {*asked, "amit", "bet", "fold"}


@pytest.mark.parametrize("name", ["bet1", "bet2", "status"])
def test_the_fields_explained_make_up_the_example(name: str) -> None:
    fields = [example.strip("`") for _, example, _ in table_under(f"### {name}")]
    assert ":".join(fields) in examples("command")


def bets_in_words(legal: Legal) -> str:
    _, low, *more = legal
    assert isinstance(low, Bet)
    words = f"`fold`, or `bet:{low.amount}` ({'a call' if low.amount else 'a check'})"
    return f"{words} to `bet:{legal.raises[-1]}`" if more else words


def test_the_replies_shown_as_legal_are_those_of_the_rules() -> None:
    rows = table_under("### The reply to a bet")
    assert len(rows) == 4
    for stack, owed, replies in rows:
        legal = legal_bets(int(owed), int(stack))
        assert FOLD in legal
        assert replies == bets_in_words(legal)


def test_the_session_shown_is_amits_of_the_golden_file() -> None:
    lines = (FOLDER / "stud" / "half_the_pot_to_the_spade.txt").read_text("utf-8").splitlines()
    expected = []
    for way, data in (line.split("  ", 1) for line in lines if "  " in line and "amit" in line.split("  ")[0]):
        speaker = way.split(" > ")[0] + ":"
        expected.append(f"{speaker:<8}{UtfFraming().decode(unescaped(data)[2:])}")
    assert examples("session") == expected


def test_the_deck_is_made_as_shown() -> None:
    program, of_dice, _ = (body for kind, body in BLOCKS if kind == "python")
    names: dict[str, object] = {}
    exec(program, names)  # the program that a reader would copy, with the assertions at its end
    deck_of_hand = names["deck_of_hand"]
    assert callable(deck_of_hand)
    seed = seed_from_text("any seed")
    for table, hand in [(0, 1), (4, 117)]:
        assert deck_of_hand("any seed", table, hand) == [card.text for card in shuffled_deck(seed, table, hand)]
    assert deck_of_hand("any seed", 4, 117, 2) == [card.text for card in Deck().outcome(Deck().draw(seed, 4, 117, 2))]
    exec(of_dice, names)
    dice_of_hand = names["dice_of_hand"]
    assert callable(dice_of_hand)
    for table, hand in [(0, 1), (4, 117)]:
        assert bytes(dice_of_hand("any seed", table, hand)) == Dice().draw(seed, table, hand)
    assert bytes(dice_of_hand("any seed", 4, 117, 2)) == Dice().draw(seed, 4, 117, 2)
    shown = names["commitment"]
    assert callable(shown)
    assert shown("any seed") == commitment(seed_from_text("any seed"))


def test_forbidden_words_in_reasons_are_replaced_as_described() -> None:
    assert Done("login, bet1, bet2 or status").reason == "log-in, bet-1, bet-2 or stat-us"
    for word in ("`log-in`", "`bet-1`", "`bet-2`", "`stat-us`"):
        assert word in WIRE


def test_the_longest_reply_named_is_the_dealers() -> None:
    assert f"more than {REPLY_BYTES} bytes" in WIRE
