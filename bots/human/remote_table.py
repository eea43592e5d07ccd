"""A seat at a dealer elsewhere: the same table, from what the dealer's messages tell and no more."""

import select
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from bots.client import ClientError, ConnectionLostError, play
from bots.human.card_pictures import words
from bots.human.game_seat import load_seat
from bots.human.narration import YOU, move, sentence, told, winners
from bots.human.thread_bridge import Human, LeftError, ThreadBridge
from bots.human.updates import BACK_AGAIN, Begun, Chips, CutOff, Ended, Said, Shown
from bots.human.wire_view import WireTable
from bots.strategy import StrategyError
from protocol.games.base import Action, Status
from protocol.games.game import Game
from protocol.games.registry import load_game
from protocol.wire.codec import FIRST_GAME
from protocol.wire.framing import Framing
from protocol.wire.messages import TRY_AGAIN, GameInfo, Name

#: What a person who leaves says to an open question.
QUIT = "quit"

#: Seconds for which a page tries to reach the dealer again, which keeps a person's seat for as long, and between two
#: attempts.
AGAIN_SECONDS = 60.0
RETRY_SECONDS = 0.5

#: How long a dealer may take to close after that.
GOODBYE_SECONDS = 2.0

#: The reason that is shown when the person has left.
LEFT = "You have left the table."


class RemoteGame:
    """A session with a dealer.

    Args:
        sock: connected; it is closed at the end.
        framing: how messages travel there.
        again: connects once more after the connection broke, or raises ``OSError``; for a page, for whose people the
            dealer keeps seats. None where the game ends then.
    """

    def __init__(
        self,
        sock: socket.socket,
        framing: Framing,
        name: Name,
        bridge: ThreadBridge,
        again: Callable[[], socket.socket] | None = None,
    ) -> None:
        self._sock = sock
        self._framing = framing
        self._name = name
        self._bridge = bridge
        self._again = again
        # Until when a connection that broke is made again, in monotonic time; None until that begins.
        self._give_up: float | None = None

    def run(self) -> None:
        """Play until the dealer says ``done``, the connection ends for good, or the person leaves."""
        guest, reason = Guest(self._bridge, self._something_came), None
        while reason is None:
            with self._sock:
                reason = self._play(guest) or self._leave_unasked()
            if reason is None:
                reason = self._reconnect(guest)
        self._bridge.post(Ended(reason))

    def _play(self, guest: "Guest") -> str | None:
        """Play on one connection; why the game is over.

        None if another connection may follow: this one broke, or the dealer takes the one that broke for an open one.
        """
        try:
            reason = play(self._sock, self._framing, self._name, guest)
        except LeftError:
            self._say_goodbye()
            return LEFT
        except (ConnectionLostError, _BrokenError) as error:
            if self._again is None:
                return self._reason(error)
            self._give_up = None
            return None
        except (ClientError, StrategyError) as error:
            if self._again is not None:
                self._say_goodbye()
            return self._reason(error)
        if reason.startswith(TRY_AGAIN) and self._give_up is not None and time.monotonic() < self._give_up:
            time.sleep(RETRY_SECONDS)
            return None
        return reason.removeprefix(TRY_AGAIN)

    def _reason(self, error: Exception) -> str:
        return LEFT if self._bridge.left else f"{sentence(str(error))}."

    def _leave_unasked(self) -> str | None:
        """Tell the dealer that the person has left, if that is why the connection ended."""
        if not self._bridge.left:
            return None
        self._say_goodbye()
        return LEFT

    def _reconnect(self, guest: "Guest") -> str | None:
        """Connect once more; why that did not succeed, None if it did."""
        assert self._again is not None
        bridge, give_up = self._bridge, self._give_up
        broke = give_up is None  # else the dealer was reached, and refused the person for the moment
        if give_up is None:
            self._give_up = give_up = time.monotonic() + AGAIN_SECONDS
            bridge.post(CutOff())
        while not bridge.left:
            try:
                self._sock = self._again()
            except OSError as error:
                if time.monotonic() > give_up:
                    return f"The connection to the dealer broke, and it cannot be reached: {error}."
                time.sleep(RETRY_SECONDS)
            else:
                if bridge.left:  # ``leave`` may not have seen this connection
                    self._sock.close()
                    break
                if broke:
                    bridge.post(Said(BACK_AGAIN))
                guest.goes_on()
                return None
        return LEFT

    def leave(self) -> None:
        """Let the person leave; ``run`` ends soon."""
        if not self._bridge.leave():
            with suppress(OSError):
                self._sock.shutdown(socket.SHUT_RD)

    def _something_came(self) -> bool:
        """Whether the dealer has stopped waiting for a reply: as long as it waits, it sends nothing.

        Raises:
            _BrokenError: the connection broke, and another may follow.
        """
        if not select.select([self._sock], [], [], 0)[0]:
            return False
        if self._again is not None and _ended(self._sock):
            raise _BrokenError("the connection to the dealer broke")
        return True

    def _say_goodbye(self) -> None:
        """Answer the open question with ``quit``, and let the dealer close first, so that it reads that.

        A page says so without a question, too, and when its game fails: the dealer would keep the seat if the
        connection only ended.
        """
        if self._bridge.stays:
            return
        with suppress(OSError):
            self._sock.settimeout(GOODBYE_SECONDS)
            self._sock.sendall(self._framing.encode(QUIT))
            while self._sock.recv(4096):
                pass


