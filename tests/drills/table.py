"""Everybody at the table of a drill, in one process that answers at once: honest bots, and traitors.

``python -m tests.drills.table PLAN``, a ``TablePlan`` as JSON; prints what it saw as JSON when every connection has
ended.

**What is measured.** *Hand-on*: from a reply sent by any bot until the next question arrives at any bot. One question
is open at a time, so this is what the dealer alone makes of a decision (rules, clock, and at a hand's end also the
journal, the shuffle and the deal); how many play does not matter to it. *Own*: from a reply until the next message to
the same bot, which sums over everybody between, so that a rare hold-up shows in more of them. What follows a misdeed
is not counted: a traitor that says nothing holds up a table for as long as the rules of the game let it.
"""

import json
import selectors
import socket
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import msgpack

from dealer.lobby.player import ReplyTimes
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from tests.drills.frames import LINGER_ZERO, MISDEEDS, Ending, Misdeed, mutated
from tests.drills.plan import Plan, Schedule, chance, clock


@dataclass(slots=True)
class Times:
    """Seconds that something took, in the calm and under attack."""

    by_phase: dict[str, ReplyTimes] = field(default_factory=lambda: {"calm": ReplyTimes(), "attack": ReplyTimes()})
    longest: dict[str, float] = field(default_factory=lambda: {"calm": 0.0, "attack": 0.0})

    def add(self, phase: str, seconds: float) -> None:
        self.by_phase[phase].add(seconds)
        self.longest[phase] = max(self.longest[phase], seconds)

    def facts(self) -> dict[str, Any]:
        return {
            phase: {
                "count": times.count,
                "p50": times.quantile(0.5),
                "p99": times.quantile(0.99),
                "p999": times.quantile(0.999),
                "max": self.longest[phase],
            }
            for phase, times in self.by_phase.items()
        }


#: How often a chip is put in that nobody asked for.
RAISES = 0.1


class Player:
    """One connection of an honest bot, or of a traitor before it turns."""

    def __init__(self, sock: socket.socket, framing: Framing, id_: str, misdeed: Misdeed | None) -> None:
        self.sock = sock
        self.id = id_
        self.framing = framing
        self.misdeed = misdeed
        self.turns_at = float("inf")
        self.replied: float | None = None
        self.done: str | None = None
        self._buffer = b""
        self._rng = chance(id_)

    def messages(self) -> list[str] | None:
        """What has come; None when nothing more will."""
        try:
            data = self.sock.recv(65536)
        except ConnectionError:
            return None
        self._buffer += data
        found: list[str] = []
        while True:
            body, self._buffer = self.framing.split(self._buffer)
            if body is None:
                return found if data or found else None
            found.append(self.framing.decode(body))

    def answer(self, question: str) -> bytes:
        """A legal reply: what is owed, or sometimes a chip more."""
        owed = int(question.split(":", 4)[3])
        return self.framing.encode(f"bet:{owed + (self._rng.random() < RAISES)}")


class Babbler(Player):
    """Answers every question at once, but nearly never with what it should."""

    def answer(self, question: str) -> bytes:
        """A reply that was right before something happened to it, in a frame or line that is complete."""
        body = mutated(self.framing.split(super().answer(question))[0] or b"", self._rng)
        return body + b"\n" if isinstance(self.framing, LineFraming) else len(body).to_bytes(2, "big") + body


