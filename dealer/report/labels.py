"""The names and colours of players in a report, links to its files, and reasons as they are told to the host.

Ids and avatars were chosen by the players. Reasons speak to the student who wrote the program, and here of the program.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dealer.errors import JournalError
from dealer.lobby.player import Player
from dealer.telling.phrases import OUT
from protocol.wire.messages import Name, ProtocolError

#: After this word the reason of a fault quotes what the program sent.
_QUOTES = "got "

#: Names that Windows does not allow for a folder.
_RESERVED = {"con", "prn", "aux", "nul"} | {f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)}


@dataclass(frozen=True, slots=True)
class Label:
    """The names of one player.

    Attributes:
        number: from 1, in the order in which the players sat down.
        avatar: as the player chose it.
        short: the avatar, with the number where several have the same one.
        id: None in an anonymous report.
        name: from the roster; None without one, or in an anonymous report.
        folder: of the player's own files; a valid folder name on any system.
    """

    number: int
    avatar: str
    short: str
    id: str | None
    name: str | None
    folder: str

    @property
    def known_as(self) -> str:
        """The text behind the avatar: the id and the name, or the number in an anonymous report."""
        if self.id is None:
            return f"no. {self.number}"
        return self.id if self.name in (None, self.id) else f"{self.id}, {self.name}"

    def hidden(self, text: str, id: str) -> str:
        """A reason that may quote what the player ``id`` sent; in an anonymous report without the id."""
        before, got, quoted = text.partition(_QUOTES)
        return text if self.id is not None else before + got + quoted.replace(id, "(id)")

    def to_host(self, text: str, id: str) -> str:
        """The same as it is told to the host."""
        return told_to_host(self.hidden(text, id), self.short)


def label_players(players: Sequence[Player], roster: Mapping[str, str] | None, anonymous: bool) -> dict[Player, Label]:
    """A label for each player.

    Raises:
        JournalError: an id or avatar is one that no dealer admits.
    """
    for player in players:
        try:
            Name(player.id, player.avatar)
        except ProtocolError as error:
            raise JournalError(f"this journal names a player that no dealer lets in: {error}") from None
    alike = Counter(player.avatar.casefold() for player in players)
    digits = len(str(len(players)))
    numbers = [f"player-{number:0{digits}}" for number, _ in enumerate(players, 1)]
    folders = numbers if anonymous else _folders([player.id for player in players])
    return {
        player: Label(
            number,
            player.avatar,
            player.avatar if alike[player.avatar.casefold()] == 1 else f"{player.avatar} ({number})",
            None if anonymous else player.id,
            None if anonymous or roster is None else roster.get(player.id),
            folder,
        )
        for number, (player, folder) in enumerate(zip(players, folders, strict=True), 1)
    }


def _folders(ids: Sequence[str]) -> list[str]:
    """The ids, changed where two would be one folder on a system that takes ``a`` and ``A`` for the same."""
    alike = Counter(id.casefold() for id in ids)
    taken = {id.casefold() for id in ids} | _RESERVED
    folders = []
    for id in ids:
        folder, copy = id, 1
        while folder.casefold() in taken and (copy > 1 or alike[id.casefold()] > 1 or id.casefold() in _RESERVED):
            folder, copy = f"{id}_{copy}", copy + 1
        taken.add(folder.casefold())
        folders.append(folder)
    return folders


#: Colours that can be told apart on white and on black; beyond ten players come dashes.
COLORS = (
    "#4269d0",
    "#e8a317",
    "#ff725c",
    "#3ca951",
    "#a463f2",
    "#6cc5b0",
    "#ff8ab7",
    "#9c6b4e",
    "#97bbf5",
    "#9498a0",
)

#: Of lines, as in SVG: none, long and short.
DASHES = ("", "7 4", "2 3")

#: Characters of a name in a chart, so that a phone has room for the chart too; a longer one is cut.
NAME_LENGTH = 16
CUT_LENGTH = 13


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a player.

    Attributes:
        name: short, and unlike that of any other player.
        color: of its curves and bars, as in CSS.
        dash: of its curves, lengths of dashes and gaps as in SVG.
    """

    name: str
    color: str
    dash: str


def styles(labels: Mapping[Player, Label], order: Sequence[Player]) -> dict[Player, Style]:
    """A style for each player; players who follow each other in ``order`` get the most different ones."""
    cut = {
        player: label.short if len(label.short) <= NAME_LENGTH else f"{label.short[:CUT_LENGTH]}\u2026"
        for player, label in labels.items()
    }
    alike = Counter(cut.values())
    return {
        player: Style(
            cut[player] if alike[cut[player]] == 1 else f"{cut[player]} ({labels[player].number})",
            COLORS[number % len(COLORS)],
            DASHES[number // len(COLORS) % len(DASHES)],
        )
        for number, player in enumerate(order)
    }


#: The replay of the whole tournament, which a link opens at a hand.
REPLAY = "replay.html"


@dataclass(frozen=True, slots=True)
class HandLink:
    """A hand: its number and table in words, and the address of its replay; empty where there is none."""

    text: str
    href: str


class PageLinks:
    """Makes links.

    Args:
        files: that were written, relative to the folder of the report.
        many_tables: whether a hand's number alone does not tell which hand it is.
    """

    def __init__(self, files: Collection[str] = (), *, many_tables: bool = False) -> None:
        self._files = frozenset(files)
        self._many_tables = many_tables

    def hand(self, table: int, number: int) -> HandLink:
        """A hand of a table; hand 0 is before the first, and has no replay."""
        where = f" at table {table}" if self._many_tables else ""
        at = f"&table={table}" if self._many_tables else ""
        href = f"{REPLAY}#hand={number}{at}" if REPLAY in self._files and number else ""
        return HandLink(f"hand {number:,}{where}" if number else "before the first hand", href)

    def player(self, label: Label) -> tuple[tuple[str, str], ...]:
        """The files in the folder of a player, as name and address."""
        folder = f"players/{label.folder}"
        named = (("summary", "summary.txt"), ("transcript", "transcript.txt"), ("replay", REPLAY))
        return tuple((name, f"{folder}/{file}") for name, file in named if f"{folder}/{file}" in self._files)


#: A reply that cannot be read: what was expected, and the reply in quotes.
_UNREADABLE = re.compile(r"expected (?P<expected>.*?), got (?P<got>['\"].*)", re.DOTALL)

#: What rules and dealer say to "you", and how the same is said of a program.
_OF_A_PROGRAM = (
    ("but have only", "but has only"),
    ("but owe ", "but owes "),
    ("you owe", "it owes"),
    ("you were", "it was"),
    ("you did", "it did"),
    ("your ", "its "),
)

#: Where a quotation begins, which stays as it is.
_QUOTATION = re.compile(r"['\"]")


def told_to_host(reason: str, name: str) -> str:
    """A reason about the program ``name``: "Steph bet 900 but has only 20 chips: ...", or "no complete reply ...".

    What the program sent is quoted, and stays as it was.
    """
    reason = reason.removeprefix(OUT)
    unreadable = _UNREADABLE.fullmatch(reason)
    if unreadable:
        return f"{name} sent {unreadable['got']}; expected {unreadable['expected']}"
    quotation = _QUOTATION.search(reason)
    own = reason[: quotation.start()] if quotation else reason
    quoted = reason[len(own) :]
    acted = own.startswith("you ")
    own = own.removeprefix("you ")
    for said, of_program in _OF_A_PROGRAM:
        own = own.replace(said, of_program)
    return (f"{name} {own}" if acted else own) + quoted
