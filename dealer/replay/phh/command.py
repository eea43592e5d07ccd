"""The command ``casino import``: play hand histories of other programs through our rules."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from dealer.cli.output import complain
from dealer.cli.tables import new_table
from dealer.errors import FAILED, CasinoError, OptionError
from dealer.replay.phh.check import CheckedHand, HandDiffers, check_hand
from dealer.replay.phh.journal import Imported, write_journal
from dealer.replay.phh.read import Unsupported, files_in, read_file, read_hand
from protocol.plurals import counted


@dataclass(slots=True)
class Findings:
    """The results of an import.

    Attributes:
        hands: how many were played.
        unknown_results: those of them whose files do not tell all cards that decide who won.
        differing: those of them that our rules play in another way.
        first_difference: which one was the first, and what differs; None if none does.
        raked: those of them of which the house took rake, as the file tells; by the rules the winners have it.
        skipped: how many hands were not played because the rules here do not know what they hold, by reason.
        journal: that was made of them; None if none was.
    """

    hands: int = 0
    unknown_results: int = 0
    differing: int = 0
    first_difference: str | None = None
    raked: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    journal: Imported | None = None


def import_files(paths: Sequence[Path], as_json: bool, journal: Path | None = None, *, strict: bool = False) -> int:
    """Check hands, make a journal of them if one is wanted, print what was found, and return the exit code.

    Args:
        paths: files, and folders that are searched for files.
        as_json: whether to print the findings as JSON.
        journal: the file to make.
        strict: whether to end at the first hand that the rules here do not know wholly, instead of counting it.

    Returns:
        0 if all hands agree with our rules; if one does not, no journal is made.
    """
    if not paths:
        return complain(OptionError("name a file with hands, or a folder: casino import hands.phhs"))
    hands: list[CheckedHand] = []
    try:
        findings = _check_all([file for path in paths for file in files_in(path)], hands, strict)
        if journal is not None and not findings.differing:
            findings.journal = write_journal(journal, hands)
    except CasinoError as error:
        return complain(error)
    if as_json:
        print(json.dumps(asdict(findings), indent=2))
    else:
        print(_in_words(findings))
        _print_skipped(findings.skipped)
    return FAILED if findings.differing else 0


def _check_all(paths: Sequence[Path], hands: list[CheckedHand], strict: bool) -> Findings:
    """Check all hands; those that agree with our rules are added to ``hands``.

    Raises:
        OptionError: a file is no PHH, or the rules here know no hand of all; if ``strict``, one of them.
    """
    findings = Findings()
    first_skipped: OptionError | None = None
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        for path in bar.track(paths, description="checking"):
            for name, fields in read_file(path):
                try:
                    checked = check_hand(read_hand(fields))
                    if strict:
                        _refuse_rake(checked)
                    hands.append(checked)
                    findings.raked += checked.rake > 0
                    findings.unknown_results += not checked.decided
                except HandDiffers as error:
                    findings.differing += 1
                    findings.first_difference = findings.first_difference or f"{name}: {error}"
                except Unsupported as error:
                    first_skipped = first_skipped or OptionError(f"{name}: {error}")
                    if strict:
                        raise first_skipped from None
                    findings.skipped[error.reason] = findings.skipped.get(error.reason, 0) + 1
                except ValueError as error:
                    raise OptionError(f"{name}: {error}") from None
    findings.hands = len(hands) + findings.differing
    if first_skipped is not None and not findings.hands:
        raise first_skipped
    return findings


def _refuse_rake(hand: CheckedHand) -> None:
    """Refuse a hand of which the house took rake.

    Raises:
        Unsupported: it did.
    """
    if hand.rake:
        raise Unsupported(
            "rake", f"the house took {hand.told.say(hand.rake)} as rake, which the rules here do not know"
        )


def _in_words(findings: Findings) -> str:
    differ = "differs" if findings.differing == 1 else "differ"
    lines = [f"{counted(findings.hands, 'hand')} played through the rules, {findings.differing} of them {differ}"]
    if findings.unknown_results:
        lines.append(f"results that cannot be checked, because cards are not known: {findings.unknown_results}")
    if findings.raked:
        lines.append(f"rake was taken, which the rules leave to the winners: {counted(findings.raked, 'hand')}")
    if findings.first_difference is not None:
        lines.append(f"the first that differs: {findings.first_difference}")
    if findings.journal is not None:
        written, left_out = findings.journal.hands, findings.journal.left_out
        lines.append(f"{findings.journal.path} holds {counted(written, 'hand')}")
        if left_out:
            lines.append(f"left out, because nobody can know who won what: {counted(left_out, 'hand')}")
    return "\n".join(lines)


def _print_skipped(skipped: Mapping[str, int]) -> None:
    """Print why hands were not played, the most frequent reason first."""
    if not skipped:
        return
    table = new_table()
    table.add_column("skipped because")
    table.add_column("hands", justify="right")
    for reason, hands in sorted(skipped.items(), key=lambda entry: (-entry[1], entry[0])):
        table.add_row(Text(reason), f"{hands:,}")
    Console().print(table)
