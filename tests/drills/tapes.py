"""Seats that keep every byte a dealer sends them, and decide by a rule that never looks at a card."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import cast

import pytest
from structlog.testing import capture_logs

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.settings import Settings
from protocol.cards import DECK, Card
from protocol.games.base import FOLD, Action, Bet, Turn
from protocol.games.game import Game
from protocol.wire.codec import decode_command, encode
from protocol.wire.framing import UtfFraming
from tests.bad_bots.peer import Peer
from tests.dealer.support.rig import SEED, play

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
