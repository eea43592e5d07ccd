"""How much of the dealer one program, one address and all together may use."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import PositiveFloat, PositiveInt
from cyclopts.validators import Number

REPLY_BYTES = 512
"""The longest reply read, unless the host says otherwise."""

LONGEST_NAME = 232
"""Bytes of the longest legal reply: an id of 39 letters, a colon and an avatar of 32 emoji in modified UTF-8."""

FrameBytes = Annotated[int, Parameter(validator=Number(gte=LONGEST_NAME, lte=65535))]


@Parameter(name="*")
@dataclass(frozen=True)
class Limits:
    """Who breaks a limit hears why, once, and is closed. The defaults are far from what honest programs need.

    Parameters
    ----------
    connections
        Connections open at once.
    per_address
        Connections open at once from one address; a classroom may sit behind one.
    connects
        New connections from one address within a second.
    login_limit
        Seconds until a login is late, if not the same as a reply.
    frame_bytes
        Bytes of the longest message read.
    bytes_per_second
        Bytes read from one program within a second.
    frames_per_second
        Messages read from one program within a second.
    """

    connections: PositiveInt = 512
    per_address: PositiveInt = 64
    connects: PositiveInt = 64
    login_limit: PositiveFloat | None = None
    frame_bytes: FrameBytes = REPLY_BYTES
    bytes_per_second: PositiveInt = 1_000_000
    frames_per_second: PositiveInt = 50_000


USUAL = Limits()
