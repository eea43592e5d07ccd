"""Where a new version is worse: tables for people, and JSON."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from dealer.cli.tables import coloured, new_table
from dealer.versions.compared import SHOWN, Change, Compared, DealFault
from dealer.versions.regress_flags import RegressFlags
from protocol.estimates.intervals import Estimate
from protocol.plurals import counted

#: Faults of a version that are shown for one opponent.
FAULTS_SHOWN = 3


def show(compared: Sequence[Compared], flags: RegressFlags) -> None:
    """Print the results."""
    # Nothing in names is taken for markup.
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    worse = [one for one in compared if one.worse]
    console.print(
        f"{counted(flags.hands, 'deal')} of each game against each opponent, each in every seat; "
        f"seed {shlex.quote(flags.seed)}\n"
    )
    console.print(_table(compared))
    if len(compared) > 1:
        console.print(f"All {len(compared)} intervals hold together with 95 %.")
    for line in _fault_lines(compared):
        console.print(line)
    losses = sorted(_losses(worse), key=lambda loss: loss[1].difference)[:SHOWN]
    if losses:
        console.print(_loss_table(losses))
    if worse:
        where = "; ".join(f"{one.contest.game.name} against {one.contest.opponent}" for one in worse)
        console.print(coloured("failed", f"\nThe new version is worse in {where}."))
    else:
        console.print(coloured("passed", "\nThe new version is nowhere worse beyond chance."))


def _table(compared: Sequence[Compared]) -> Table:
    table = new_table(narrow=True)
    for heading in ("Game", "Against"):
        table.add_column(heading)
    for heading in ("Old", "New", "Difference", "from", "to", "Changed"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for one in compared:
        old, new = next(_cells(one.chips.first)), next(_cells(one.chips.second))
        changed = f"{one.changed / one.chips.hands:.0%}"
        names = one.contest.game.name, one.contest.opponent
        table.add_row(*names, old, new, *_cells(one.chips.difference(one.tests)), changed, _verdict(one))
    return table


def _cells(estimate: Estimate | None) -> Iterator[str]:
    """A mean and its interval as cells of a table."""
    if estimate is None:
        yield from ("-", "-", "-")
        return
    yield f"{estimate.value:+.2f}"
    for end in estimate.interval or (None, None):
        yield "-" if end is None else f"{end:+.2f}"


def _verdict(one: Compared) -> str:
    if one.wins_less:
        return "wins less"
    if one.breaks:
        return "makes faults"
    difference = one.chips.difference(one.tests)
    if not one.changed:
        return "the same play"
    return "wins more" if difference is not None and difference.low > 0 else ""


def _fault_lines(compared: Sequence[Compared]) -> Iterator[str]:
    for one in compared:
        for which, faults in (("new", one.new_faults), ("old", one.old_faults)):
            if faults:
                place = f"{one.contest.game.name} against {one.contest.opponent}"
                yield f"\n{counted(len(faults), 'fault')} of the {which} version in {place}:"
                yield from (_fault_words(fault) for fault in faults[:FAULTS_SHOWN])


def _fault_words(one: DealFault) -> str:
    return f"  deal {one.deal}, seat {one.seat}: {one.fault.kind.value}: {one.fault.reason}"


def _losses(compared: Sequence[Compared]) -> Iterator[tuple[Compared, Change]]:
    for one in compared:
        yield from ((one, change) for change in one.losses)


def _loss_table(losses: Sequence[tuple[Compared, Change]]) -> Table:
    table = new_table("\nThe hands in which the new version lost most")
    for heading in ("Game", "Against"):
        table.add_column(heading)
    for heading in ("Deal", "Seat", "Old", "New", "Street"):
        table.add_column(heading, justify="right")
    for heading in ("First difference", ""):
        table.add_column(heading)
    for one, change in losses:
        before, after = change.actions
        numbers = (str(change.before.number), str(change.seat), f"{change.first:+}", f"{change.second:+}")
        table.add_row(one.contest.game.name, one.contest.opponent, *numbers, str(change.street), before, f"now {after}")
    return table


def as_json(compared: Sequence[Compared], flags: RegressFlags) -> str:
    """All facts as JSON; chips, and intervals that hold together with 95 %."""
    facts = {
        "new": compared[0].contest.new.name,
        "old": compared[0].contest.old.name,
        "seed": flags.seed,
        "deals": flags.hands,
        "worse": any(one.worse for one in compared),
        "compared": [_facts(one) for one in compared],
    }
    return json.dumps(facts, indent=2)


def _facts(one: Compared) -> Mapping[str, Any]:
    return {
        "game": one.contest.game.name,
        "against": one.contest.opponent,
        "players": one.contest.players,
        "old": _estimate_facts(one.chips.first),
        "new": _estimate_facts(one.chips.second),
        "difference": _estimate_facts(one.chips.difference(one.tests)),
        "p_worse": one.chips.p_worse(),
        "hands": one.chips.hands,
        "changed": one.changed,
        "wins_less": one.wins_less,
        "worse": one.worse,
        "new_faults": [_fault_facts(fault) for fault in one.new_faults],
        "old_faults": [_fault_facts(fault) for fault in one.old_faults],
        "losses": [_loss_facts(change) for change in one.losses],
    }


def _estimate_facts(estimate: Estimate | None) -> dict[str, float | None] | None:
    """An estimate for JSON; None if there is none."""
    return estimate and estimate.as_dict()


def _fault_facts(one: DealFault) -> Mapping[str, Any]:
    return {"deal": one.deal, "seat": one.seat, "kind": one.fault.kind.value, "reason": one.fault.reason}


def _loss_facts(change: Change) -> Mapping[str, Any]:
    before, after = change.actions
    return {
        "deal": change.before.number,
        "seat": change.seat,
        "old": change.first,
        "new": change.second,
        "street": change.street,
        "did": before,
        "now": after,
        "difference": change.difference,
    }
