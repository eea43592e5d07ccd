"""The leak drill: no byte that a seat is sent before the showdown depends on a card it may not know.

A real dealer plays the same hands again over real sockets, with all cards changed about that one seat had not been
shown; that seat must be sent the same bytes. What it had been shown at the end of each street differs, so hand by
hand the deck is changed as it is hidden after street 1, after street 2 and so on.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import correlation
from typing import cast

import pytest

from protocol.cards import Card, Suit
from protocol.games.blockhead import BlockheadGame, BlockheadHand
from protocol.games.game import Game
from protocol.games.stud import StudGame, StudHand, StudMatch
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.rig import SEED
from tests.drills.hidden import LAYOUTS, Layout, Story, cards_named, change, story
from tests.drills.tapes import Tape, record, text_of
from tests.protocol.helpers import shuffled_deck


@dataclass(frozen=True, slots=True)
class PatientMatch(StudMatch):
    """Nobody is out without chips: the next hand starts with new ones."""

    def can_play(self, stack: int) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class PatientStud(StudGame):
    """Stud that can be played with small stacks for thousands of hands."""

    def start(self, players: int) -> PatientMatch:
        return PatientMatch((self.stack,) * players, tuple(range(players)), self.ante)


#: Small stacks too: seats that cannot call are folded, and streets pass without a question.
TABLES: list[tuple[Game, int]] = [
    *[(PatientStud(stack), seats) for seats, stack in zip(range(2, 9), (500, 12, 60, 500, 12, 60, 500), strict=True)],
    *[(BlockheadGame(hands=1), seats) for seats in range(2, 7)],
]


#: Standard deviations that no chance reaches; and the hands are always the same ones.
PLAIN_CORRELATION = 5.0


def name_of(table: tuple[Game, int]) -> str:
    game, seats = table
    return f"{game.name}-{seats}-seats"


@dataclass(frozen=True)
class Recording:
    """Hands that were played once, and what everybody was sent."""

    layout: Layout
    decks: list[Sequence[Card]]
    stories: list[Story]
    tapes: list[Tape]

    def streets(self, hand: int, seat: int) -> int:
        """After how many streets the cards hidden from ``seat`` are changed, in turn, to play a hand again."""
        return 1 + (hand + seat) % len(self.stories[hand].live)

    def deck_for(self, hand: int, seat: int) -> Sequence[Card]:
        """The deck of a hand with what is hidden from ``seat`` changed."""
        seen = self.layout.seen(seat, self.stories[hand].live[: self.streets(hand, seat)])
        return change(self.decks[hand], seen, Random(f"{hand}/{seat}"))


async def record_once(game: Game, seats: int, hands: int, journal: Path, patch: pytest.MonkeyPatch) -> Recording:
    decks: list[Sequence[Card]] = [shuffled_deck(SEED, seats, hand) for hand in range(hands)]
    tapes = await record(game, seats, decks, journal, patch)
    records = [each for each in read_raw(journal) if each["type"] == "hand"]
    dealt = [cast("StudHand | BlockheadHand", game.start(seats).deal(deck)) for deck in decks]
    stories = [story(hand, told) for hand, told in zip(dealt, records, strict=True)]
    return Recording(LAYOUTS[game.name], decks, stories, tapes)


def before(messages: Sequence[bytes], streets: int) -> Iterator[bytes]:
    """The messages of a hand until it is over, or until the first question of a later street."""
    for message in messages:
        text = text_of(message)
        if text.startswith("status") or (text.startswith("bet") and int(text[3]) > streets):
            return
        yield message


def check_nothing_hidden_is_named(recording: Recording) -> None:
    for seat, tape in enumerate(recording.tapes):
        for messages, deck, told in zip(tape.hands, recording.decks, recording.stories, strict=True):
            *questions, status = map(text_of, messages)
            for text in questions:
                street = int(text[3]) if text.startswith("bet") else 0
                seen = {deck[place].text for place in recording.layout.seen(seat, told.live[:street])}
                assert cards_named(text) <= seen
            folded = {deck[recording.layout.hole(other)].text for other in set(told.live[0]) - set(told.at_end)}
            assert cards_named(status).isdisjoint(folded), f"{status} shows what a folded seat had in the hole"


async def check_nothing_depends_on_what_is_hidden(recording: Recording, game: Game, patch: pytest.MonkeyPatch) -> int:
    """The bytes compared."""
    compared = 0
    for seat, tape in enumerate(recording.tapes):
        decks = [recording.deck_for(hand, seat) for hand in range(len(recording.decks))]
        again = await record(game, len(recording.tapes), decks, None, patch)
        for hand, (first, second) in enumerate(zip(tape.hands, again[seat].hands, strict=True)):
            streets = recording.streets(hand, seat)
            sent = b"".join(before(first, streets))
            assert b"".join(before(second, streets)) == sent, f"seat {seat} in hand {hand + 1}, {streets} street(s)"
            compared += len(sent)
    return compared


def strongest_correlation(recording: Recording) -> float:
    """Between how much a seat is sent before the showdown and its neighbour's hole card, in standard deviations.

    A ten is counted as one character: who holds one makes tens, which are longer, rarer on the table.
    """
    seats = len(recording.tapes)
    lengths, messages, ranks, spades = [], [], [], []
    for hand, deck in enumerate(recording.decks):
        sent = list(before(recording.tapes[hand % seats].hands[hand], 9))
        card = deck[recording.layout.hole((hand + 1) % seats)]
        lengths.append(len(b"".join(sent).replace(b"10", b"T")))
        messages.append(len(sent))
        ranks.append(int(card.rank))
        spades.append(int(card.suit is Suit.SPADES))
    found: list[float] = [correlation(sent, card) for sent in (lengths, messages) for card in (ranks, spades)]
    return max(map(abs, found)) * math.sqrt(len(recording.decks))


async def drill(game: Game, seats: int, hands: int, journal: Path, patch: pytest.MonkeyPatch) -> None:
    recording = await record_once(game, seats, hands, journal, patch)
    check_nothing_hidden_is_named(recording)
    compared = await check_nothing_depends_on_what_is_hidden(recording, game, patch)
    strongest = strongest_correlation(recording)
    assert strongest < PLAIN_CORRELATION
    received = sum(len(message) for tape in recording.tapes for messages in tape.hands for message in messages)
    showdowns = sum(len(told.at_end) > 1 for told in recording.stories)
    print(
        f"{game.name}, {seats} seats: {hands} hands, {showdowns} showdowns, {received} bytes received; "
        f"played again once a seat: {compared} bytes before the showdown, all the same; "
        f"strongest correlation {strongest:.1f} standard deviations"
    )


@pytest.mark.parametrize("table", TABLES, ids=name_of)
async def test_no_byte_before_the_showdown_depends_on_a_hidden_card(
    table: tuple[Game, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await drill(*table, 25, tmp_path / "journal", monkeypatch)


@pytest.mark.heavy
@pytest.mark.parametrize("table", TABLES, ids=name_of)
async def test_no_byte_of_10000_hands_depends_on_a_hidden_card(
    table: tuple[Game, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each game 10,000 hands, at tables of every size."""
    tables = sum(game.name == table[0].name for game, _ in TABLES)
    await drill(*table, -(-10_000 // tables), tmp_path / "journal", monkeypatch)
