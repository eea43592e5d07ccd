"""What many tests need: decks with chosen cards on top, hands played to a point, two connections joined."""

from collections.abc import Iterator
from typing import TypeVar

from protocol.cards import DECK, Card, parse_cards
from protocol.games.base import Action, Bet, Fold
from protocol.games.blockhead import BlockheadHand
from protocol.games.stud import StudHand
from protocol.shuffle import shuffled_places
from protocol.wire.connection import BotConnection, DealerConnection
from protocol.wire.framing import Framing, UtfFraming
from protocol.wire.messages import BrowserOf, Command, Name, Reply, Version, Watch

AnyHand = TypeVar("AnyHand", StudHand, BlockheadHand)


def deck_of(*seats: str) -> tuple[Card, ...]:
    """A whole deck that gives each seat its cards, written hole card first: ``"KS 10D 2C"``."""
    chosen = parse_cards(" ".join(seats))
    return (*chosen, *(card for card in DECK if card not in chosen))


def shuffled_deck(seed: bytes, table: int, hand: int) -> tuple[Card, ...]:
    """The 52 cards of hand number ``hand`` (from 1) at ``table`` (from 0)."""
    return tuple(DECK[place] for place in shuffled_places(seed, table, hand))


def play(hand: AnyHand, *actions: Action) -> AnyHand:
    """The hand after ``actions``, each by the seat that is to act."""
    for action in actions:
        hand = hand.apply(action)
    return hand


def messages_in(framing: Framing, pieces: list[bytes]) -> Iterator[str]:
    """The texts that arrive when a stream comes in ``pieces``, as a reader of the framing takes them."""
    buffer = b""
    for piece in pieces:
        buffer += piece
        while True:
            body, buffer = framing.split(buffer)
            if body is None:
                break
            yield framing.decode(body)
    assert not buffer


def commands_in(bot: BotConnection, data: bytes) -> list[Command]:
    """The commands that ``data`` completes, for a bot that answers none of them."""
    bot.receive(data)
    return list(iter(bot.next_command, None))


class ConnectionPair:
    """A dealer's and a bot's end with a wire between them that loses nothing.

    ``wire`` keeps every message as it travelled: who sent it, and the bytes.
    """

    def __init__(self, framing: Framing | None = None) -> None:
        self.dealer = DealerConnection(framing or UtfFraming())
        self.bot = BotConnection(framing or UtfFraming())
        self.wire: list[tuple[str, bytes]] = []

    def say(self, message: Command | Reply) -> None:
        """Send ``message`` from the end that sends messages of its type."""
        if isinstance(message, Name | Bet | Fold):
            self.answer(message)
        else:
            assert not isinstance(message, Version | BrowserOf | Watch)  # whose ends have other connections
            self.tell(message)

    def tell(self, message: Command) -> None:
        """The dealer says ``message`` and the bot understands the same."""
        data = self.dealer.send(message)
        self.wire.append(("dealer", data))
        assert commands_in(self.bot, data) == [message]
        assert self.bot.state is self.dealer.state

    def answer(self, reply: Reply) -> None:
        """The bot replies and the dealer understands the same."""
        data = self.bot.send(reply)
        self.wire.append(("bot", data))
        assert self.dealer.receive(data) == reply
        assert self.bot.state is self.dealer.state
