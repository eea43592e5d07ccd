"""The leak drill: no byte that a seat is sent before the showdown depends on a card it may not know.

A real dealer plays the same hands again over real sockets, with all cards changed about that one seat had not been
shown; that seat must be sent the same bytes. What it had been shown at the end of each street differs, so hand by
hand the deck is changed as it is hidden after street 1, after street 2 and so on.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import correlation
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.settings import Settings
from protocol.cards import DECK, Card, Suit
from protocol.events import FOLD_CHIPS
from protocol.games.base import FOLD, Action, Bet, Turn
from protocol.games.blockhead import BlockheadGame, BlockheadHand
from protocol.games.game import Game
from protocol.games.stud import StudGame, StudHand, StudMatch
from protocol.wire.codec import decode_command, encode
from protocol.wire.framing import UtfFraming
from tests.bad_bots.peer import Peer
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.rig import SEED, play
from tests.protocol.helpers import shuffled_deck

#: Seconds, so that no busy machine makes a seat late.
LIMIT = 30.0

_FRAMING = UtfFraming()


@dataclass(eq=False)
class Tape:
    """One seat of a tournament.

    Attributes:
        game: what is played.
        seat: its number.
        hands: the messages of each hand, byte for byte, its status last.
    """

    game: str
    seat: int
    hands: list[list[bytes]] = field(default_factory=list)
    _buffer: bytes = b""

    async def play(self, peer: Peer) -> None:
        """Log in and answer until ``done:``; only the hand's number, the seat and what is legal count."""
        chance, messages = self._chance(), list[bytes]()
        while not (text := text_of(message := await self._next(peer))).startswith("done:"):
            messages.append(message)
            if text == "login":
                await peer.say(f"seat-{self.seat}:Seat {self.seat}")
            elif text.startswith("bet"):
                await peer.say(encode(_choose(cast("Turn", decode_command(text, self.game)), chance)))
            elif text.startswith("status"):
                self.hands.append(messages)
                chance, messages = self._chance(), []
        assert not messages[:-1], "more than an announcement came after the last hand"
        await peer.stream.aclose()

    async def _next(self, peer: Peer) -> bytes:
        """The next message with its framing, as it came."""
        while True:
            body, rest = _FRAMING.split(self._buffer)
            if body is not None:
                message, self._buffer = self._buffer[: len(self._buffer) - len(rest)], rest
                return message
            data = await peer.stream.receive_some(65536)
            assert data, "the dealer hung up without a word"
            self._buffer += data

    def _chance(self) -> Random:
        """The same for a hand in every tournament, whatever came before."""
        return Random(f"{len(self.hands)}/{self.seat}")


async def record(
    game: Game, seats: int, decks: Sequence[Sequence[Card]], journal: Path | None, patch: pytest.MonkeyPatch
) -> list[Tape]:
    """Play a hand on each of ``decks``, each with the first stacks again: what every seat was sent.

    Equal stacks, because those that a showdown leaves are no secret, and would tell of it in all hands after.
    """
    places = [bytes(map(DECK.index, deck)) for deck in decks]

    def draw(_seed: bytes, _table: int, hand: int, _cards: int, _resumption: int) -> bytes:
        """The deck of a hand; any for a hand that is not played: decks of several hands are drawn in one go."""
        return places[(hand - 1) % len(places)]

    patch.setattr("protocol.shuffle.shuffled_places", draw)
    tapes = [Tape(game.name, seat) for seat in range(seats)]
    settings = Settings(SEED, game, hands=1, games=len(decks), limit=LIMIT)
    file = AppendFile.create(journal) if journal else None
    with capture_logs():
        async with open_journal(file) as written:
            await play([tape.play for tape in tapes], settings, written)
    assert {len(tape.hands) for tape in tapes} == {len(decks)}
    return tapes


def text_of(message: bytes) -> str:
    body, rest = _FRAMING.split(message)
    assert body is not None
    assert not rest
    return _FRAMING.decode(body)


def _choose(turn: Turn, chance: Random) -> Action:
    """Mostly a call; some raises, few folds."""
    legal, luck = turn.legal(), chance.random()
    if luck < 0.08 and legal.fold:
        return FOLD
    if luck < 0.35 and legal.raises:
        return Bet(chance.choice(legal.raises))
    return Bet(legal.to_call)


_CARD = re.compile(r"(?<=[:=])(?:10|[2-9JQKA])[CDHS](?=:|$)")


@dataclass(frozen=True)
class Layout:
    """Where the cards of a game lie in the deck.

    Attributes:
        each: cards of the deck that belong to each seat: the hole card, then its up cards in order.
        first_up: how many of those are up on street 1; every later street turns up one more.
    """

    each: int
    first_up: int

    def hole(self, seat: int) -> int:
        """The place of a seat's hole card."""
        return self.each * seat

    def seen(self, seat: int, live: Sequence[Sequence[int]]) -> set[int]:
        """Places of all cards that ``seat`` may have been shown after some streets.

        Args:
            seat: who looks.
            live: the seats still in at the beginning of each of these streets.
        """
        up = {
            self.each * other + place
            for street, seats in enumerate(live)
            for other in seats
            for place in self._turned_up(street)
        }
        return {self.hole(seat)} | up

    def _turned_up(self, street: int) -> range:
        return range(self.first_up + street, self.first_up + street + 1) if street else range(1, self.first_up + 1)


LAYOUTS = {"stud": Layout(3, 1), "blockhead": Layout(5, 2)}


@dataclass(frozen=True)
class Story:
    """What a hand was like.

    Attributes:
        live: the seats still in at the beginning of each street that was reached.
        at_end: those still in when it was over.
    """

    live: tuple[tuple[int, ...], ...]
    at_end: tuple[int, ...]


def story(hand: StudHand | BlockheadHand, record: Mapping[str, Any]) -> Story:
    """The story that a journal tells of a hand just dealt."""
    live: list[tuple[int, ...]] = []
    for _, chips, _ in [(None, None, None), *record["actions"]]:
        if chips is not None:
            hand = hand.apply(FOLD if chips == FOLD_CHIPS else Bet(chips))
        live += [hand.street.live] * (hand.number - len(live))
    assert hand.to_act is None
    return Story(tuple(live), hand.street.live)


def change(deck: Sequence[Card], kept: set[int], chance: Random) -> list[Card]:
    """The deck with all cards but those at the places ``kept`` changed about."""
    places = [place for place in range(len(deck)) if place not in kept]
    changed = list(deck)
    for place, source in zip(places, chance.sample(places, len(places)), strict=True):
        changed[place] = deck[source]
    return changed


def cards_named(text: str) -> set[str]:
    """Every card in a message."""
    return set(_CARD.findall(text))


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
