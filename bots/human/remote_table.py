"""A seat at somebody's dealer: the same table, from what the wire tells and no more."""

import select
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bots.client import ClientError, play
from bots.human.card_pictures import words
from bots.human.narration import YOU, move, sentence, told
from bots.human.thread_bridge import Desk, Human, LeftError
from bots.human.updates import Chips, Ended, Said, Shown
from bots.human.wire_view import WireTable
from bots.human.worth import worth
from bots.strategy import StrategyError
from protocol.games.base import Action, Status
from protocol.games.blockhead import NAME as BLOCKHEAD
from protocol.games.stud import NAME as STUD
from protocol.wire.framing import Framing
from protocol.wire.messages import GameInfo, Name

#: What a person who leaves says to an open question.
QUIT = "quit"

#: How long a dealer may take to close after that.
GOODBYE_SECONDS = 2.0

LEFT = "You have left the table."


class Joined:
    """A session with a dealer.

    Args:
        sock: connected; it is closed at the end.
        framing: how messages travel there.
        name: who the person is.
        desk: where the person is.
    """

    def __init__(self, sock: socket.socket, framing: Framing, name: Name, desk: Desk) -> None:
        self._sock = sock
        self._framing = framing
        self._name = name
        self._desk = desk

    def run(self) -> None:
        """Play until the dealer says ``done``, the connection ends, or the person leaves."""
        desk = self._desk
        with self._sock:
            try:
                reason = play(self._sock, self._framing, self._name, Guest(desk, self._something_came))
            except LeftError:
                self._say_goodbye()
                reason = LEFT
            except (ClientError, StrategyError) as error:
                reason = LEFT if desk.left else f"{sentence(str(error))}."
        desk.post(Ended(reason))

    def leave(self) -> None:
        """Let the person get up; ``run`` ends soon."""
        if not self._desk.leave():
            with suppress(OSError):
                self._sock.shutdown(socket.SHUT_RD)

    def _something_came(self) -> bool:
        """A dealer says nothing while it waits for a reply, so it has stopped waiting."""
        return bool(select.select([self._sock], [], [], 0)[0])

    def _say_goodbye(self) -> None:
        """Answer the open question with ``quit``, and let the dealer close first, so that it reads that."""
        with suppress(OSError):
            self._sock.settimeout(GOODBYE_SECONDS)
            self._sock.sendall(self._framing.encode(QUIT))
            while self._sock.recv(4096):
                pass


class Guest(Human):
    """A person at a dealer's table: shows what the wire tells before asking."""

    def __init__(self, desk: Desk, moved_on: Callable[[], bool]) -> None:
        super().__init__(desk, moved_on)
        self._post = desk.post
        self._info: dict[str, str] = {}
        self._hand = 0
        self._table: WireTable | None = None

    def game_begins(self, info: GameInfo) -> None:
        """Stacks are equal again."""
        self._info = dict(info.facts)
        self._post(Said(f"A game of {info.name} begins: {self._info.get('players', '?')} players."))

    def decide(self, turn: Any) -> Action:
        """Show the table, and ask the person."""
        if self._table is None:
            self._hand += 1
            self._post(Said(f"Hand {self._hand}."))
            self._post(Chips(turn.stack))
            self._table = WireTable(self._hand, self._info)
        table = self._table
        for line in table.look(turn):
            self._post(Said(line))
        self._post(Shown(table.scene(turn, table.me), table.spot(turn)))
        action = super().decide(turn)
        did = move(action, turn.owed, first=False)
        self._post(Said(told(YOU, did, getattr(action, "amount", 0))))
        table.moved(turn, action, did)
        self._post(Shown(table.scene(turn, None), table.spot(turn)))
        return action

    def hand_over(self, status: Status) -> None:
        """Say what the dealer says of the hand."""
        self._hand += self._table is None
        table = self._table or WireTable(self._hand, self._info)
        self._table = None
        line = _told_result(status, self._info.get("ranks") == "poker")
        self._post(Said(f"Hand {table.hand}: {line}"))
        if table.last is not None:
            table.turn_up(status)
            self._post(Shown(table.scene(table.last, None, line), None))


def _told_result(status: Status, poker: bool) -> str:
    """What a status says, as a sentence."""
    how = "you win" if status.won else "a tie" if status.tied else "you do not win"
    game = STUD if len(status.cards) == 3 else BLOCKHEAD
    return f"{how}. The best cards: {words(status.cards)}, {worth(game, status.cards, poker)}."
