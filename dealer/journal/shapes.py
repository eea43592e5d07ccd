"""The fields that every record must have, and the form of each, so that readers need not check them again.

Only forms are checked: that a hand number is a number, not that it is the right one.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from reprlib import repr as short_repr
from types import MappingProxyType, NoneType
from typing import Any

from dealer.faults import FaultKind
from dealer.journal.records import FOLDED, READ_VERSIONS
from dealer.settings import format_names
from protocol.shuffle import SEED_BYTES

#: The largest number in a record: those who read JSON or make charts may hold numbers as floats, which are exact up to
#: here. Chips and counts of real tournaments stay far below.
_MOST = 2**53

#: The last moment that a record may tell, in seconds since 1970: the year 3000, which every system has a date for.
_LAST_MOMENT = 32_503_680_000

#: Takes the name of a value and the value; raises ValueError if the value does not have the right form.
Shape = Callable[[str, Any], None]


def _that(words: str, fits: Callable[[Any], bool]) -> Shape:
    def check(name: str, value: Any) -> None:
        if not fits(value):
            raise ValueError(f"{name}: expected {words}, got {short_repr(value)}")

    return check


def _whole(least: int) -> Shape:
    return _that(f"a whole number from {least}", lambda value: type(value) is int and least <= value <= _MOST)


def _or_nil(shape: Shape) -> Shape:
    def check(name: str, value: Any) -> None:
        if value is not None:
            shape(name, value)

    return check


def _list(item: Shape) -> Shape:
    def check(name: str, value: Any) -> None:
        _LIST(name, value)
        for number, part in enumerate(value):
            item(f"{name}[{number}]", part)

    return check


def _row(*items: Shape) -> Shape:
    is_row = _that(f"a list of {len(items)}", lambda value: type(value) is list and len(value) == len(items))

    def check(name: str, value: Any) -> None:
        is_row(name, value)
        for number, (item, part) in enumerate(zip(items, value, strict=True)):
            item(f"{name}[{number}]", part)

    return check


def _map(optional: Mapping[str, Shape] = MappingProxyType({}), **fields: Shape) -> Shape:
    is_map = _that(
        f"a map with {', '.join(fields)}", lambda value: isinstance(value, dict) and fields.keys() <= value.keys()
    )

    def check(name: str, value: Any) -> None:
        is_map(name, value)
        for key, shape in fields.items():
            shape(f"{name}.{key}", value[key])
        for key in optional.keys() & value.keys():
            optional[key](f"{name}.{key}", value[key])

    return check


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and isfinite(value)


def _is_action(seat: Any = None, chips: Any = None, microseconds: Any = None, *more: Any) -> bool:
    """Whether these are the items of an action. One test instead of three, because most of a journal is actions."""
    numbers = type(seat) is int and type(chips) is int and type(microseconds) in (int, NoneType)
    return numbers and seat >= 0 and FOLDED <= chips <= _MOST and 0 <= (microseconds or 0) <= _MOST and not more


_LIST = _that("a list", lambda value: type(value) is list)
_TEXT = _that("text", lambda value: type(value) is str)
_BYTES = _that("bytes", lambda value: type(value) is bytes)
_SEED = _that("32 bytes", lambda value: type(value) is bytes and len(value) == SEED_BYTES)
_TRUTH = _that("true or false", lambda value: type(value) is bool)
_NUMBER = _that("a number", lambda value: _is_number(value) and abs(value) <= _MOST)
_MOMENT = _that("seconds since 1970", lambda value: _is_number(value) and 0 <= value <= _LAST_MOMENT)
_SECONDS = _that("a number above 0", lambda value: _is_number(value) and 0 < value <= _MOST)
_CHIPS = _that("a whole number", lambda value: type(value) is int and abs(value) <= _MOST)
_INDEX, _COUNT = _whole(0), _whole(1)
_PORT = _that("a port", lambda value: type(value) is int and 0 <= value < 2**16)
_KIND = _that(f"one of {', '.join(FaultKind)}", lambda value: type(value) is str and value in list(FaultKind))
_ACTION = _that("[seat, chips, microseconds or nil]", lambda value: type(value) is list and _is_action(*value))
_FORMATS = format_names()
_LEAGUE = _map(
    {"sandbox_python": _list(_TEXT)},
    bots=_list(_TEXT),
    commands=_list(_TEXT),
    sandbox=_TRUTH,
    acpc_commands=_list(_TEXT),
)
_LEVEL_TABLE = _list(_map())
_ACPC_TERMS = _map(names=_list(_TEXT), limit=_SECONDS, strict=_TRUTH)


def _acpc_terms(name: str, value: Any) -> None:
    if value is not None:
        _ACPC_TERMS(name, value)
        _or_nil(_SECONDS)(f"{name}.average", value.get("average"))


_DOORS = _map(
    host=_TEXT,
    port=_PORT,
    line_port=_or_nil(_PORT),
    people_port=_or_nil(_PORT),
    people_limit=_SECONDS,
    acpc_port=_or_nil(_PORT),
)


def _origin(name: str, value: Any) -> None:
    if value is not None:
        (_LEAGUE if isinstance(value, dict) and "bots" in value else _DOORS)(name, value)


def _levels(name: str, value: Any) -> None:
    if value is not None:
        (_LEVEL_TABLE if isinstance(value, list) else _COUNT)(name, value)


#: The fields of each type of record. A start record has the options of its game as well, which the game checks.
SHAPES: Mapping[str, Mapping[str, Shape]] = {
    "start": {
        "started": _MOMENT,
        "game": _TEXT,
        "hands": _COUNT,
        "seed": _SEED,
        "seed_text": _or_nil(_TEXT),
        "commitment": _TEXT,
        "games": _COUNT,
        "limit": _SECONDS,
        "lives": _COUNT,
        "table_size": _whole(2),
        "duplicate": _TRUTH,
        "rejoin": _or_nil(_SECONDS),
        "secrets": _TRUTH,
        "levels": _levels,
        "format": _that(f"one of {', '.join(_FORMATS)}", lambda value: value in _FORMATS),
        "rounds": _or_nil(_COUNT),
        "players": _list(_map(id=_TEXT, avatar=_TEXT, program=_TEXT, proof=_or_nil(_BYTES), optional={"acpc": _TRUTH})),
        "origin": _origin,
        "acpc_terms": _acpc_terms,
    },
    "round": {"round": _COUNT, "tables": _list(_list(_INDEX))},
    "level": {"level": _COUNT},
    "move": {"player": _INDEX, "table": _INDEX},
    "game": {"table": _INDEX, "game": _COUNT, "hand": _COUNT},
    "hand": {
        "table": _INDEX,
        "hand": _COUNT,
        "level": _COUNT,
        "players": _list(_INDEX),
        "stacks": _list(_CHIPS),
        "deck": _BYTES,
        "actions": _list(_ACTION),
        "faults": _list(_row(_INDEX, _KIND, _TEXT)),
        "pot": _CHIPS,
        "payoffs": _list(_CHIPS),
    },
    "corrected": {"player": _INDEX, "hand": _INDEX, "reason": _TEXT},
    "out": {"player": _INDEX, "hand": _INDEX, "chips": _CHIPS, "kind": _or_nil(_KIND), "reason": _TEXT},
    "closed": {"player": _INDEX, "in_time": _TRUTH},
    "away": {"player": _INDEX, "hand": _INDEX},
    "back": {"player": _INDEX, "hand": _INDEX},
    "readmitted": {"player": _INDEX, "table": _INDEX},
    "desk": {
        "command": _TEXT,
        "player": _or_nil(_INDEX),
        "seconds": _or_nil(_NUMBER),
        "reason": _or_nil(_TEXT),
    },
    "refused": {
        "time": _MOMENT,
        "address": _TEXT,
        "port": _PORT,
        "kind": _TEXT,
        "reason": _TEXT,
        "id": _or_nil(_TEXT),
        "sent": _BYTES,
    },
    "services": {
        "ports": _or_nil(_DOORS),
        "page_port": _or_nil(_PORT),
        "open_cards": _TRUTH,
        "desk": _TRUTH,
        "feed_port": _or_nil(_PORT),
    },
    "resume": {"started": _MOMENT, "cut": _INDEX},
    "void": {"table": _INDEX, "hand": _COUNT},
    "stall": {"seconds": _SECONDS},
    "stopped": {},
    # What a standing holds is for the columns of standings to say, which lie above this package.
    "end": {"standings": _list(_map(id=_TEXT))},
}


#: Fields that only some records of a type have.
OPTIONAL: Mapping[str, Mapping[str, Shape]] = {
    "hand": {"corrections": _list(_row(_INDEX, _TEXT))},
    "round": {"readmitted": _list(_INDEX)},
}


def check_shape(record: Any) -> None:
    """Check that a record has all fields that it must have, and that each of its fields has the right form.

    Raises:
        ValueError: it does not; the text says what was expected and what came.
    """
    if not isinstance(record, dict):
        raise ValueError(f"expected a record, got {short_repr(record)}")  # noqa: TRY004 - a journal is wrong, not a caller
    type_ = record.get("type")
    if not isinstance(type_, str) or type_ not in SHAPES:
        raise ValueError(
            f"expected a record of a type from {', '.join(SHAPES)}; got {short_repr(type_)}, which this program does "
            "not know; a newer one may have written it"
        )
    if type_ == "start" and record.get("version") not in READ_VERSIONS:
        version = short_repr(record.get("version"))
        readable = " and ".join(map(str, READ_VERSIONS))
        raise ValueError(f"this journal is of version {version}, this program reads versions {readable}")
    for name, shape in SHAPES[type_].items():
        if name not in record:
            raise ValueError(f"{name} is missing")
        shape(name, record[name])
    for name, shape in OPTIONAL.get(type_, {}).items():
        if name in record:
            shape(name, record[name])
