"""The host's view: the state of a tournament or its lobby, its players with their ids, and what went wrong."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from dealer.cli.streams import output_trouble
from dealer.desk.orders import Command
from dealer.ledger.standings import Standing
from dealer.lobby.failed_logins import LATEST
from dealer.lobby.player import Player
from dealer.telling.phrases import OUT
from dealer.tournament.scene import Scene
from dealer.tournament.time_account import time_allowed
from dealer.tournament.tournament import Tournament

Facts = dict[str, Any]

#: Failed logins and incidents that are shown, unless an order asks for all that are kept.
SHOWN = 10

#: A question that is open for less seconds is not worth a word.
THINKING_SECONDS = 0.3

#: The share of replies whose time is told: all but the slowest of a hundred.
SHARE = 0.99


class DeskView:
    """Reads a scene for its host."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def look(self, command: Command | None = "show") -> Facts:
        """The host's view as JSON facts: the state, the players, and what went wrong, the newest first.

        Args:
            command: that is answered; ``logins`` and ``faults`` show all that is kept of these, and None of both.
        """
        tournament, failed = self._scene.tournament, self._scene.lobby.failed_logins.latest
        incidents = tournament.incidents if tournament is not None else ()
        return {
            **self.state(),
            "players": self.players(),
            **_latest("incidents", incidents, LATEST if command in ("faults", None) else SHOWN),
            **_latest("failed_logins", failed, LATEST if command in ("logins", None) else SHOWN),
        }

    def state(self) -> Facts:
        """The state of the tournament, or the orders for it before the start."""
        scene, tournament = self._scene, self._scene.tournament
        always = {
            "trouble": self.trouble,
            "message": scene.message,
            "game": scene.settings.game.title,
            "tournament": scene.number,
            "tournaments": [  # of which there are files to take home
                {"number": number, "journal": begun.journal.path and begun.journal.path.name, "over": begun.over}
                for number, begun in enumerate(scene.begun, 1)
            ],
        }
        if tournament is None:
            return {
                **always,
                "phase": "lobby",
                "paused": scene.orders.paused is True,
                "pace": scene.orders.pace or 0.0,
                "show_left": scene.orders.length,
                "least": scene.opening.least,
                "awaited": [f"{player.avatar} (id={player.id})" for player in scene.awaited],
            }
        levels = tournament.ledger.levels
        return {
            **always,
            "phase": "over" if tournament.over else "ending" if tournament.stopping else "playing",
            "paused": tournament.tempo.paused,
            "pace": tournament.tempo.pace,
            "show_left": tournament.tempo.show_left,
            "hand": tournament.hand_number,
            "hands": tournament.hands_planned,
            "playing": tournament.playing,
            "level": levels.level if tournament.settings.levels is not None else None,
            "stakes": levels.facts,
            "next": scene.next_asked.is_set(),
        }

    @property
    def trouble(self) -> str | None:
        """The reason why journal or output cannot be written; None if they can."""
        tournament = self._scene.tournament
        troubles = [tournament and tournament.journal.trouble, output_trouble()]
        return ", and ".join(trouble for trouble in troubles if trouble) or None

    def players(self) -> list[Facts]:
        """All players: who they are, where they are, and how fast they reply."""
        tournament, now = self._scene.tournament, time.time()
        if tournament is None:
            return [self._player(player, now) for player in self._scene.lobby.players]
        standings = {standing.player: standing for standing in tournament.standings()}
        return [
            {**self._player(player, now), **_at_table(tournament, player, standings)} for player in tournament.players
        ]

    def _player(self, player: Player, now: float) -> Facts:
        seat, p99 = player.seat, player.reply_times.quantile(SHARE)
        thinking = None if seat is None else seat.thinking
        silent = None if seat is None else seat.silent
        roster: Mapping[str, str] = self._scene.lobby.roster or {}
        return {
            "id": player.id,
            "avatar": player.avatar,
            "name": roster.get(player.id) or None,
            "here": seat is not None,
            "out": None if player.left is None else player.left.removeprefix(OUT),
            "address": None if seat is None else seat.address,
            "thinking": None if thinking is None or thinking < THINKING_SECONDS else round(thinking, 1),
            "replied": None if silent is None else int(now - silent),
            "reply_ms": None if seat is None or silent is None else _milliseconds(seat.reply_seconds),
            "p99_ms": None if p99 is None else _milliseconds(p99),
            "faults": len(player.mistakes),
        }


def _latest(name: str, kept: Sequence[Any], most: int) -> Facts:
    """The last incidents, or connections that got no seat, and how many came before those."""
    return {name: [one.as_json() for one in reversed(kept)][:most], f"more_{name}": max(0, len(kept) - most)}


def _at_table(tournament: Tournament, player: Player, standings: Mapping[Player, Standing]) -> Facts:
    seating = tournament.ledger.seating
    return {
        "chips": standings[player].chips,
        "place": standings[player].place,
        "table": seating.table_of(player).number if seating.still_in(player) else None,
        "leaving": player in tournament.removed,
        "let_in": tournament.is_let_in(player),
        **_time(tournament, player),
    }


def _time(tournament: Tournament, player: Player) -> Facts:
    """Seconds that the answers of a player took in finished hands, and may take in all, where that is limited."""
    allowed = time_allowed(tournament.ledger)
    if allowed is None or (player.seat is not None and not player.seat.follows):
        return {}
    return {"seconds_used": round(player.reply_times.total, 3), "seconds_allowed": allowed}


def _milliseconds(seconds: float) -> float:
    return float(f"{1000 * seconds:.3g}")
