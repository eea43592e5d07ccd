"""Rosters: files that say who may play, in the forms in which spreadsheets and course systems write them.

A roster is lines of ids, or a table with a column of ids and one or more of names. Its first line may be a heading,
which then says which column is which. Without one, ids stand first, or second where only that column holds ids.
"""

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dealer.errors import OptionError
from protocol.files import read_bytes
from protocol.wire.messages import ID_PATTERN

#: A heading of a column of ids, in small letters and without blanks or signs.
_ID_HEADING = re.compile(
    "(github|student|user|net|login|player|sis|sisuser|sislogin)?ids?|idnumber|identifier|kennung|handle"
    "|(github)?(user|account|login)names?|github(user|account|handle|login|name)?|matrikelnummer|studentnumber"
)

#: A heading of a column of names.
_NAME_HEADING = re.compile("(full|student|studentfull|display|real|roster)?names?|namen|nom|nombre")

#: Headings of columns that make one name together, in the order in which it is written.
_NAME_PARTS = (
    frozenset({"firstname", "givenname", "forename", "vorname", "prenom", "first"}),
    frozenset({"lastname", "surname", "familyname", "nachname", "last"}),
)

#: Headings that could also be the id of a student: they count only where nothing else stands in the line or where the
#: other columns have headings too.
_DOUBTFUL_HEADINGS = frozenset({"student", "students", "user", "users", "login", "player", "players", "roster"})

#: The first bytes of a workbook, new and old, which many save where a text file is asked for.
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")

_SAVE_AS = "save it as text: in a spreadsheet program, as 'CSV UTF-8'"


class _Row(NamedTuple):
    """A line that is not empty: its number in the file, from 1, and its cells without blanks around them."""

    number: int
    cells: Sequence[str]

    def cell(self, column: int) -> str:
        """The text in a column; empty behind the end of the line."""
        return self.cells[column] if column < len(self.cells) else ""


class _Columns(NamedTuple):
    """Where a roster has its ids and the parts of its names."""

    id: int
    names: Sequence[int]


def read_roster(path: Path) -> dict[str, str]:
    """Read who may play.

    The cells of a line are separated by commas, semicolons or tabs. The text is UTF-8, or UTF-16 with its byte order
    mark, as spreadsheets write "Unicode text".

    Returns:
        The name for each id; the id itself where the file gives no name.

    Raises:
        OptionError: the file cannot be read, has no id, an id twice, an id that no login could give, or its heading
            not in the first line.
    """
    rows = _rows(path, _text(path))
    columns = _headed(path, rows[0]) if rows else None
    if columns is None:
        columns = _unheaded(rows)
    else:
        del rows[0]
    roster: dict[str, str] = {}
    for row in rows:
        id_ = row.cell(columns.id)
        if _is_heading(row):
            raise OptionError(
                f"{path}, line {row.number}: this is a heading, which has to be the first line; delete the lines above"
            )
        if not ID_PATTERN.fullmatch(id_):
            raise OptionError(f"{path}, line {row.number}: {id_!r} is not an id (1 to 39 letters, digits, '-' or '_')")
        if id_ in roster:
            raise OptionError(f"{path}, line {row.number}: the id {id_!r} is listed twice")
        roster[id_] = _name(row, columns)
    if not roster:
        raise OptionError(f"the roster {path} holds no id; write one on each line")
    return roster


def roster_in_words(roster: dict[str, str]) -> str:
    """How a roster was understood, for the host to compare with the file."""
    id_, name = next(iter(roster.items()))
    named = f" ({name})" if name not in ("", id_) else ""
    return f"roster: {len(roster)} {'ids' if len(roster) > 1 else 'id'}, the first is {id_}{named}"


