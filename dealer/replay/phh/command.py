"""The command ``casino import``: play hand histories of other programs through our rules."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from dealer.cli.output import complain
from dealer.errors import FAILED, CasinoError, OptionError
from dealer.replay.phh.check import CheckedHand, HandDiffers, check_hand
from dealer.replay.phh.journal import Imported, write_journal
from dealer.replay.phh.read import read_file
from protocol.plurals import counted


@dataclass(slots=True)
class Findings:
    """What came of the hands.

    Attributes:
        hands: how many were played.
        unknown_results: those of them whose files do not tell all cards that decide who won.
        differing: those of them that our rules play in another way.
        first_difference: which one was the first, and what differs; None if none does.
        journal: that was made of them; None if none was.
    """

    hands: int = 0
    unknown_results: int = 0
    differing: int = 0
    first_difference: str | None = None
    journal: Imported | None = None


def import_files(paths: Sequence[Path], as_json: bool, journal: Path | None = None) -> int:
    """Check hands, make a journal of them if one is wanted, print what was found, and return the exit code.

    Returns:
        0 if all hands agree with our rules; if one does not, no journal is made.
    """
    if not paths:
        return complain(OptionError("name a file with hands: casino import hands.phhs"))
    hands: list[CheckedHand] = []
    try:
        findings = _check_all(paths, hands)
        if journal is not None and not findings.differing:
            findings.journal = write_journal(journal, hands)
    except CasinoError as error:
        return complain(error)
    print(json.dumps(asdict(findings), indent=2) if as_json else _in_words(findings))
    return FAILED if findings.differing else 0


def _check_all(paths: Sequence[Path], hands: list[CheckedHand]) -> Findings:
    """Check all hands; those that agree with our rules are added to ``hands``."""
    findings = Findings()
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        for path in bar.track(paths, description="checking"):
            for name, hand in read_file(path):
                findings.hands += 1
                try:
                    checked = check_hand(hand)
                    findings.unknown_results += not checked.decided
                    hands.append(checked)
                except HandDiffers as error:
                    findings.differing += 1
                    findings.first_difference = findings.first_difference or f"{name}: {error}"
                except ValueError as error:
                    raise OptionError(f"{name}: {error}") from None
    return findings


def _in_words(findings: Findings) -> str:
    differ = "differs" if findings.differing == 1 else "differ"
    lines = [f"{counted(findings.hands, 'hand')} played through the rules, {findings.differing} of them {differ}"]
    if findings.unknown_results:
        lines.append(f"results that cannot be checked, because cards are not known: {findings.unknown_results}")
    if findings.first_difference is not None:
        lines.append(f"the first that differs: {findings.first_difference}")
    if findings.journal is not None:
        written, left_out = findings.journal.hands, findings.journal.left_out
        lines.append(f"{findings.journal.path} holds {counted(written, 'hand')}")
        if left_out:
            lines.append(f"left out, because nobody can know who won what: {counted(left_out, 'hand')}")
    return "\n".join(lines)
