"""The command ``casino import``: play hand histories of other programs through our rules."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from dealer.cli.counted import counted
from dealer.cli.output import complain
from dealer.errors import FAILED, OptionError
from dealer.replay.phh.check import HandDiffers, check_hand
from dealer.replay.phh.read import read_file


@dataclass(slots=True)
class Findings:
    """What came of the hands.

    Attributes:
        hands: how many were played.
        unknown_results: those of them whose files do not tell all cards that decide who won.
        differing: those of them that our rules play in another way.
        first_difference: which one was the first, and what differs; None if none does.
    """

    hands: int = 0
    unknown_results: int = 0
    differing: int = 0
    first_difference: str | None = None


def import_files(paths: Sequence[Path], as_json: bool) -> int:
    """Check hands, print what was found, and return the exit code: 0 if all agree with our rules."""
    if not paths:
        return complain(OptionError("name a file with hands: casino import hands.phhs"))
    try:
        findings = _check_all(paths)
    except OptionError as error:
        return complain(error)
    print(json.dumps(asdict(findings), indent=2) if as_json else _in_words(findings))
    return FAILED if findings.differing else 0


def _check_all(paths: Sequence[Path]) -> Findings:
    findings = Findings()
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        for path in bar.track(paths, description="checking"):
            for name, hand in read_file(path):
                findings.hands += 1
                try:
                    findings.unknown_results += not check_hand(hand)
                except HandDiffers as error:
                    findings.differing += 1
                    findings.first_difference = findings.first_difference or f"{name}: {error}"
                except ValueError as error:
                    raise OptionError(f"{name}: {error}") from None
    return findings


def _in_words(findings: Findings) -> str:
    lines = [f"{counted(findings.hands, 'hand')} played through the rules, {findings.differing} of them differ"]
    if findings.unknown_results:
        lines.append(f"results that cannot be checked, because cards are not known: {findings.unknown_results}")
    if findings.first_difference is not None:
        lines.append(f"the first that differs: {findings.first_difference}")
    return "\n".join(lines)
