"""What a journal played again has shown: tables for people, JSON, and a file with both versions side by side."""

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from dealer.cli.tables import new_table
from dealer.faults import MEANINGS
from dealer.replayer.command import write_file
from dealer.replayer.side_by_side import Pair, side_by_side
from dealer.versions.changes import Change
from dealer.versions.outcome import HandFault, NotDealt, Outcome
from protocol.estimates.intervals import Estimate, share
from protocol.plurals import counted

#: Faults, and hands that cannot be dealt, that are shown one by one; the others are counted.
FAULTS_SHOWN = 10


def new_console(*, stderr: bool = False) -> Console:
    """A console that takes nothing in names for markup."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def show(outcome: Outcome, out: Path | None) -> None:
    """Print the results."""
    console, chips, player = new_console(), outcome.chips, outcome.plan.player
    version = outcome.plan.version.name
    console.print(f"{outcome.path}, {outcome.game.title}: {counted(chips.hands, 'hand')} of {player.avatar} again, "
                  f"with {version} instead of {player.program}\n")  # fmt: skip
    difference = chips.difference()
    console.print(
        estimates_table([("as recorded", chips.first), ("new version", chips.second), ("difference", difference)])
    )
    console.print(f"\n{_conclusion(outcome.changed, difference)}")
    for line in _facts_lines(outcome):
        console.print(line)
    if outcome.changes.kept:
        console.print(_changes(outcome))
        first = outcome.changes.kept[0].before
        hand = shlex.join(
            ["casino", "replay", str(outcome.path), "--table", str(first.table), "--hand", str(first.number)]
        )
        console.print(f"\nThe first of them as recorded: {hand}")
        console.print(f"Both versions side by side: {out or 'the same command with --out FILE.html'}")


def estimates_table(rows: Sequence[tuple[str, Estimate | None]], confidence: str = "95 % from") -> Table:
    """Chips a hand with their intervals."""
    table = new_table()
    table.add_column("")
    for heading in ("Chips a hand", confidence, "to"):
        table.add_column(heading, justify="right")
    for name, estimate in rows:
        table.add_row(name, *cells(estimate))
    return table


def cells(estimate: Estimate | None) -> Iterator[str]:
    """A mean and its interval as cells of a table."""
    if estimate is None:
        yield from ("-", "-", "-")
        return
    yield f"{estimate.value:+.2f}"
    for end in estimate.interval or (None, None):
        yield "-" if end is None else f"{end:+.2f}"


def _conclusion(changed: int, difference: Estimate | None) -> str:
    if not changed:
        return "Every action is the same in all hands."
    if difference is None or difference.low <= 0 <= difference.high:
        return "The difference may be chance."
    return f"The new version won {'more' if difference.value > 0 else 'less'}, and not by chance."


def _facts_lines(outcome: Outcome) -> Iterator[str]:
    hands = outcome.chips.hands
    changed = share(outcome.changed, hands)
    if hands:
        were = "was" if outcome.changed == 1 else "were"
        yield f"{outcome.changed} of {counted(hands, 'hand')} {were} played differently ({changed.value:.0%})."
    yield (
        f"Decisions: {outcome.by_version:,} by the new version, {outcome.from_record:,} by others as recorded, "
        f"{outcome.by_stand_ins:,} by stand-ins ({_stand_ins(outcome)})."
    )
    if outcome.left_out:
        yield f"{counted(outcome.left_out, 'hand')} left out: the new version {outcome.gave_up}."
    if outcome.not_dealt:
        yield from _not_dealt_lines(outcome.not_dealt)
    own, others = outcome.own_faults, [fault for fault in outcome.faults if fault not in outcome.own_faults]
    for what, faults in (("the new version", own), ("stand-ins", others)):
        if faults:
            yield from _fault_lines(what, faults)


def _not_dealt_lines(hands: Sequence[NotDealt]) -> Iterator[str]:
    yield f"\n{counted(len(hands), 'imported hand')} left out, which cannot be dealt again:"
    yield from (f"  hand {one.hand}: {one.why}" for one in hands[:FAULTS_SHOWN])
    if len(hands) > FAULTS_SHOWN:
        yield f"  and {len(hands) - FAULTS_SHOWN} more"


def _stand_ins(outcome: Outcome) -> str:
    return ", ".join(f"{player.avatar}: {version.name}" for player, version in outcome.plan.stand_ins.items())


def _fault_lines(what: str, faults: Sequence[HandFault]) -> Iterator[str]:
    kinds = Counter(one.fault.kind for one in faults)
    yield f"\n{counted(len(faults), 'fault')} of {what}:"
    for one in faults[:FAULTS_SHOWN]:
        yield f"  {one.player.avatar}, hand {one.hand} at table {one.table}: {one.fault.kind.value}: {one.fault.reason}"
    if len(faults) > FAULTS_SHOWN:
        yield f"  and {len(faults) - FAULTS_SHOWN} more"
    yield from (f"  {kind.value}: {MEANINGS[kind]}" for kind in kinds)


def _changes(outcome: Outcome) -> Table:
    table = new_table("\nThe hands that changed most")
    for heading in ("Table", "Hand", "Recorded", "New", "Difference", "Street"):
        table.add_column(heading, justify="right")
    for heading in ("First difference", ""):
        table.add_column(heading)
    for change in outcome.changes.kept:
        before, after = change.actions
        numbers = (str(change.before.table), str(change.before.number), f"{change.first:+}", f"{change.second:+}")
        table.add_row(*numbers, f"{change.difference:+}", str(change.street), before, f"now {after}")
    return table


def write_pairs(outcome: Outcome, file: Path) -> None:
    """Write the hands that changed most to a file with both versions side by side.

    Raises:
        ReportError: it cannot be written.
    """
    avatars = [player.avatar for player in outcome.players]
    ways = "as recorded", f"with {outcome.plan.version.name}"
    title = f"{outcome.game.title}: what if {outcome.plan.player.avatar} had been another version"
    pairs = [pair_of(change, _label(change)) for change in outcome.changes.kept]
    write_file(file, side_by_side(title, outcome.game, (avatars, avatars), ways, pairs))


def pair_of(change: Change, label: str) -> Pair:
    """A change for a file."""
    return Pair(change.before, change.after, label, change.place)


def _label(change: Change) -> str:
    before, after = change.actions
    hand = f"hand {change.before.number}, table {change.before.table}"
    return f"{hand}: {change.difference:+} ({change.first:+}, then {change.second:+}); {before}, now {after}"


def as_json(outcome: Outcome) -> str:
    """All facts as JSON; chips, and intervals of 95 %."""
    plan, chips = outcome.plan, outcome.chips
    facts: dict[str, Any] = {
        "journal": str(outcome.path),
        "game": outcome.game.name,
        "player": {"id": plan.player.id, "avatar": plan.player.avatar, "program": plan.player.program},
        "version": plan.version.name,
        "stand_ins": [{"id": player.id, "name": version.name} for player, version in plan.stand_ins.items()],
        "hands": chips.hands,
        "deals": chips.deals,
        "left_out": outcome.left_out,
        "gave_up": outcome.gave_up or None,
        "not_dealt": [asdict(one) for one in outcome.not_dealt],
        "recorded": estimate_facts(chips.first),
        "new": estimate_facts(chips.second),
        "difference": estimate_facts(chips.difference()),
        "changed": outcome.changed,
        "decisions": {
            "version": outcome.by_version,
            "recorded": outcome.from_record,
            "stand_ins": outcome.by_stand_ins,
        },
        "faults": [_fault_facts(fault) for fault in outcome.faults],
        "largest": [_change_facts(change) for change in outcome.changes.kept],
    }
    return json.dumps(facts, indent=2)


def estimate_facts(estimate: Estimate | None) -> dict[str, float | None] | None:
    """An estimate for JSON; None if there is none."""
    return estimate and estimate.as_dict()


def change_facts(change: Change) -> Mapping[str, Any]:
    """What is the same of a change wherever its hands come from."""
    before, after = change.actions
    return {"street": change.street, "did": before, "now": after, "difference": change.difference}


def _change_facts(change: Change) -> Mapping[str, Any]:
    hand = {"table": change.before.table, "hand": change.before.number, "seat": change.seat}
    return {**hand, "recorded": change.first, "new": change.second, **change_facts(change)}


def _fault_facts(one: HandFault) -> Mapping[str, Any]:
    kind, reason = one.fault.kind.value, one.fault.reason
    return {"id": one.player.id, "table": one.table, "hand": one.hand, "kind": kind, "reason": reason}