#: Messages that a recording keeps.
RECORDED = 4000


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Who comes to the table.

    Attributes:
        port: for frames; every other player uses ``line_port`` instead.
        honest: ids of the players that do nothing wrong.
        traitors: the misdeed of each of the others; the id is the misdeed's name.
        babblers: ids of those whose every reply is damaged.
        plan: when traitors turn, and what is measured; None measures all as calm.
        record: where the bytes of the session go; None keeps none.
    """

    port: int
    line_port: int
    honest: Sequence[str]
    traitors: Sequence[str] = ()
    babblers: Sequence[str] = ()
    plan: dict[str, Any] | None = None
    record: str | None = None


class TableOfBots:
    """All players, and what they have seen.

    Attributes:
        disturbed: messages that came to any program between its login and the first question of all.
        betrayals: misdeeds done, with the moment into the play.
    """

    def __init__(self, plan: TablePlan) -> None:
        self._plan = plan
        self._schedule: Schedule | None = None
        self._replied: float | None = None
        self.hand_on, self.own = Times(), Times()
        self.decisions = 0
        self.recorded: list[tuple[bool, bytes]] = []
        self.betrayals: dict[str, float] = {}
        self.disturbed: list[str] = []
        self.players = [
            self._connect(number, id_) for number, id_ in enumerate([*plan.honest, *plan.traitors, *plan.babblers])
        ]

    def _connect(self, number: int, id_: str) -> Player:
        lines = number % 2 == 1
        door = "127.0.0.1", self._plan.line_port if lines else self._plan.port
        sock = socket.create_connection(door, source_address=(f"127.0.1.{number + 1}", 0))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        misdeed = MISDEEDS[id_] if id_ in self._plan.traitors else None
        kind = Babbler if id_ in self._plan.babblers else Player
        return kind(sock, LineFraming() if lines else UtfFraming(), id_, misdeed)

    def play(self) -> None:
        """Answer until every connection has ended."""
        selector = selectors.DefaultSelector()
        for player in self.players:
            selector.register(player.sock, selectors.EVENT_READ, player)
        while selector.get_map():
            for key, _ in selector.select():
                if not self._attend(key.data):
                    selector.unregister(key.fileobj)
                    key.data.sock.close()

    def _attend(self, player: Player) -> bool:
        """Take what has come for one player; whether its session goes on."""
        messages, now = player.messages(), clock()
        for message in messages or ():
            self._record(player, message)
            if message.startswith("bet"):
                if not self._asked(player, message, now):
                    return False
            elif message == "login":
                self._send(player, player.framing.encode(f"{player.id}:{player.id.title()}"))
            elif message.startswith("status"):
                self._measure_own(player, now)
            else:
                self._told(player, message)
        return messages is not None

    def _told(self, player: Player, message: str) -> None:
        player.done = message.removeprefix("done:")
        if self._schedule is None:
            self.disturbed.append(f"{player.id}: {message}")

    def _asked(self, player: Player, question: str, now: float) -> bool:
        if self._schedule is None:
            self._begin(now)
        assert self._schedule is not None
        phase = self._schedule.measured(now)
        if phase and self._replied is not None:
            self.hand_on.add(phase, now - self._replied)
        self._measure_own(player, now)
        if now >= player.turns_at:
            return self._betray(player, question, now)
        self._send(player, player.answer(question))
        self._replied = player.replied = clock()
        self.decisions += 1
        return True

    def _begin(self, now: float) -> None:
        plan = Plan(**self._plan.plan) if self._plan.plan else Plan(1e9, 1e9, 0, 0, 0, 0)
        self._schedule = Schedule(plan, now)
        traitors = [player for player in self.players if player.misdeed]
        for number, player in enumerate(traitors):
            player.turns_at = self._schedule.attack_time((number + 0.5) / len(traitors))

    def _measure_own(self, player: Player, now: float) -> None:
        phase = self._schedule.measured(now) if self._schedule else None
        if phase and player.replied is not None:
            self.own.add(phase, now - player.replied)
        player.replied = None

    def _betray(self, player: Player, question: str, now: float) -> bool:
        """Do the misdeed, once; whether there is still something to hear."""
        assert player.misdeed is not None
        assert self._schedule is not None
        self.betrayals[player.id] = now - self._schedule.start
        self._forget_replies()
        player.sock.sendall(player.misdeed.reply(player.framing, int(question.split(":", 4)[3])))
        if player.misdeed.ending is Ending.HALF_CLOSE:
            player.sock.shutdown(socket.SHUT_WR)
        if player.misdeed.ending is Ending.RESET:
            player.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO)
            return False
        return True

    def _forget_replies(self) -> None:
        """Measure nothing that was under way."""
        self._replied = None
        for player in self.players:
            player.replied = None

    def _send(self, player: Player, data: bytes) -> None:
        player.sock.sendall(data)
        if self._plan.record and len(self.recorded) < RECORDED:
            self.recorded.append((isinstance(player.framing, LineFraming), data))

    def _record(self, player: Player, message: str) -> None:
        if self._plan.record and len(self.recorded) < RECORDED:
            self.recorded.append((isinstance(player.framing, LineFraming), player.framing.encode(message)))


def main(text: str) -> None:
    """Sit down, play to the end, say what was seen."""
    plan = TablePlan(**json.loads(text))
    table = TableOfBots(plan)
    table.play()
    if plan.record:
        Path(plan.record).write_bytes(msgpack.packb(table.recorded))
    seen = {
        "decisions": table.decisions,
        "hand_on": table.hand_on.facts(),
        "own": table.own.facts(),
        "done": {player.id: player.done for player in table.players},
        "betrayals": table.betrayals,
        "disturbed": table.disturbed,
    }
    print(json.dumps(seen))


def command(plan: TablePlan) -> list[str]:
    return [sys.executable, "-m", "tests.drills.table", json.dumps(asdict(plan))]


if __name__ == "__main__":
    main(sys.argv[1])
