"""Programs over TCP in the bulk tournaments of ``casino round-robin``, which itself belongs to ``bots``.

The process of a tournament may not open sockets. It sends each call of such a player on a socket that it was given (see
``protocol/wire/bulk.py``). Here those calls become messages, with the seats, the time limit and the faults that every
tournament of the dealer has.
"""

import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Self, TypeVarTuple

import trio

from dealer.cli.logs import configure_logs
from dealer.hosting.bulk_calls import BulkTournament
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.programs import guest_bots, in_sandboxes
from protocol.wire.bulk import ProgramFacts, ProgramFailure

#: Types of the arguments of a task.
Arguments = TypeVarTuple("Arguments")


class BulkPrograms:
    """The programs of all tournaments of a series, in a thread of their own, because who uses it does not run trio.

    Args:
        commands: that start the programs, by the id of the player, with ``{host}`` and ``{port}``.
        players: in a tournament.
        rounds: in a tournament.
        sandbox: the Pythons that programs may use in sandboxes beside ours; None if they run outside.

    Raises:
        OptionError: a command cannot be used, or there can be no sandbox.
    """

    def __init__(
        self, commands: Mapping[int, str], players: int, rounds: int, *, sandbox: Sequence[Path] | None
    ) -> None:
        programs = guest_bots(list(commands.values()))
        if sandbox is not None:
            programs = in_sandboxes(programs, None, sandbox)
        self._programs = dict(zip(commands, programs, strict=True))
        self._players, self._rounds = players, rounds
        self._tournaments: dict[int, BulkTournament] = {}
        self._thread = Thread(target=self._run, name="programs")
        self._begun = Event()
        self._error: BaseException | None = None
        self._token: trio.lowlevel.TrioToken
        self._nursery: trio.Nursery
        self._watchdog: Watchdog

    def __enter__(self) -> Self:
        configure_logs("warning")
        self._thread.start()
        self._begun.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, origin: TracebackType | None
    ) -> None:
        """End all programs.

        Raises:
            BaseException: what ended the thread before.
        """
        if self._error is None:
            self._token.run_sync_soon(self._nursery.cancel_scope.cancel)
        self._thread.join()
        if self._error is not None:
            raise self._error

    def answer(self, number: int, calls: socket.socket) -> None:
        """Begin to answer the calls of tournament ``number`` that come on a socket, which is closed in the end.

        If that tournament is played again, the calls that were made before are answered as they were then, without the
        programs: they play on where they are.
        """
        tournament = self._tournaments.get(number)
        if tournament is None:
            tournament = self._tournaments[number] = BulkTournament(self._programs, self._players, self._rounds)
            self._soon(tournament.host, self._watchdog)
        self._soon(tournament.answer, calls)

    def is_asking(self, number: int) -> bool:
        """Whether a program is waited for in a tournament."""
        return self._tournaments[number].asking

    def failures(self, number: int) -> Mapping[int, ProgramFailure]:
        """The failures in a tournament, by player."""
        return dict(self._tournaments[number].failures)

    def end(self, number: int) -> Mapping[int, ProgramFacts]:
        """Tell the programs of a tournament that it is over, and wait for their ends; what is known of each."""
        return trio.from_thread.run(self._tournaments[number].end, trio_token=self._token)

    def _soon(self, task: Callable[[*Arguments], Awaitable[object]], *arguments: *Arguments) -> None:
        self._token.run_sync_soon(lambda: self._nursery.start_soon(task, *arguments))

    def _run(self) -> None:
        try:
            trio.run(self._host)
        except BaseException as error:  # noqa: BLE001 # the thread that began this one raises it
            self._error = error
        finally:
            self._begun.set()

    async def _host(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        async with open_watchdog() as self._watchdog, trio.open_nursery() as self._nursery:
            self._begun.set()
            await trio.sleep_forever()
