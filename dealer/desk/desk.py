"""The desk: carries out an order of the host, or refuses it with a reason."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import structlog
import trio

from dealer.desk.files import Files, open_files
from dealer.desk.orders import LOOKING, Command, Order, OrderRefused
from dealer.desk.token import HostToken
from dealer.desk.view import DeskView
from dealer.lobby.player import Player
from dealer.telling.phrases import OUT
from dealer.tournament.scene import HURRY, Scene
from dealer.tournament.tempo import LONGEST_SHOW, SLOWEST_PACE
from dealer.tournament.tournament import Tournament
from protocol.wire.messages import Done

log = structlog.get_logger()

#: Seconds an answer waits for the journal to keep the order.
SAVE_SECONDS = 2.0

#: Seconds between two looks whether a new journal is written.
_POLL_SECONDS = 0.05

#: Characters of a reason or a message; a page and a terminal show that many in a line or two.
REASON_LENGTH = 200

#: Players listed where a name fits none or several.
LIKELY = 5

#: What comes before an id, so that an avatar which looks like an id is no trap.
BY_ID = "id="


class Desk:
    """Everything a host may do to a tournament, and to its lobby before the start.

    Attributes:
        view: what the host sees.
        files: what the host may take home.
        token: by which the host is known.
    """

    def __init__(self, scene: Scene, files: Files) -> None:
        self.view = DeskView(scene)
        self.files = files
        self.token = HostToken()
        self._scene = scene

    async def obey(self, order: Order) -> str:
        """Carry out an order and return the answer, a sentence for the host.

        Raises:
            OrderRefused: it cannot be carried out now, and nothing has changed.
        """
        try:
            said = self._WAYS[order.command](self, order)
        except ValueError as error:  # the reason of a tournament that cannot do it now
            raise OrderRefused(str(error)) from None
        if order.command not in LOOKING:
            log.info("desk", **order.as_json())
            await self._keep()
        trouble = self.view.trouble
        return f"{said} But {trouble}." if trouble else said

    async def _keep(self) -> None:
        """Wait until the order is written, but not longer than ``SAVE_SECONDS``: the disk may be full."""
        journal = self._scene.journal if self._scene.tournament is None else self._scene.tournament.journal
        if journal is None:
            return
        with trio.move_on_after(SAVE_SECONDS):
            await journal.saved()
            while journal.begins_anew:
                await trio.sleep(_POLL_SECONDS)

    def _show(self, order: Order) -> str:
        return "Nothing was changed."

    def _start(self, order: Order) -> str:
        if self._scene.tournament is not None or self._scene.start_asked.is_set():
            raise OrderRefused("the tournament has started already")
        here, least = len(self._scene.lobby.players), self._scene.opening.least
        if here < least:
            who = {0: "nobody is", 1: "one player is"}.get(here, f"{here} players are")
            raise OrderRefused(f"{who} here, and it takes {least} to start")
        self._scene.start_asked.set()
        return f"The tournament starts with {here} players." if here > 1 else "The tournament starts with one player."

    def _pause(self, order: Order) -> str:
        if self._in_lobby:
            self._scene.orders = replace(self._scene.orders, paused=True)
            return "The tournament will begin with a pause."
        tournament = self._running()
        if tournament.tempo.paused:
            raise OrderRefused("the tournament is paused already; resume lets it go on")
        tournament.pause()
        return "Every table finishes its hand, and then waits."

    def _resume(self, order: Order) -> str:
        if self._in_lobby:
            self._scene.orders = replace(self._scene.orders, paused=False)
            return "The tournament will begin without a pause."
        tournament = self._running()
        if not tournament.tempo.paused:
            raise OrderRefused("the tournament is not paused")
        tournament.resume()
        return "The tournament goes on."

    def _pace(self, order: Order) -> str:
        assert order.seconds is not None
        if not 0 <= order.seconds <= SLOWEST_PACE:
            raise OrderRefused(f"the pace is 0 to {SLOWEST_PACE:g} seconds a hand; got {order.seconds!r:.20}")
        if self._in_lobby:
            self._scene.orders = replace(self._scene.orders, pace=float(order.seconds), length=None)
        else:
            self._running().set_pace(float(order.seconds))
        return (
            f"A hand now takes at least {order.seconds:g} s." if order.seconds else "Hands now go as fast as they can."
        )

    def _length(self, order: Order) -> str:
        assert order.minutes is not None
        if not 0 < order.minutes <= LONGEST_SHOW:
            raise OrderRefused(f"the length is over 0 and up to {LONGEST_SHOW:g} minutes; got {order.minutes!r:.20}")
        seconds = 60.0 * order.minutes
        if self._in_lobby:
            self._scene.orders = replace(self._scene.orders, pace=None, length=seconds)
            return f"The tournament will take about {order.minutes:g} min."
        self._running().set_length(seconds)
        return f"The rest of the tournament takes about {order.minutes:g} min."

    def _step(self, order: Order) -> str:
        tournament = self._running()
        if not tournament.tempo.paused:
            raise OrderRefused("the tournament is not paused; pause it first")
        tournament.step()
        return "Every table deals one hand, slowly, and then waits."

    def _hurry(self, order: Order) -> str:
        if not self._in_lobby:
            self._running()
        return self._scene.hurry(HURRY if order.command == "slower" else 1 / HURRY)

    @property
    def _in_lobby(self) -> bool:
        return self._scene.tournament is None and not self._scene.start_asked.is_set()

    def _remove(self, order: Order) -> str:
        assert order.player is not None
        assert order.reason is not None
        reason = check_reason(order.reason)
        if self._scene.tournament is None:
            player = find_player(self._scene.lobby.players, order.player)
            self._scene.lobby.send_home(player, reason)
            return f"{player.avatar} was sent home; it may log in again."
        tournament = self._running()
        player = find_player(tournament.players, order.player)
        if player.left is not None:
            raise OrderRefused(f"{player.avatar} is out already: {player.left.removeprefix(OUT)}")
        if player in tournament.removed:
            raise OrderRefused(f"{player.avatar} is being removed already, after the hand under way")
        if tournament.ledger.seating.over:
            raise OrderRefused("the last hand has been played")
        tournament.remove(player, reason)
        return f"{player.avatar} is out after the hand under way at its table."

    def _readmit(self, order: Order) -> str:
        assert order.player is not None
        if self._scene.tournament is None:
            raise OrderRefused("before the start a player can log in again without an order")
        tournament = self._running()
        player = find_player(tournament.players, order.player)
        if tournament.is_let_in(player):
            raise OrderRefused(f"{player.avatar} is let in already; its program must log in again")
        tournament.let_in(player)
        return f"{player.avatar} is let in; as soon as its program logs in again, it gets a seat between two hands."

    def _message(self, order: Order) -> str:
        assert order.text is not None
        text = order.text.strip()
        check_line(text, "message")
        if text == (self._scene.message or ""):
            raise OrderRefused("the page shows that message already" if text else "the page shows no message")
        if self._scene.tournament is not None:
            if self._scene.tournament.over:
                raise OrderRefused("the tournament is over")
            self._scene.tournament.note_message(text)
        self._scene.message = text or None
        return "The page shows the message." if text else "The message is gone from the page."

    def _level(self, order: Order) -> str:
        self._running().next_level()
        return "The next hand is played at the next level."

    def _suspend(self, order: Order) -> str:
        self._running().suspend()
        return "Every table finishes its hand; then the dealer stops, and casino resume plays on another day."

    def _journal(self, order: Order) -> str:
        journal = self._scene.journal
        if journal is None or journal.trouble is None:
            raise OrderRefused("no journal is lost, so no new one is needed")
        journal.begin_anew()
        return "Play goes on when all so far is in a new journal."

    def _end(self, order: Order) -> str:
        self._running().end()
        return "Every table finishes its hand; then the standings follow."

    def _next(self, order: Order) -> str:
        tournament = self._scene.tournament
        if tournament is None:
            raise OrderRefused("the tournament has not started yet; start it, and ask for the next one then")
        if tournament.suspended:
            raise OrderRefused("the tournament is suspended, and the dealer stops; casino resume plays on another day")
        if self._scene.next_asked.is_set():
            raise OrderRefused("the next tournament is asked for already")
        self._scene.next_asked.set()
        when = "now" if tournament.over else "as soon as this tournament is over"
        return f"The lobby opens again {when}, at the same addresses; programs must be started again."

    def _running(self) -> Tournament:
        """The tournament, if it can still be given orders.

        Raises:
            OrderRefused: it has not started, or it ends.
        """
        tournament = self._scene.tournament
        if tournament is None:
            raise OrderRefused("the tournament has not started yet")
        if tournament.over:
            raise OrderRefused("the tournament is over")
        if tournament.stopping:
            raise OrderRefused("the tournament ends after the hand under way; nothing else can be done")
        return tournament

    _WAYS: dict[Command, Callable[["Desk", Order], str]] = {  # noqa: RUF012 - nobody writes to it
        "show": _show,
        "start": _start,
        "pause": _pause,
        "resume": _resume,
        "step": _step,
        "length": _length,
        "faster": _hurry,
        "slower": _hurry,
        "pace": _pace,
        "remove": _remove,
        "readmit": _readmit,
        "message": _message,
        "level": _level,
        "journal": _journal,
        "suspend": _suspend,
        "end": _end,
        "next": _next,
        "logins": _show,
        "faults": _show,
    }


@asynccontextmanager
async def open_desk(scene: Scene, roster: Path | None) -> AsyncIterator[Desk]:
    """The desk of a dealer while the block runs, with a new token; ``roster`` has the names of the class."""
    async with open_files(scene, roster) as files:
        yield Desk(scene, files)


def check_reason(reason: str) -> str:
    """Return a reason, without spaces around it, as its player will be told it and all will read it.

    Raises:
        OrderRefused: it is empty, too long, or would not arrive as it was typed.
    """
    reason = reason.strip()
    if not reason:
        raise OrderRefused("a reason is needed: the player hears it")
    check_line(reason, "reason")
    in_words = reason.replace(":", "")  # colons are rewritten in a way that still can be read
    if Done(in_words).reason != in_words.strip():
        raise OrderRefused(
            "the reason may not hold login, bet1, bet2 or status: programs look for those words anywhere"
        )
    return reason


def check_line(text: str, name: str) -> None:
    """Check that a text fits into a line or two of a page and a terminal.

    Raises:
        OrderRefused: it is too long, or would not be shown as it was typed.
    """
    if len(text) > REASON_LENGTH:
        raise OrderRefused(f"the {name} has {len(text)} characters; it can have {REASON_LENGTH}")
    # A joiner makes one emoji of several, and is not printable for Python.
    if not text.replace("\N{ZERO WIDTH JOINER}", "").isprintable():
        raise OrderRefused(f"the {name} holds a character that cannot be printed, such as the end of a line")


def find_player(players: Sequence[Player], named: str) -> Player:
    """Return the one player with that id or avatar.

    Args:
        players: to look among.
        named: an id, an avatar, or ``id=`` and an id.

    Raises:
        OrderRefused: there is no such player, or more than one; the text lists the likely ones.
    """
    id_ = named.removeprefix(BY_ID)
    if id_ != named:
        found = [player for player in players if player.id == id_]
    else:
        found = [player for player in players if named in (player.id, player.avatar)]
    if len(found) == 1:
        return found[0]
    if found:
        raise OrderRefused(f"{named!r} names {len(found)} players; say which: {_listed(found)}")
    others = f"there is {_listed(_likely(players, id_))}" if players else "nobody is here"
    raise OrderRefused(f"nobody here is called {named!r}; {others}")


def _likely(players: Sequence[Player], named: str) -> list[Player]:
    """Up to ``LIKELY`` players, those with a similar name first."""
    names = {name.casefold(): player for player in players for name in (player.id, player.avatar)}
    near = [names[name] for name in get_close_matches(named.casefold(), names, LIKELY, 0.5)]
    return list(dict.fromkeys([*near, *players]))[:LIKELY]


def _listed(players: Sequence[Player]) -> str:
    return ", ".join(f"{player.avatar} ({BY_ID}{player.id})" for player in players)