def _text(path: Path) -> str:
    """The text of the file.

    Raises:
        OptionError: it cannot be read, or is no text.
    """
    try:
        data = read_bytes(path)
    except OSError as error:
        raise OptionError(f"cannot read the roster {path}: {error.strerror}") from None
    if data.startswith(_WORKBOOKS):
        raise OptionError(f"cannot read the roster {path}: it is a workbook; {_SAVE_AS}")
    utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if utf_16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        encoding = "UTF-16" if utf_16 else "UTF-8"
        raise OptionError(
            f"cannot read the roster {path}: byte {error.start + 1} is no {encoding} text; {_SAVE_AS}"
        ) from None
    if "\0" in text:  # UTF-16 without its mark has a zero beside each letter of English
        raise OptionError(f"cannot read the roster {path}: it holds zero bytes, as UTF-16 text does; {_SAVE_AS}")
    return text


def _rows(path: Path, text: str) -> list[_Row]:
    """The lines that are not empty.

    Raises:
        OptionError: they cannot be cut into cells.
    """
    lines = text.splitlines()
    try:
        # Where there are semicolons or tabs, commas belong to names: "Lovelace, Ada;ada".
        separated = (_cut(lines, separator) for separator in "\t;")
        return next((rows for rows in separated if rows and len(rows[0].cells) > 1), None) or _cut(lines, ",")
    except csv.Error as error:
        raise OptionError(f"cannot read the roster {path}: {error}") from None


def _cut(lines: Sequence[str], separator: str) -> list[_Row]:
    reader = csv.reader(lines, delimiter=separator)
    rows = [_Row(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    return [row for row in rows if any(row.cells)]


def _words(row: _Row) -> list[str]:
    """The cells of a line in small letters, without blanks and signs."""
    return ["".join(char for char in cell.casefold() if char.isalnum()) for cell in row.cells]


def _is_heading(row: _Row) -> bool:
    """Whether a line below the first, such as one below the title of a course, surely names columns.

    A single word could be the id of a student.
    """
    words = [word for word in _words(row) if word]
    ids = [word for word in words if _ID_HEADING.fullmatch(word)]
    names = [word for word in words if _NAME_HEADING.fullmatch(word) or any(word in part for part in _NAME_PARTS)]
    return bool(ids and names) and {*ids, *names} == {*words}


def _headed(path: Path, first: _Row) -> _Columns | None:
    """The columns that the first line names; None if it is no heading.

    Raises:
        OptionError: it is a heading, but does not say where the ids are.
    """
    words = _words(first)
    ids = [column for column, word in enumerate(words) if _ID_HEADING.fullmatch(word)]
    names = [column for column, word in enumerate(words) if _NAME_HEADING.fullmatch(word)]
    parts = [column for part in _NAME_PARTS for column, word in enumerate(words) if word in part]
    doubtful = [column for column, word in enumerate(words) if word in _DOUBTFUL_HEADINGS]
    known = ids or names or len(parts) > 1
    if not known and len(doubtful) < len(words):
        return None
    if not ids:
        # "Name,Student" leaves one column in which the ids can be.
        ids = [column for column in range(len(words)) if words[column] and column not in (*names, *parts)]
    if len(ids) != 1:
        what = "several columns of ids" if ids else "no column of ids"
        raise OptionError(f"{path}, line {first.number}: the heading names {what}; call one column 'id'")
    others = [column for column in names or parts or doubtful if column not in ids]
    return _Columns(ids[0], others[:1] if names else others)


def _unheaded(rows: Sequence[_Row]) -> _Columns:
    """The columns of a roster without a heading: ids stand first, unless only the second column can hold them."""
    firsts = [row.cell(0) for row in rows]
    seconds = [row.cell(1) for row in rows]
    strange = [first for first in firsts if not ID_PATTERN.fullmatch(first)]
    # Only what looks like a name makes the first column one of names. An id with a wrong sign in it is a mistake.
    are_names = strange and all(" " in first and "@" not in first for first in strange)
    if are_names and all(ID_PATTERN.fullmatch(second) for second in seconds):
        return _Columns(1, (0,))
    return _Columns(0, (1,))


def _name(row: _Row, columns: _Columns) -> str:
    """The name in a line; the id where the line has no cell for it."""
    if all(column >= len(row.cells) for column in columns.names):
        return row.cell(columns.id)
    return " ".join(part for part in map(row.cell, columns.names) if part)