class _BrokenError(StrategyError):
    """The connection broke while the person was thinking."""


def _ended(sock: socket.socket) -> bool:
    """Whether a connection that can be read has ended, and has nothing more to read."""
    try:
        return not sock.recv(1, socket.MSG_PEEK)
    except OSError:
        return True


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
        self._info: GameInfo | None = None
        self._asked: Any = None
        self._returned = False
        self._game_told_again = False

    def goes_on(self) -> None:
        """Another connection takes the place of one that broke: the dealer tells the game again, and asks again.

        If a hand ended meanwhile, the dealer does not tell how, and the next question is one of another hand.
        """
        self._returned = self._game_told_again = True

    def game_begins(self, info: GameInfo) -> None:
        """Read what is agreed; stacks are equal again.

        The first message of another connection tells the game under way once more.

        Raises:
            StrategyError: the seat for people does not know that game.
        """
        told_again, self._game_told_again = self._game_told_again, False
        if told_again and info == self._info:
            return
        self._info, self._table, self._asked = info, None, None
        self._agreed = dict(info.facts)
        self._begin(info.name)
        self._post(Said(f"A game of {info.name} begins: {self._agreed.get('players', '?')} players."))

    def decide(self, turn: Any) -> Action:
        """Show the table, and ask the person; the same question is asked again after the connection broke."""
        returned, self._returned, self._game_told_again = self._returned, False, False
        again, self._asked = returned and turn == self._asked, turn
        if not again:
            self._look_at(turn, returned)
        table = self._table
        assert table is not None
        action = super().decide(turn)
        self._asked = None
        did = move(action, turn.owed, first=False, pay_word=load_seat(self._playing().name).pay_word(turn))
        self._post(Said(told(YOU, did, getattr(action, "amount", 0))))
        table.moved(turn, action, did)
        self._post(Shown(table.scene(turn, None), table.spot(turn)))
        return action

    def _look_at(self, turn: Any, returned: bool) -> None:
        """Show the table as a question tells it, which is of another hand if the dealer did not tell how one ended."""
        table = self._table
        if table is None or table.asks_once or (returned and not table.continues(turn)):
            self._hand += 1
            self._post(Said(f"Hand {self._hand}."))
            self._count_chips()
            self._table = table = self._new_table()
            self._post(Chips(self._chips if turn.stack is None else turn.stack))
        for line in table.look(turn):
            self._post(Said(line))
        self._post(Shown(table.scene(turn, table.me), table.spot(turn)))

    def hand_over(self, status: Any) -> None:
        """Show the result of the hand, as far as the dealer tells it."""
        self._returned = self._game_told_again = False
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
