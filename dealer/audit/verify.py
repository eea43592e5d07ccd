"""``casino verify``: check a journal against the rules, and against the commitment that the dealer showed."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.output import complain
from dealer.cli.tables import coloured, reading_progress
from dealer.errors import JournalError
from dealer.journal.batches import read_batches
from dealer.journal.records import FinishedHandRecord, Record
from protocol.cards import UNKNOWN
from protocol.events import type_of
from protocol.plurals import counted
from protocol.shuffle import commitment as commitment_of


def verify_journal(path: Path, commitment: str | None, head: str | None, as_json: bool) -> int:
    """Check a journal, print the result, and return the exit code (0 if the journal is right).

    Args:
        path: of the journal.
        commitment: that was shown before the first hand; None to compare with nothing.
        head: of the journal, that was shown at the end; None to compare with nothing.
        as_json: whether to print JSON.
    """
    try:
        rebuild, counts, head_at = _rebuild_with_progress(path, head)
        _check_commitment(rebuild, commitment)
        _check_head(rebuild, head, head_at)
    except JournalError as error:
        if as_json:
            print(json.dumps({"ok": False, "error": str(error)}, indent=2))
        return complain(error)
    facts = _facts(rebuild, counts)
    if as_json:
        print(json.dumps(facts, indent=2))
    else:
        console = Console(highlight=False, markup=False, emoji=False)
        console.print(coloured("passed", "OK: ").append(_in_words(facts), "default"), soft_wrap=True)
    return 0


def _rebuild_with_progress(path: Path, head: str | None) -> tuple[LedgerRebuild, Counter[str], int | None]:
    """The ledger, how much of each kind there is, and after how many records the journal had this head."""
    rebuild, counts, head_at = LedgerRebuild(path), Counter[str](), None
    with reading_progress("verifying", path) as tell_place:
        for batch in read_batches(path):
            for record in batch.records:
                _count(record, rebuild.take(record), counts)
            rebuild.head = batch.head
            if batch.head.hex() == head:
                head_at = rebuild.records
            tell_place(batch.end)
    return rebuild, counts, head_at


def _count(record: Record, hand: ReplayedHand | None, counts: Counter[str]) -> None:
    counts[type_of(record)] += 1
    if hand is not None:
        counts["decisions"] += sum(not step.by_dealer for step in hand.steps)
        counts["faults"] += sum(step.fault is not None for step in hand.steps)
        if isinstance(record, FinishedHandRecord) and record.recorded is not None:
            holes = [card for seat in range(len(hand.players)) for card in hand.last.hole(seat)]
            counts["unknown cards"] += [*holes, *hand.last.public().board].count(UNKNOWN)
            counts["unproven results"] += record.recorded["told"] is not None


def _check_commitment(rebuild: LedgerRebuild, shown: str | None) -> None:
    if shown is not None and rebuild.imported:
        raise JournalError(f"{rebuild.path}: its hands were imported, so it has no commitment")
    expected = commitment_of(rebuild.ledger.settings.seed)
    if shown is not None and shown != expected:
        raise JournalError(f"{rebuild.path}: its commitment is {expected}, not {shown}")


def _check_head(rebuild: LedgerRebuild, shown: str | None, shown_at: int | None) -> None:
    if shown is None or shown_at == rebuild.records:
        return
    if shown_at is not None:
        more = rebuild.records - shown_at
        raise JournalError(
            f"{rebuild.path}: {shown} was its head after {shown_at} records, which are as they were; {more} came later"
        )
    raise JournalError(
        f"{rebuild.path}: its head is {rebuild.head.hex()}, not {shown}: a record was altered, added or cut off"
    )


def _facts(rebuild: LedgerRebuild, counts: Counter[str]) -> dict[str, Any]:
    ledger = rebuild.ledger
    return {
        "ok": True,
        "finished": rebuild.ended,
        "game": ledger.settings.game.name,
        "players": len(ledger.players),
        "tables": len(ledger.seating.tables),
        "rounds": ledger.seating.round,
        "levels": counts["level"],
        "moves": counts["move"],
        "desk": counts["desk"],
        "records": rebuild.records,
        "hands": counts["hand"],
        "decisions": counts["decisions"],
        "faults": counts["faults"],
        "voided": counts["void"],
        "resumed": counts["resume"],
        "chips": sum(
            table.match.total + sum(stack for _, stack in table.arriving) for table in ledger.seating.round_tables
        ),
        "commitment": None if rebuild.imported else commitment_of(ledger.settings.seed),
        "seed": ledger.settings.seed.hex() if rebuild.ended and not rebuild.imported else None,
        "imported": rebuild.imported,
        "unknown_cards": counts["unknown cards"] if rebuild.imported else None,
        "unproven_results": counts["unproven results"] if rebuild.imported else None,
        "head": rebuild.head.hex(),
    }


def _in_words(facts: dict[str, Any]) -> str:
    where = f" at {facts['tables']} tables" if facts["tables"] > 1 else ""
    lines = [
        f"{counted(facts['records'], 'record')}, {counted(facts['hands'], 'hand')} of {facts['game']}, "
        f"{counted(facts['decisions'], 'decision')}, {counted(facts['faults'], 'fault')}, "
        f"{counted(facts['voided'], 'hand')} voided",
        f"{facts['players']} players{where}, {facts['chips']} chips, all of them where they should be",
    ]
    words = {"moves": "moves between tables", "levels": "rises of the stakes", "desk": "orders of the host"}
    course = [f"{facts['rounds']} rounds"] if facts["rounds"] > 1 else []
    course += [f"{what}: {facts[key]}" for key, what in words.items() if facts[key]]
    lines += [", ".join(course)] if course else []
    if facts["imported"]:
        lines += [
            "imported hands: actions, pots and results follow the rules; nothing proves by which chance the cards came",
            f"not known: {counted(facts['unknown_cards'], 'card')}; results that are only told, because cards that "
            f"decide them are not known: {facts['unproven_results']}",
        ]
    else:
        lines.append(f"commitment {facts['commitment']}")
    if not facts["finished"]:
        lines.append("not finished; its seed stays secret, and `casino resume` plays it on")
    elif not facts["imported"]:
        lines.append(f"seed       {facts['seed']}")
    lines.append(f"head       {facts['head']}")
    return "\n".join(lines)
