"""Answerers without sockets, which do what a test says."""

from collections.abc import Callable
from typing import Any

from dealer.versions.answerer import Answer
from protocol.games.base import Action, Turn
from protocol.wire.messages import GameInfo


class Scripted:
    """Answers as a function says, and keeps what it was asked and told."""

    def __init__(self, decide: Callable[[Any], Action]) -> None:
        self.asked: list[Turn] = []
        self.heard: list[object] = []
        self._decide = decide

    async def sit_down(self, game: object, info: GameInfo | None) -> bool:
        return True

    async def answer(self, turn: Turn) -> Answer:
        self.asked.append(turn)
        return Answer(self._decide(turn))

    def hand_over(self, status: object) -> None:
        self.heard.append(status)
