"""Read PHH files: hands of no-limit and fixed-limit Texas Hold'em, with amounts as whole chips.

What cannot be read is of two kinds: text that is no PHH (``ValueError``, or ``OptionError`` for a whole file), and
hands that are PHH but of which the rules here know nothing (``Unsupported``).
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from dealer.errors import OptionError
from dealer.replay.phh.notation import LIMIT_FIELD, by_posting
from protocol.files import parse_toml, read_bytes
from protocol.games.holdem_betting import MOST_BETS, Betting, Limit
from protocol.games.holdem_hand import SEATS

#: The most that an amount may be, and the most digits behind its point.
MOST, MOST_DIGITS = 10**15, 6

#: How the names of PHH files end, where a folder is searched for them.
SUFFIXES = (".phh", ".phhs")


class Unsupported(ValueError):
    """A hand is PHH, but not one that the rules here can play; the text says what was expected.

    Attributes:
        reason: the same in a few words, alike for all such hands.
    """

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class PhhHand:
    """A hand as a file tells it; lists are by player, ``p1`` first.

    Attributes:
        unit: what one chip is in the file: 0.01 where amounts have cents.
        betting: how much may be bet.
        antes: chips of each player.
        dead_antes: whether antes belong to the main pot as a whole.
        blinds: chips of each player, straddles included; below zero for posts of players who have just sat down.
        stacks: chips before the hand.
        finishing: chips after it; None if the file does not tell.
        winnings: chips that each player collects from the pots, with or without a bet that nobody called; None if the
            file does not tell.
        actions: as the file has them.
        players: their names; None if the file does not tell.
    """

    unit: Decimal
    betting: Betting
    antes: tuple[int, ...]
    dead_antes: bool
    blinds: tuple[int, ...]
    stacks: tuple[int, ...]
    finishing: tuple[int, ...] | None
    winnings: tuple[int, ...] | None
    actions: tuple[str, ...]
    players: tuple[str, ...] | None = None

    def say(self, chips: int) -> str:
        """Chips in the unit of the file."""
        return f"{chips * self.unit:f}"


def files_in(path: Path) -> list[Path]:
    """The file itself, or all PHH files in a folder and the folders below it, in alphabetical order.

    Raises:
        OptionError: there are none in the folder, or it cannot be read.
    """
    if not path.is_dir():
        return [path]

    def refuse(error: OSError) -> None:
        raise OptionError(f"cannot read {error.filename}: {error.strerror}") from None

    found = [Path(folder) / name for folder, _, names in os.walk(path, onerror=refuse) for name in names]
    files = sorted(file for file in found if file.suffix in SUFFIXES)
    if not files:
        raise OptionError(f"the folder {path} has no file whose name ends with {' or '.join(SUFFIXES)}")
    return files


def read_file(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The fields of each hand in a file with one hand or several, and its name for messages; see ``read_hand``.

    Raises:
        OptionError: the file cannot be read, or is not PHH; the text says why.
    """
    try:
        document = parse_toml(read_bytes(path), parse_float=Decimal)
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise OptionError(f"{path} is no PHH file: {error}") from None
    if "variant" in document:
        yield str(path), document
        return
    if not document:
        raise OptionError(f"{path} has no hand: expected fields such as variant and actions")
    for number, fields in document.items():
        if not isinstance(fields, dict):
            raise OptionError(f"{path} is no PHH file: expected the field variant, or hands under [1], [2] and so on")
        yield f"{path}, hand [{number}]", fields


