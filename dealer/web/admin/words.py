"""Whether a reason can be told, and whom a host means: both in sentences where the answer is no."""

from collections.abc import Sequence
from difflib import get_close_matches

from dealer.lobby.player import Player
from protocol.wire.messages import Done

REASON_LENGTH = 200
"""Characters; a page and a terminal show them in a line or two."""

LIKELY = 5
BY_ID = "id="


class OrderRefused(Exception):
    """What cannot be done now; the text says why, in one line."""


def check_reason(reason: str) -> str:
    """The reason as its player will hear it and all will read it.

    Raises:
        OrderRefused: it is empty, too long, or would not arrive as it was typed.
    """
    reason = reason.strip()
    if not reason:
        raise OrderRefused("a reason is needed: the player hears it")
    if len(reason) > REASON_LENGTH:
        raise OrderRefused(f"the reason has {len(reason)} characters; it can have {REASON_LENGTH}")
    if not reason.isprintable():
        raise OrderRefused("the reason holds a character that cannot be printed, such as the end of a line")
    if Done(reason).reason != reason:
        raise OrderRefused(
            "the reason may not hold login, bet1, bet2 or status: programs look for those words anywhere"
        )
    return reason


def find_player(players: Sequence[Player], named: str) -> Player:
    """The one player with that id or avatar.

    Raises:
        OrderRefused: there is none, or more than one; the text lists the likely ones.
    """
    id_ = named.removeprefix(BY_ID)
    if id_ != named:
        found = [player for player in players if player.id == id_]
    else:
        found = [player for player in players if named in (player.id, player.avatar)]
    if len(found) == 1:
        return found[0]
    if found:
        raise OrderRefused(f"{named!r} names {len(found)} players; say which: {_listed(found)}")
    others = f"there is {_listed(_likely(players, id_))}" if players else "nobody is here"
    raise OrderRefused(f"nobody here is called {named!r}; {others}")


def _likely(players: Sequence[Player], named: str) -> list[Player]:
    """Those with a name like that one first."""
    names = {name.casefold(): player for player in players for name in (player.id, player.avatar)}
    near = [names[name] for name in get_close_matches(named.casefold(), names, LIKELY, 0.5)]
    return list(dict.fromkeys([*near, *players]))[:LIKELY]


def _listed(players: Sequence[Player]) -> str:
    return ", ".join(f"{player.avatar} ({BY_ID}{player.id})" for player in players)
