"""The program's end of the competition's text: its game definitions, and the hand that a match state tells.

The grammar is that of ``HandText``, which writes match states: a state is read by playing its betting through the rules
and writing it again, so a line that reads otherwise than the dealer's own end would write it is refused.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from protocol.cards import DECK, UNKNOWN, Card
from protocol.games.base import FOLD, Action, Bet, IllegalAction
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_betting import MOST_BETS
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import BOARD, SEATS, STREETS, HoldemHand
from protocol.games.holdem_turn import HoldemTurn
from protocol.wire.acpc import MOST_DIGITS, STATE_FORM, AcpcText, HandText, cards_text, room_to_raise
from protocol.wire.messages import ProtocolError, quoted
from protocol.wire.text import load_text

#: What a program says first.
VERSION = "VERSION:2.0.0"

_STATE = re.compile(STATE_FORM, re.ASCII)
_ACTION = re.compile(rf"r\d{{0,{MOST_DIGITS}}}|[cf]", re.ASCII)
_FIELD = re.compile(r"(?P<name>[a-z]+)[\s=]*(?P<items>[^#]*)", re.ASCII)
_CARDS = {cards_text([card]): card for card in DECK}

#: Big blinds of a stack where fixed limit has none: more than anybody can bet in a hand.
_LIMIT_STACK = 100


@dataclass(frozen=True, slots=True)
class GameDefinition:
    """What a program of the competition knows of the game before the first hand.

    Attributes:
        game: its stakes and limits.
        players: how many there are at the table.
    """

    game: HoldemGame
    players: int

    #: What every definition of Texas Hold'em says.
    HOLDEM: ClassVar[Mapping[str, Sequence[int]]] = {
        "numRounds": (STREETS,),
        "numSuits": (4,),
        "numRanks": (13,),
        "numHoleCards": (2,),
        "numBoardCards": tuple([BOARD[street + 1] - BOARD[street] for street in range(STREETS)]),
    }


def read_definition(text: str) -> GameDefinition:
    """The game of a ``.game`` file: hold'em with two blinds and equal stacks.

    Names are read as the competition's code reads them: in any case, with or without ``=``, and unknown lines are
    skipped.

    Raises:
        ValueError: it is another game, or a field is missing; the text says which was expected.
    """
    fields = _fields(text)

    def expect(name: str, expected: Sequence[int]) -> None:
        if fields.get(name.lower()) != list(expected):
            raise ValueError(f"{name}: expected {_row(expected)}, got {_row(fields.get(name.lower()))}")

    for name, expected in GameDefinition.HOLDEM.items():
        expect(name, expected)
    players = _one(fields, "numPlayers")
    if players not in SEATS:
        raise ValueError(f"numPlayers: expected {SEATS[0]} to {SEATS[-1]}, got {players}")
    blinds = fields.get("blind", [])
    small, big = sorted(blinds)[-2:] if len(blinds) == players else (0, 0)
    expect("blind", [big, small] if players == 2 else [small, big, *[0] * (players - 2)])
    expect("firstPlayer", [2 if players == 2 else 3, *[1] * (STREETS - 1)])
    limited = "nolimit" not in fields
    stack = _LIMIT_STACK * big
    if limited:
        expect("raiseSize", [big, big, 2 * big, 2 * big])
        expect("maxRaises", [MOST_BETS - 1, *[MOST_BETS] * (STREETS - 1)])
    elif "maxraises" in fields:
        raise ValueError(f"maxRaises: expected nothing in no limit, got {_row(fields['maxraises'])}")
    if "stack" in fields or not limited:
        stack = (fields.get("stack") or [0])[0]
        expect("stack", [max(stack, 1)] * players)
    options = {"stack": stack, "small_blind": small, "big_blind": big, "acpc": 1, "reset_stacks": 1}
    game = HoldemGame.from_facts({**options, "betting": "fixed-limit" if limited else "no-limit"})
    return GameDefinition(game, players)


def _fields(text: str) -> dict[str, list[int]]:
    """Numbers by the name of their line, in small letters.

    Raises:
        ValueError: there is no definition, or a line with a name that is known has something else than numbers.
    """
    fields: dict[str, list[int]] = {}
    for line in text.splitlines():
        found = _FIELD.fullmatch(line.strip().lower())
        if found is None or line.startswith("#"):
            continue
        if line.lower().startswith("end gamedef"):
            break
        items = found["items"].split()
        if all(item.isascii() and item.isdigit() and len(item) <= MOST_DIGITS for item in items):
            fields[found["name"]] = [int(item) for item in items]
    if "gamedef" not in fields:
        raise ValueError("expected a game definition of the competition, from GAMEDEF to END GAMEDEF")
    return fields


def _one(fields: Mapping[str, Sequence[int]], name: str) -> int:
    match fields.get(name.lower()):
        case [number]:
            return number
        case other:
            raise ValueError(f"{name}: expected a number, got {_row(other)}")


def _row(numbers: Sequence[int] | None) -> str:
    return " ".join(map(str, numbers)) if numbers else "nothing"


@dataclass(frozen=True, slots=True)
class MatchState:
    """A hand as one player is told it. That player is seat 0, and the others follow in the order of the table.

    Attributes:
        line: as the dealer sent it.
        number: of the hand.
        hand: so far; cards that the player may not see are unknown.
    """

    line: str
    number: int
    hand: HoldemHand

    @property
    def turn(self) -> HoldemTurn | None:
        """What the player is asked; None if it is not its turn."""
        if self.hand.to_act != 0:
            return None
        turn = self.hand.view(0)
        return turn if room_to_raise(self.line) else turn._replace(least=0, most=0)

    @property
    def status(self) -> Any:
        """What the player is told at the end of the hand; None if it is not over.

        Raises:
            ProtocolError: cards of the showdown are missing.
        """
        hand = self.hand
        if hand.to_act is not None:
            return None
        if len(hand.live) > 1 and UNKNOWN in (*hand.board, *[card for seat in hand.live for card in hand.hole(seat)]):
            raise ProtocolError(f"expected the cards of all who are in the showdown, got {quoted(self.line)}")
        return hand.settle().statuses()[0]

    def answer(self, action: Action) -> str:
        """The line of the program for an action that the rules allow; a fold with nothing owed is a check.

        Raises:
            IllegalAction: they do not allow it.
        """
        hand, turn = self.hand, self.turn
        assert turn is not None
        if not isinstance(action, Bet):
            return f"{self.line}:{'f' if turn.owed else 'c'}"
        if action.amount == turn.owed:
            return f"{self.line}:c"
        if not turn.least:
            raise IllegalAction(f"you bet {action.amount}, but no raise is allowed now: bet {turn.owed} to call")
        hand.apply(action)
        sized = hand.betting.limit != "fixed-limit"
        return f"{self.line}:r{hand.before[0] + hand.put[0] + action.amount if sized else ''}"


def read_state(line: str, definition: GameDefinition) -> MatchState:
    """The hand that a match state tells.

    Raises:
        ProtocolError: the line is no match state of this game.
    """
    found = _STATE.fullmatch(line)
    if found is None:
        raise ProtocolError(f"expected 'MATCHSTATE:<position>:<hand>:<betting>:<cards>', got {quoted(line)}")
    position, players = int(found["position"]), definition.players
    holes, *streets = found["cards"].split("/")
    by_position = holes.split("|")
    if len(by_position) != players or position >= players:
        raise ProtocolError(f"expected a match state for {players} players, as the definition says, got {quoted(line)}")
    hand = _dealt(definition, position, by_position, "".join(streets))
    text = HandText(acpc_text(), definition.game.betting != "fixed-limit", hand, int(found["hand"]), players)
    try:
        for token in _ACTION.findall(found["betting"]):
            seat, action = _action(token, hand)
            hand = hand.apply(action)
            text.act(seat, action, hand)
    except IllegalAction as error:
        raise ProtocolError(f"the betting of {quoted(line)} is not one of this game: {error}") from None
    known = [seat for seat in range(players) if by_position[(seat + position) % players]]
    shown = text.shown(0) if hand.to_act is not None else text.shown_at_end(0, known)
    if shown.line != line:
        raise ProtocolError(f"expected a match state like {quoted(shown.line)}, got {quoted(line)}")
    return MatchState(line, int(found["hand"]), hand)


def acpc_text() -> AcpcText:
    """How hold'em is told."""
    text = load_text(HoldemGame.name).acpc
    assert text is not None
    return text


