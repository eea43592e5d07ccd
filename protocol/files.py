"""Read files that a user names: regular files of a bounded size, and TOML and JSON without traps in them.

A device or a pipe may never end, and a few kilobytes of TOML can keep the parser busy for minutes.
"""

import errno
import json
import os
import re
import stat
import tomllib
from collections.abc import Callable
from decimal import InvalidOperation
from pathlib import Path
from typing import Any

#: Bytes that a file may have, many times as many as the largest that people write.
MOST_BYTES = 64 << 20

#: Parts of a dotted key in TOML. The time of the parser grows with their square.
MOST_KEY_PARTS = 32

#: A part of a key and the dot behind it, from the beginning of the part.
_PART = rb"""(?:(?<![\w-])[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_PARTS = re.compile(b"(?:%b)++" % _PART)


def check_regular(path: Path) -> None:
    """Make sure that a file that is read in parts has an end.

    Raises:
        OSError: it does not exist, or is a device, a pipe or a socket; its ``strerror`` says so.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no regular file, but a device or a pipe; save it as a file", str(path))


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """The contents of a file.

    Raises:
        OSError: it cannot be read, is no regular file, or has more than ``most`` bytes; its ``strerror`` says so.
    """
    check_regular(path)
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most >> 20} MB", str(path))
    return data


def parse_toml(data: bytes, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The values of TOML in UTF-8.

    Raises:
        UnicodeDecodeError: it is not UTF-8.
        ValueError: it is no TOML, or nested too deeply; the text says where or what.
    """
    text = data.decode("utf-8-sig")
    if any(len(re.findall(_PART, parts[0])) >= MOST_KEY_PARTS for parts in _PARTS.finditer(data)):
        raise ValueError(f"a key has more than {MOST_KEY_PARTS} parts, with dots between them")
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise ValueError("values are nested too deeply") from None
    except InvalidOperation:  # of Decimal, which is no ValueError
        raise ValueError("a number has too many digits") from None


def parse_json(data: bytes) -> Any:
    """The value of JSON in UTF-8.

    Raises:
        ValueError: it is no JSON in UTF-8, or nested too deeply.
    """
    try:
        return json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("values are nested too deeply") from None
