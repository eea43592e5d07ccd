"""Moments, told as they happen: who is out and why, a new leader, a huge pot, a new level, the last tables."""

from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

from dealer.web.highlights import EARLY_HANDS, Win

#: Moments that are told at once; who comes later needs no older ones.
KEPT = 6

#: Seconds between two new leaders that are told, at least: on fast tables the lead may change many times in a second.
LEADER_SECONDS = 10.0


class Moment(NamedTuple):
    """A moment, as the page is told it.

    Attributes:
        number: rises by 1 from moment to moment.
        kind: "out", "leader", "pot", "level", "final" or "heads-up".
        player: whom it is about, by number; None for the last three.
        words: why a player is out; else empty.
        amount: chips of the leader or of the pot, or the level.
    """

    number: int
    kind: str
    player: int | None = None
    words: str = ""
    amount: int = 0


class Moments:
    """Finds moments by comparing what the page is told with what it was told before.

    Attributes:
        latest: the last ones.
        leader: who was the last to be told as the leader; None before there was one.
    """

    def __init__(self) -> None:
        self.latest: deque[Moment] = deque(maxlen=KEPT)
        self.leader: int | None = None
        self._number = 0
        self._out: set[int] | None = None
        self._level: int | None = None
        self._stage: str | None = None
        self._pot = 0
        self._led = float("-inf")

    def note(self, board: Mapping[str, Any], news: Mapping[str, Any], largest: Win | None, now: float) -> None:
        """Look for moments.

        Args:
            board: what the page is told of the leader board.
            news: what it is told of who is out.
            largest: the hand with the largest pot so far.
            now: a time in seconds.
        """
        first = self._out is None
        known = self._out or set()
        gone = [(player, kind, why) for player, _, kind, why in reversed(news["out"]) if player not in known]
        self._out = {player for player, _, _, _ in news["out"]}  # who is let in again can be out once more
        if first:  # nothing of what was before is news
            self._level, self._stage, self._pot = board["level"], board["stage"], largest.pot if largest else 0
            self.leader = _leader(board)
            return
        for player, kind, why in gone:
            self._tell("out", player, why if kind == "out" else f"{kind}: {why}")
        if largest is not None and largest.pot > self._pot:
            self._pot = largest.pot
            if board["hand"] > EARLY_HANDS:
                self._tell("pot", largest.player, amount=largest.pot)
        if board["level"] != self._level:
            self._level = board["level"]
            self._tell("level", amount=self._level or 0)
        if board["stage"] not in (self._stage, None):
            self._tell(board["stage"])
        self._stage = board["stage"]
        self._note_leader(board, now)

    def _note_leader(self, board: Mapping[str, Any], now: float) -> None:
        leader = _leader(board)
        if leader is None or leader == self.leader or now < self._led + LEADER_SECONDS:
            return
        self.leader, self._led = leader, now
        self._tell("leader", leader, amount=round(board["rows"][0][2]))

    def _tell(self, kind: str, player: int | None = None, words: str = "", amount: int = 0) -> None:
        self._number += 1
        self.latest.append(Moment(self._number, kind, player, words, amount))


def _leader(board: Mapping[str, Any]) -> int | None:
    """The number of the player who leads alone; None if two share the first place."""
    rows = board["rows"]
    alone = rows and (len(rows) == 1 or rows[1][1] > 1)
    return rows[0][0] if alone else None
