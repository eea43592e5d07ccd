"""A person's seat at a dealer, without I/O: what the dealer says becomes news, what the person does becomes bytes."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import structs

from bots.human.card_pictures import words
from bots.human.game_seat import load_seat
from bots.human.narration import YOU
from bots.human.seen_table import SeenTable
from bots.human.updates import Asked, Begun, Chips, News, PersonScene, Said, Shown, TooLate
from dealer.telling.hand_events import texts
from dealer.telling.scene import TableScene
from protocol.events import Dealt
from protocol.games.base import FOLD, Action, Status
from protocol.games.game import Game
from protocol.games.registry import load_game
from protocol.person_events import AnswerDue, HandSeen, InLobby, PersonEvent, Seated, read_person_event
from protocol.wire.codec import FIRST_GAME
from protocol.wire.connection import BotConnection, State
from protocol.wire.framing import Framing
from protocol.wire.messages import Command, Done, GameInfo, Login, Name, ProtocolError, TableNews, Watch

#: What a person who leaves says.
QUIT = "quit"


class Guest:
    """A session with a dealer.

    Args:
        name: who the person is.
        framing: how messages travel.
        post: takes news; it does not wait.
        page: whether a page has said already that it speaks for this person.
        watches: whether to ask to be told what happens at the table. Only the port for people does so, and a page need
            not ask.

    Attributes:
        reason: why the dealer, or what it sent, ended the session; None before that.
        failed: whether the reason is that a message of the dealer could not be read.
        said_goodbye: whether the dealer was told that the person leaves.
    """

    def __init__(
        self, name: Name, framing: Framing, post: Callable[[News], object], *, page: bool, watches: bool
    ) -> None:
        self.failed = self.said_goodbye = False
        self._page = page
        self._name = name
        self._framing = framing
        self._post = post
        self._watches = watches
        self._game: Game | None = None
        self._info: GameInfo | None = None
        self._told_again: GameInfo | None = None
        self._seated: Seated | None = None
        self._table: SeenTable | None = None
        self._hands = self._heard = self._known = self._number = 0
        self._between_hands = True
        self._again = False
        self.begin_connection()

    def begin_connection(self) -> None:
        """Another connection takes the place of one that broke; the dealer tells the game and the hand there again."""
        self.reason: str | None = None
        self._connection = BotConnection(self._framing)
        self._introduced = not self._watches
        self._asked = False
        self._told_again = self._info

    def receive(self, data: bytes) -> bytes:
        """Take what the dealer sent; returns what to send to it."""
        connection, out = self._connection, b""
        connection.receive(data)
        try:
            while self.reason is None:
                if connection.moved_on:
                    out += self._too_late()
                command = connection.next_command()
                if command is None:
                    break
                out += self._take(command)
        except ProtocolError as error:
            self.reason, self.failed = f"The dealer does not speak this protocol: {error}.", True
        except (LookupError, ValueError) as error:
            self.reason, self.failed = f"{error}.", True
        return out

    def answer(self, number: int, action: Action) -> bytes:
        """The reply to question ``number``, in bytes; empty if that question is closed."""
        if not self._asked or number != self._number:
            return b""
        self._asked = False
        return self._connection.send(action)

    def goodbye(self) -> bytes:
        """The last word of a person who leaves, in bytes; empty where no question is open and no page speaks."""
        self.said_goodbye = self._page or self._asked
        return self._framing.encode(QUIT) if self.said_goodbye else b""

    def _too_late(self) -> bytes:
        """The dealer has gone on. It drops the answer that it no longer waits for, whatever it is."""
        self._asked = False
        self._post(TooLate())
        return self._connection.send(FOLD)

    def _take(self, command: Command) -> bytes:
        match command:
            case Login():
                introduced, self._introduced = self._introduced, True
                return self._connection.send(self._name if introduced else Watch())
            case Done(reason):
                self.reason = reason
            case TableNews(text):
                event = read_person_event(text)
                return b"" if event is None else self._hear(event)
            case GameInfo():
                self._game_begins(command)
            case turn if self._connection.state is State.ASKED:
                self._ask(turn)
            case status:
                self._hand_over(status)
        return b""

    def _hear(self, event: PersonEvent) -> bytes:
        """Show what happens."""
        if isinstance(event, AnswerDue):
            self._post(event)
            return b""
        late = self._too_late() if self._asked else b""
        match event:
            case InLobby():
                self._post(structs.replace(event, names=_shown(event.names)))
            case Seated():
                before, self._seated = self._seated, event
                self._again = before is not None and (before.table, before.hand) == (event.table, event.hand)
                self._hands += not self._again
                # After a break the dealer tells the hand from its beginning. The history has those lines already.
                self._known, self._heard = max(self._known, self._heard) if self._again else 0, 0
            case Dealt():
                seated = self._seated
                if seated is None or len(seated.names) != len(event.players):
                    raise ValueError("The dealer deals a hand, but does not tell who plays")
                self._table = self._new_table(seated, event)
                if not self._again:
                    self._post(Chips(event.stacks[seated.seat]))
            case _:
                table = self._table
                if table is None:
                    raise ValueError("The dealer tells a hand, but not how it was dealt")
                self._heard += 1
                lines = table.end(event) if isinstance(event, HandSeen) else table.hear(event)
                self._say(lines if self._heard > self._known else ())
                self._post(Shown(table.scene(), table.spot()))
        return late

    def _new_table(self, seated: Seated, dealt: Dealt) -> SeenTable:
        game = self._playing()
        return SeenTable(game, load_seat(game.name), self._hands, _shown(seated.names), seated.seat, dealt)

    def _say(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._post(Said(line))

    def _game_begins(self, info: GameInfo) -> None:
        """Read what is agreed. The first message of another connection tells the game under way once more."""
        told_again, self._told_again = self._told_again, None
        if told_again is not None and _agreed(info) == _agreed(told_again):
            return
        self._info = info
        self._table = self._seated = None
        self._begin(info.name)
        self._post(Said(f"A game of {info.name} begins: {dict(info.facts).get('players', '?')} players."))

    def _playing(self) -> Game:
        """The game that is played: a dealer that has not named one plays the first game of the protocol."""
        return self._game or self._begin(FIRST_GAME)

    def _begin(self, name: str) -> Game:
        """Begin a game.

        Raises:
            LookupError: the seat for people does not know it.
            ValueError: it cannot be played like this.
        """
        load_seat(name)
        self._game = game = _agreed_game(name, dict(self._info.facts) if self._info else {})
        self._post(Begun(game))
        return game

    def _ask(self, turn: Any) -> None:
        """Show the table, and ask the person."""
        game, table = self._playing(), self._table
        if table is None:
            self._begin_hand_alone(turn)
            self._post(Shown(_alone(game, turn, self._hands), None))
        else:
            table.ask(turn)
            self._post(Shown(table.scene(), table.spot()))
        self._asked = True
        self._number += 1
        self._post(Asked(self._number, turn, None if table is None else table.put))

    def _begin_hand_alone(self, turn: Any) -> None:
        """Count a hand by its first question, where the dealer tells nothing else of it."""
        if self._between_hands:
            self._between_hands = False
            self._hands += 1
            if turn.stack is not None:
                self._post(Chips(turn.stack))

    def _hand_over(self, status: Any) -> None:
        """Tell the result of a hand where only this message does, as at a port for programs."""
        if self._table is None:
            self._between_hands = True
            self._post(Said(_result(status, self._playing())))


def _shown(names: Sequence[str]) -> tuple[str, ...]:
    """The names, in which nothing can move the cursor of a terminal."""
    return tuple(["".join(letter for letter in name if letter.isprintable()) for name in names])


def _agreed(info: GameInfo) -> tuple[str, dict[str, str]]:
    """The name and the terms of a game, without the numbers that change when a player is out."""
    return info.name, {key: fact for key, fact in info.facts if key not in ("seat", "players")}


def _agreed_game(name: str, agreed: dict[str, str]) -> Game:
    """The game with the options of a ``game:`` message, whose values are text."""
    game = load_game(name)
    options = {entry.name: entry for entry in game.options() if entry.name in agreed}
    return game.from_facts({key: agreed[key] if entry.choices else int(agreed[key]) for key, entry in options.items()})


def _alone(game: Game, turn: Any, hand: int) -> PersonScene:
    """The table as far as a question alone tells it."""
    table = TableScene(Dealt(0, hand, 0, 1, (0,), (0,), (0,), (0,), None, None))
    table.street, table.pot, table.board = turn.street, turn.pot, texts(getattr(turn, "board", ()))
    (seat,) = table.seats
    seat.stack, seat.hole, seat.turn = turn.stack, texts(turn.own), True
    return PersonScene(table, (YOU,), 0, hand, game, load_seat(game.name))


def _result(status: Any, game: Game) -> str:
    """The result of a hand in sentences, from the message at its end."""
    if not isinstance(status, Status):
        return "The hand is over."
    how = "You win" if status.won else "A tie" if status.tied else "You do not win"
    best = f" The best cards: {words(status.cards)}, {game.describe(status.cards)}." if status.cards else ""
    return f"{how}.{best}"
