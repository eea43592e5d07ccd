"""What many tests need: decks with chosen cards on top, hands played to a point, connections, and strategies."""

from collections.abc import Iterator
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from protocol.cards import DECK, Card, parse_cards
from protocol.games.base import FOLD, Action, Bet, Fold, Status
from protocol.games.blockhead import BlockheadHand
from protocol.games.stud import SEATS, StudHand, StudTurn
from protocol.shuffle import shuffled_places
from protocol.wire.connection import BotConnection, DealerConnection
from protocol.wire.framing import Framing, UtfFraming
from protocol.wire.messages import BrowserOf, Command, Done, Login, Name, Reply, Version, Watch

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


# Hypothesis strategies for everything that goes over the wire and every hand that can be dealt.


chips = st.integers(0, 10**6)
cards = st.sampled_from(DECK)
decks = st.integers(0, 2**32).map(lambda seed: tuple(Random(seed).sample(DECK, len(DECK))))
#: A source of choices for a walk through a hand; one number shrinks better than a list of actions.
players = st.integers(0, 2**32).map(Random)

#: Stacks that bets of 10 exhaust, so that forced folds and checks and busts all happen.
small_stacks = st.lists(st.integers(3, 99), min_size=SEATS[0], max_size=SEATS[-1])

#: Any text without halves of surrogate pairs; the second sort has a character of every encoded length.
texts = st.text(max_size=60) | st.text(st.sampled_from("a:\0é߿ࠀ￿\U00010000🂡"), max_size=20)

names = st.builds(
    Name,
    st.from_regex(r"[A-Za-z0-9_-]{1,39}", fullmatch=True),
    st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=32),
)
actions = st.just(FOLD) | st.builds(Bet, st.integers(0, 999_999_999))
replies = names | actions


@st.composite
def turns(draw: st.DrawFn) -> StudTurn:
    """Any question of stud that the wire can carry."""
    street = draw(st.sampled_from([1, 2]))
    up = st.tuples(*[cards] * street)
    shown = tuple(draw(st.lists(up, min_size=1, max_size=SEATS[-1])))
    return StudTurn(street, draw(chips), draw(chips), draw(chips), draw(cards), draw(up), shown)


statuses = st.tuples(st.booleans(), st.tuples(cards, cards, cards)).map(lambda drawn: Status(*drawn))
commands = st.just(Login()) | turns() | statuses | st.builds(Done, texts)


@st.composite
def cut(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """``data`` in pieces, as a network may deliver it; some are empty."""
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    return [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