def _dealt(definition: GameDefinition, position: int, holes: Sequence[str], board: str) -> HoldemHand:
    """The hand before its first action, with the cards that the player in ``position`` is told."""
    game, players = definition.game, definition.players
    by_seat = [_cards(holes[(seat + position) % players], 2) for seat in range(players)]
    cards = [*[card for hole in by_seat for card in hole], *_cards(board, BOARD[STREETS])]
    blinds = [game.big_blind, game.small_blind] if players == 2 else [game.small_blind, game.big_blind]
    blinds += [0] * (players - 2)
    return deal(
        cards,
        [game.stack] * players,
        game.bets,
        button=(players - 1 - position) % players,
        blinds=[blinds[(seat + position) % players] for seat in range(players)],
    )


def _cards(text: str, count: int) -> list[Card]:
    """Cards written one behind the other, and unknown ones up to ``count``.

    Raises:
        ProtocolError: something is no card.
    """
    pieces = [text[place : place + 2] for place in range(0, len(text), 2)]
    wrong = [piece for piece in pieces if piece not in _CARDS]
    if wrong or len(pieces) > count:
        raise ProtocolError(f"expected at most {count} cards such as Td, got {quoted(text)}")
    return [*[_CARDS[piece] for piece in pieces], *[UNKNOWN] * (count - len(pieces))]


def _action(token: str, hand: HoldemHand) -> tuple[int, Action]:
    """Who acts next, and the action that a part of the betting means.

    Raises:
        IllegalAction: nobody acts any more, or no raise is allowed.
    """
    seat = hand.to_act
    if seat is None:
        raise IllegalAction("an action follows after the end of the hand")
    if token == "f":
        return seat, FOLD
    if token == "c":
        return seat, Bet(hand.legal().to_call)
    raises, spent = hand.legal().raises, hand.before[seat] + hand.put[seat]
    amount = int(token[1:]) - spent if len(token) > 1 else raises.start
    if amount not in raises:
        raise IllegalAction(f"{token!r} is no raise that is allowed there")
    return seat, Bet(amount)
