"""What must be true of a journal whose dealer was killed, found out from the file alone."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import TornError
from dealer.journal.batches import read_batches
from dealer.journal.records import ResumeRecord
from protocol.events import type_of

_LEFT = "Done("


@dataclass
class Evidence:
    """A journal as it was found.

    Attributes:
        whole: its bytes up to the last whole batch.
        torn: those behind, without zeros at their end: room that the dealer had made for more.
        rebuild: of its whole records.
        hands: every finished hand, in order.
        counts: of its records, by type.
        cut: bytes that each dealer who played on says it cut off.
    """

    whole: bytes
    torn: bytes
    rebuild: LedgerRebuild
    hands: list[ReplayedHand] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    cut: list[int] = field(default_factory=list)


def examine(path: Path) -> Evidence:
    """Read a journal through the rules, which finds whatever is wrong in it but a torn end."""
    data = path.read_bytes() if path.exists() else b""
    evidence = Evidence(data, b"", LedgerRebuild(path))
    if not data:
        return evidence
    end = 0
    with suppress(TornError):
        for batch in read_batches(path):
            for record in batch.records:
                hand = evidence.rebuild.take(record)
                evidence.hands += [hand] if hand else []
                evidence.counts[type_of(record)] += 1
                evidence.cut += [record.cut] if isinstance(record, ResumeRecord) else []
            end = batch.end
    evidence.whole, evidence.torn = data[:end], data[end:].rstrip(b"\0")
    return evidence


def written(path: Path) -> int:
    """Bytes of a journal without the room for more; 0 where there is none."""
    return len(path.read_bytes().rstrip(b"\0")) if path.exists() else 0


def check_chips_and_numbers(evidence: Evidence) -> None:
    """No chip is lost or made, and no hand is played twice."""
    ledger = evidence.rebuild.ledger
    stack = ledger.settings.game.facts["stack"]
    seated = sum(len(table.players) + len(table.arriving) for table in ledger.seating.round_tables)
    assert sum(sum(table.stacks().values()) for table in ledger.seating.round_tables) == stack * seated
    for table in ledger.seating.tables:
        numbers = [hand.number for hand in evidence.hands if hand.table == table.number]
        assert numbers == sorted(set(numbers))


def check_heard(notes: Iterable[Path], evidence: Evidence, hands_before: int) -> int:
    """Players heard of no hand, and of no reason to go, that is not in the journal; how many hands they heard of.

    Args:
        notes: what recorders wrote since the dealer was started.
        evidence: from the journal, after the dealer's end.
        hands_before: hands that were in it before.
    """
    count = 0
    for path in notes:
        id = path.name.split(".")[0]
        lines = path.read_text().splitlines()
        heard = [line for line in lines if line.startswith("Status(")]
        told = [_status(hand, id) for hand in evidence.hands[hands_before:] if _seat(hand, id) is not None]
        assert heard == told[: len(heard)]
        if lines and lines[-1].startswith(_LEFT) and not evidence.rebuild.ended:
            (player,) = (player for player in evidence.rebuild.ledger.players if player.id == id)
            assert lines[-1] == f"{_LEFT}reason={player.left!r})"
        count += len(heard)
    return count


def _seat(hand: ReplayedHand, id: str) -> int | None:
    return next((seat for seat, player in enumerate(hand.players) if player.id == id), None)


def _status(hand: ReplayedHand, id: str) -> str:
    seat = _seat(hand, id)
    assert seat is not None
    return repr(hand.settlement.statuses()[seat])
