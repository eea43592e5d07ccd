"""Matches on their way to a worker: of each only what changed since the last one of its table.

Most of a match stays as it is from hand to hand, such as blinds and the form of betting.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any

from protocol.games.match import Match


def changes(before: Match | None, after: Match) -> Match | Mapping[str, Any]:
    """What to send of a match: its changed fields if the other end has the one ``before``, else the whole of it."""
    if type(before) is not type(after):
        return after
    return {name: value for name in _names(type(after)) if (value := getattr(after, name)) != getattr(before, name)}


def changed(before: Match | None, sent: Match | Mapping[str, Any]) -> Match:
    """The match of which ``changes`` made ``sent``."""
    if isinstance(sent, Match):
        return sent
    assert before is not None
    return replace(before, **sent) if sent else before


@cache
def _names(type_: type[Match]) -> Sequence[str]:
    return [field.name for field in fields(type_)]
