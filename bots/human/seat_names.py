"""Names of the players at a dealer's table, whose messages tell numbers of seats only. The dealer's page has them.

A question may leave out seats that have folded, and then the seats of a scene are numbered otherwise than those of the
hand. So names are used only where the number of seats and the person's own seat agree.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from bots.human.updates import Scene


class Company(NamedTuple):
    """Who is dealt in in the hand under way.

    Attributes:
        names: of the players, by seat.
        seat: the person's.
    """

    names: Sequence[str]
    seat: int


class InLobby(NamedTuple):
    """Who waits for the start.

    Attributes:
        names: of the players, in the order of their logins.
        place: the person's among them.
        seats: how many players it takes to start; None if it does not start by their number.
    """

    names: Sequence[str]
    place: int
    seats: int | None


@dataclass(frozen=True, slots=True)
class Around:
    """Who is around the person now.

    Attributes:
        hand: who plays the hand under way; None if the person is in none.
        lobby: who waits for the start; None if the person does not wait.
        hurry: seconds left for the person's answer, if the dealer stops; None otherwise.
        left: seconds left for it, if it was asked again because its connection broke; None otherwise.
    """

    hand: Company | None = None
    lobby: InLobby | None = None
    hurry: float | None = None
    left: float | None = None

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Self:
        """Read what the dealer tells.

        Raises:
            ValueError, KeyError, TypeError: something else was told.
        """
        hand, lobby, hurry, left = facts["hand"], facts["lobby"], facts["hurry"], facts.get("left")
        return cls(
            hand and Company(_shown(hand[0]), int(hand[1])),
            lobby and InLobby(_shown(lobby[0]), int(lobby[1]), None if lobby[2] is None else int(lobby[2])),
            None if hurry is None else float(hurry),
            None if left is None else float(left),
        )


def _shown(names: Sequence[str]) -> list[str]:
    """The names, in which nothing can move the cursor of a terminal."""
    return ["".join(letter for letter in name if letter.isprintable()) for name in names]


@dataclass(frozen=True, slots=True)
class SeatNames:
    """The names of one hand.

    Attributes:
        hand: its number, as the person counts hands.
        names: by seat; empty if they are not known.
    """

    hand: int
    names: Sequence[str]

    def in_scene(self, scene: Scene) -> Scene:
        """A scene of the hand with names instead of numbers."""
        if scene.hand != self.hand or len(scene.seats) != len(self.names):
            return scene
        named = [
            view if seat == scene.me else replace(view, name=name)
            for seat, (view, name) in enumerate(zip(scene.seats, self.names, strict=True))
        ]
        return replace(scene, seats=tuple(named), headline=self.in_line(scene.headline))

    def in_line(self, line: str) -> str:
        """A line of the history with names instead of numbers, unless it tells of another hand."""
        hand = re.match(r"Hand (\d+)", line)
        if hand is not None and int(hand[1]) != self.hand:
            return line
        return re.sub(r"\bseat (\d+)", lambda seat: self._name(int(seat[1]), seat[0]), line)

    def _name(self, seat: int, otherwise: str) -> str:
        return self.names[seat] if seat < len(self.names) else otherwise


#: Before the first hand.
NO_NAMES = SeatNames(0, ())


def seat_names(scene: Scene, company: Company | None) -> SeatNames:
    """The names of a hand at the person's turn, of which the dealer knows the ``company``; None if it knows nothing."""
    fits = company is not None and (len(company.names), company.seat) == (len(scene.seats), scene.me)
    return SeatNames(scene.hand, company.names if company is not None and fits else ())


class LearnedNames:
    """The names of the hand under way, for a screen that learns them some time after the hand has begun."""

    def __init__(self) -> None:
        self._names = NO_NAMES
        self._scene: Scene | None = None
        self._lines = 0

    def in_line(self, line: str) -> str:
        """A new line of the history, with names as far as they are known. A new hand begins without names."""
        if re.fullmatch(r"Hand \d+\.", line):
            self._names, self._lines = NO_NAMES, 0
        self._lines += 1
        return self._names.in_line(line)

    def in_scene(self, scene: Scene) -> Scene:
        """The newest scene, with names as far as they are known."""
        self._scene = scene
        return self._names.in_scene(scene)

    @property
    def missing(self) -> bool:
        """Whether the names of the hand under way are not known."""
        return self._scene is not None and self._names.hand != self._scene.hand

    def learn(self, company: Company | None, lines: Sequence[str]) -> tuple[Scene, list[str]] | None:
        """Learn who plays the hand under way; None if that tells no names.

        Returns:
            The newest scene and the history, with names.
        """
        if self._scene is None or not self.missing:
            return None
        names = seat_names(self._scene, company)
        if not names.names:
            return None
        self._names = names
        first = max(len(lines) - self._lines, 0)
        return names.in_scene(self._scene), [*lines[:first], *map(names.in_line, lines[first:])]
