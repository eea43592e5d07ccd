"""Hands that tests tell in the words of the Annual Computer Poker Competition."""

from collections.abc import Sequence
from random import Random

from protocol.cards import DECK, Card, parse_card
from protocol.games.base import Action, Bet
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_hand import BOARD, HoldemHand
from protocol.wire.acpc import AcpcText, HandText
from protocol.wire.acpc_connection import AcpcConnection
from protocol.wire.framing import LineFraming
from protocol.wire.messages import Shown
from protocol.wire.text import load_text
from tests.acpc_client.competition import Competition

OPTIONS = {"acpc": 1, "reset_stacks": 1, "stack": 20000, "small_blind": 50, "big_blind": 100}
LIMIT = HoldemGame.from_facts({**OPTIONS, "betting": "fixed-limit"})
NO_LIMIT = HoldemGame.from_facts(OPTIONS)


def acpc_text() -> AcpcText:
    """How hold'em is told."""
    text = load_text("holdem").acpc
    assert text is not None
    return text


def parse_acpc_card(text: str) -> Card:
    """A card such as ``Td``."""
    return parse_card(text.upper().replace("T", "10"))


def cards_of(text: str) -> list[Card]:
    """The cards of a text such as ``TdAs``."""
    return [parse_acpc_card(text[place : place + 2]) for place in range(0, len(text), 2)]


def deck_with(holes: Sequence[Sequence[Card]], board: Sequence[Card]) -> tuple[Card, ...]:
    """A deck that deals these cards; others where a seat has none, or the board not all."""
    used = {card for cards in (*holes, board) for card in cards}
    others = iter([card for card in DECK if card not in used])
    dealt = [card for hole in holes for card in (hole or (next(others), next(others)))]
    dealt += [*board, *(next(others) for _ in range(BOARD[-1] - len(board)))]
    return (*dealt, *others)


def seat_in(hand: HoldemHand, position: int) -> int:
    """The seat that has a position, as the competition counts them."""
    return (position + hand.button + 1) % len(hand.starting)


class JudgedText(HandText):
    """The text of a hand, where the competition's own code reads every match state."""

    def __init__(self, hand: HoldemHand, game: HoldemGame, number: int, positions: int) -> None:
        text = acpc_text()
        super().__init__(text, text.sized(game), hand, number, positions)
        self._competition, self._judged = Competition.of(game), ""

    def shown(self, seat: int) -> Shown:
        shown = super().shown(seat)
        if self.betting != self._judged:  # beside it, states for different seats differ in the hole cards alone
            self._competition.check(shown.line)
            self._judged = self.betting
        return shown

    def shown_at_end(self, seat: int, turned_up: Sequence[int]) -> Shown:
        shown = super().shown_at_end(seat, turned_up)
        self._competition.check(shown.line)
        return shown


def told(hand: HoldemHand, game: HoldemGame, number: int = 0, positions: int | None = None) -> HandText:
    """The text of a hand at its beginning."""
    return JudgedText(hand, game, number, positions or len(hand.starting))


def connected(*, strict: bool = False) -> AcpcConnection:
    """A connection whose program has said which version it speaks."""
    connection = AcpcConnection(LineFraming(512), strict=strict)
    connection.receive(b"VERSION:2.0.0\r\n")
    return connection


def wanted_text(hand: HoldemHand, action: Action, game: HoldemGame) -> str:
    """An action as a program of the competition writes it, worked out from the hand alone."""
    assert hand.to_act is not None
    if not isinstance(action, Bet):
        return "f"
    if action.amount == hand.legal().to_call:
        return "c"
    if game.betting == "fixed-limit":
        return "r"
    return f"r{hand.before[hand.to_act] + hand.put[hand.to_act] + action.amount}"


def dealt(game: HoldemGame, players: int, seed: int, hands: int = 0) -> HoldemHand:
    """A hand of a match, after some that were folded."""
    match, chance = game.start(players), Random(seed)
    for _ in range(hands):
        hand = match.deal(DECK)
        while hand.to_act is not None:
            hand = hand.concede()
        match = match.record(hand.settle())
    return match.deal(tuple(chance.sample(DECK, len(DECK))))
