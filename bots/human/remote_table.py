"""A seat at a dealer elsewhere: the same table, from what the dealer's messages tell and no more."""

import select
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from bots.client import ClientError, play
from bots.human.card_pictures import words
from bots.human.game_seat import load_seat
from bots.human.narration import YOU, move, sentence, told, winners
from bots.human.thread_bridge import Human, LeftError, ThreadBridge
from bots.human.updates import Begun, Chips, Ended, Said, Shown
from bots.human.wire_view import WireTable
from bots.strategy import StrategyError
from protocol.games.base import Action, Status
from protocol.games.game import Game
from protocol.games.registry import load_game
from protocol.wire.codec import FIRST_GAME
from protocol.wire.framing import Framing
from protocol.wire.messages import GameInfo, Name

#: What a person who leaves says to an open question.
QUIT = "quit"

#: How long a dealer may take to close after that.
GOODBYE_SECONDS = 2.0

#: The reason that is shown when the person has left.
LEFT = "You have left the table."


class RemoteGame:
    """A session with a dealer.

    Args:
        sock: connected; it is closed at the end.
        framing: how messages travel there.
    """

    def __init__(self, sock: socket.socket, framing: Framing, name: Name, bridge: ThreadBridge) -> None:
        self._sock = sock
        self._framing = framing
        self._name = name
        self._bridge = bridge

    def run(self) -> None:
        """Play until the dealer says ``done``, the connection ends, or the person leaves."""
        bridge = self._bridge
        with self._sock:
            try:
                reason = play(self._sock, self._framing, self._name, Guest(bridge, self._something_came))
            except LeftError:
                self._say_goodbye()
                reason = LEFT
            except (ClientError, StrategyError) as error:
                reason = LEFT if bridge.left else f"{sentence(str(error))}."
        bridge.post(Ended(reason))

    def leave(self) -> None:
        """Let the person leave; ``run`` ends soon."""
        if not self._bridge.leave():
            with suppress(OSError):
                self._sock.shutdown(socket.SHUT_RD)

    def _something_came(self) -> bool:
        """Whether the dealer has stopped waiting for a reply: as long as it waits, it sends nothing."""
        return bool(select.select([self._sock], [], [], 0)[0])

    def _say_goodbye(self) -> None:
        """Answer the open question with ``quit``, and let the dealer close first, so that it reads that."""
        with suppress(OSError):
            self._sock.settimeout(GOODBYE_SECONDS)
            self._sock.sendall(self._framing.encode(QUIT))
            while self._sock.recv(4096):
                pass


class Guest(Human):
    """A person at a dealer's table: shows what the dealer's messages tell before asking.

    Args:
        moved_on: see ``ThreadBridge.ask``.
    """

    def __init__(self, bridge: ThreadBridge, moved_on: Callable[[], bool]) -> None:
        super().__init__(bridge, moved_on)
        self._post = bridge.post
        self._agreed: dict[str, str] = {}
        self._game: Game | None = None
        self._hand = 0
        self._table: WireTable | None = None
        self._chips = 0

    def game_begins(self, info: GameInfo) -> None:
        """Read what is agreed; stacks are equal again.

        Raises:
            StrategyError: the seat for people does not know that game.
        """
        self._agreed = dict(info.facts)
        self._begin(info.name)
        self._post(Said(f"A game of {info.name} begins: {self._agreed.get('players', '?')} players."))

    def decide(self, turn: Any) -> Action:
        """Show the table, and ask the person."""
        if self._table is None or self._table.asks_once:
            self._hand += 1
            self._post(Said(f"Hand {self._hand}."))
            self._count_chips()
            self._table = self._new_table()
            self._post(Chips(self._chips if turn.stack is None else turn.stack))
        table = self._table
        for line in table.look(turn):
            self._post(Said(line))
        self._post(Shown(table.scene(turn, table.me), table.spot(turn)))
        action = super().decide(turn)
        did = move(action, turn.owed, first=False, pay_word=load_seat(self._playing().name).pay_word(turn))
        self._post(Said(told(YOU, did, getattr(action, "amount", 0))))
        table.moved(turn, action, did)
        self._post(Shown(table.scene(turn, None), table.spot(turn)))
        return action

    def hand_over(self, status: Any) -> None:
        """Show the result of the hand, as far as the dealer tells it."""
        self._hand += self._table is None
        table = self._table = self._table or self._new_table()
        line = table.result(status) or _told_result(status, self._playing(), table)
        self._count_chips()
        self._table = None
        self._post(Said(f"Hand {table.hand}: {line}"))
        if table.last is not None:
            table.turn_up(status)
            self._post(Shown(table.scene(table.last, None, line), None))

    def _count_chips(self) -> None:
        """Add what the last hand won or lost, in games whose questions do not tell the stack."""
        if self._table is not None:
            self._chips += self._table.gain

    def _playing(self) -> Game:
        """The game that is played: a dealer that has not named one plays the first game of the protocol."""
        return self._game or self._begin(FIRST_GAME)

    def _begin(self, name: str) -> Game:
        try:
            load_seat(name)
            self._game = _agreed_game(name, self._agreed)
        except (LookupError, ValueError) as error:
            raise StrategyError(str(error)) from None
        self._post(Begun(self._game))
        self._chips = self._game.stack
        return self._game

    def _new_table(self) -> WireTable:
        game = self._playing()
        seat = load_seat(game.name)
        return seat.wire_table(self._hand, game, seat.cards, self._agreed)


def _agreed_game(name: str, agreed: Mapping[str, str]) -> Game:
    """The game with the options of a ``game:`` message, whose values are text."""
    game = load_game(name)
    options = {entry.name: entry for entry in game.options() if entry.name in agreed}
    return game.from_facts({key: agreed[key] if entry.choices else int(agreed[key]) for key, entry in options.items()})


def _told_result(status: Status, game: Game, table: WireTable) -> str:
    """What a status says, in sentences."""
    how = "you win" if status.won else "a tie" if status.tied else "you do not win"
    if status.collected:
        how = winners((table.name_of(seat), chips) for seat, chips in status.collected)
    if not status.cards:
        if not status.collected and not status.won:
            return "nobody wins any chips."
        return f"{how}: all others folded."
    best = load_seat(game.name).in_words(game, status.cards)
    return f"{how}. The best cards: {words(status.cards)}, {best}."