def read_hand(fields: Mapping[str, Any]) -> PhhHand:
    """The hand of these fields.

    Raises:
        Unsupported: it is a hand of another game, or one with more players or finer amounts than are known here.
        ValueError: a field is missing or wrong; the text says what was expected.
    """
    variant = fields.get("variant")
    if variant not in ("NT", "FT"):
        text = f"variant: expected NT or FT (Texas Hold'em, no-limit or fixed-limit), got {variant!r}"
        raise Unsupported(f"variant {variant!r}", text) if isinstance(variant, str) else ValueError(text)
    stacks = _amounts(fields, "starting_stacks")
    count = len(stacks)
    if count > SEATS[-1]:
        raise Unsupported(f"more than {SEATS[-1]} players", f"expected at most {SEATS[-1]} players, got {count}")
    if count not in SEATS:
        raise ValueError(f"starting_stacks: expected {SEATS[0]} to {SEATS[-1]} players, got {count}")
    antes = _amounts(fields, "antes", count)
    blinds = _amounts(fields, "blinds_or_straddles", count, least=-MOST)
    finishing = _amounts(fields, "finishing_stacks", count) if "finishing_stacks" in fields else ()
    winnings = _amounts(fields, "winnings", count) if "winnings" in fields else ()
    names = ("small_bet", "big_bet") if variant == "FT" else ("min_bet", "min_bet")
    sizes = [_amount(name, fields.get(name)) for name in names]
    actions = _actions(fields)
    unit = _unit([*stacks, *antes, *blinds, *finishing, *winnings, *sizes, *_raises(actions)])
    if min(stacks) <= 0 or min(sizes) <= 0:
        raise ValueError("starting_stacks and bet sizes: expected more than 0 chips")
    small, big = _chips(sizes, unit)
    # Other values of ``_limit`` are left alone: names that begin with ``_`` are anybody's own.
    unsized: Limit = "pot-limit" if fields.get(LIMIT_FIELD) == "pot-limit" else "no-limit"
    betting = Betting("fixed-limit", small, big, MOST_BETS) if variant == "FT" else Betting(unsized, small, big)
    return PhhHand(
        unit,
        betting,
        _chips(by_posting(antes), unit),
        not _trimming(fields),
        _chips(by_posting(blinds), unit),
        _chips(stacks, unit),
        _chips(finishing, unit) if finishing else None,
        _chips(winnings, unit) if winnings else None,
        actions,
        _players(fields, count),
    )


def _players(fields: Mapping[str, Any], count: int) -> tuple[str, ...] | None:
    players = fields.get("players")
    if players is None:
        return None
    if not isinstance(players, list) or len(players) != count or not all(isinstance(name, str) for name in players):
        raise ValueError(f"players: expected a list of {count} names, got {players!r}")
    return tuple(players)


def _trimming(fields: Mapping[str, Any]) -> bool:
    trimmed = fields.get("ante_trimming_status", False)
    if not isinstance(trimmed, bool):
        raise ValueError(f"ante_trimming_status: expected true or false, got {trimmed!r}")  # noqa: TRY004 - told alike
    return trimmed


def _actions(fields: Mapping[str, Any]) -> tuple[str, ...]:
    actions = fields.get("actions")
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise ValueError("actions: expected a list of texts such as 'p1 cbr 250'")
    return tuple(actions)


def _amounts(fields: Mapping[str, Any], name: str, count: int | None = None, least: int = 0) -> list[Decimal]:
    amounts = fields.get(name)
    if not isinstance(amounts, list) or count not in (None, len(amounts)):
        wanted = "an amount for each player" if count is None else f"a list of {count} amounts, one for each player"
        raise ValueError(f"{name}: expected {wanted}, got {'nothing' if amounts is None else repr(amounts)}")
    return [_amount(name, amount, least) for amount in amounts]


def _amount(name: str, value: object, least: int = 0) -> Decimal:
    amount = Decimal(value) if type(value) in (int, Decimal) else None  # type: ignore[arg-type]
    if amount is None or not amount.is_finite() or amount < least:
        raise ValueError(f"{name}: expected a number of chips from {least}, got {_as_written(value)}")
    if amount > MOST:
        raise ValueError(f"{name}: expected at most {MOST} chips, got {_as_written(value)}")
    return amount


def _as_written(value: object) -> str:
    """A value as the file has it: a text is in quotes, so that it differs from a number."""
    if value is None:
        return "nothing"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else str(value)


def words_of(action: str) -> list[str]:
    """The words of an action, without its comment."""
    return action.partition("#")[0].split()


def _raises(actions: Sequence[str]) -> Iterator[Decimal]:
    """The amounts of all bets and raises."""
    for action in actions:
        match words_of(action):
            case [_, "cbr", text]:
                yield raise_amount(action, text)


def raise_amount(action: str, text: str) -> Decimal:
    """The amount of a bet or raise, in the unit of the file.

    Raises:
        ValueError: it is not one.
    """
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("nan")
    if not amount.is_finite() or not 0 < amount <= MOST:
        raise ValueError(f"{action!r}: expected a number of chips after cbr")
    return amount


def _unit(amounts: Sequence[Decimal]) -> Decimal:
    """The largest unit, 1 or a power of ten below it, of which all amounts are whole numbers."""
    for digits in range(MOST_DIGITS + 1):
        unit = Decimal(1).scaleb(-digits)
        if all(amount % unit == 0 for amount in amounts):
            return unit
    text = f"amounts may have {MOST_DIGITS} digits behind the point"
    raise Unsupported(f"amounts with more than {MOST_DIGITS} digits behind the point", text)


def _chips(amounts: Sequence[Decimal], unit: Decimal) -> tuple[int, ...]:
    return tuple([int(amount / unit) for amount in amounts])
