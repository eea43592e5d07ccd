"""The hands of a file as compact text: of each frame only what is different from the one before."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from dealer.replayer.frames import Frame, HandEnd, HandFrames


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What has to be set in ``before`` to get ``after``; None for what is gone, and seats by number.

    No fact of a frame is None, so that None can say this.
    """
    changed = {name: fact for name, fact in after.items() if name != "seats" and before.get(name) != fact}
    changed |= {name: None for name in before if name not in after}
    if "seats" in after:
        both = zip(before["seats"], after["seats"], strict=True)
        seats = {number: changes(old, new) for number, (old, new) in enumerate(both) if old != new}
        changed |= {"seats": seats} if seats else {}
    return changed


def packed_frames(frames: Sequence[Frame]) -> list[Frame]:
    """The first frame, and the changes of each one after it."""
    return [frames[0], *(changes(before, after) for before, after in pairwise(frames))]


def packed_hand(made: HandFrames) -> str:
    """What all viewers saw of a hand, as the text of the first members of a JSON object."""
    return to_json({"frames": packed_frames(made.frames), "lines": made.lines})[1:-1]


def packed_end(made: HandFrames, end: HandEnd, reasons: Mapping[int, str]) -> str:
    """What one viewer saw of it besides, as the text of more members.

    Args:
        made: the hand.
        end: as the viewer saw it.
        reasons: of faults, by the number of the line.
    """
    facts = {"end": changes(made.frames[-1], end.frame), "endLines": end.lines, "holes": end.holes}
    more = {"shown": end.shown, "reasons": reasons}
    return to_json(facts | {name: fact for name, fact in more.items() if fact})[1:-1]


def to_json(facts: Any) -> str:
    """JSON without blanks."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


class PackedText:
    """A long text that is compressed while it is written."""

    def __init__(self) -> None:
        self._packer = zlib.compressobj(wbits=31)  # gzip, which browsers can read
        self._pieces: list[bytes] = []

    def add(self, text: str) -> None:
        """Write the next piece."""
        self._pieces.append(self._packer.compress(text.encode()))

    def finish(self) -> str:
        """The whole text, compressed, in base64; nothing can be added after that."""
        return base64.b64encode(b"".join([*self._pieces, self._packer.flush()])).decode()
