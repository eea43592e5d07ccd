"""Where a new version is worse: tables for people, JSON, and files with both versions side by side."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from dealer.audit.hands import ReplayedHand
from dealer.cli.tables import coloured, new_table
from dealer.replayer.command import check_replaceable, write_file
from dealer.replayer.document import document_of_two
from dealer.replayer.frames import HandFrames
from dealer.replayer.packing import PackedText, packed_end, packed_hand, to_json
from dealer.replayer.recording import SECONDS, Names, index_entry, scene_facts, told_hand
from dealer.versions.compared import SHOWN, Change, Compared, DealFault
from dealer.versions.regress_flags import RegressFlags
from protocol.estimates.intervals import Estimate
from protocol.games.game import Game
from protocol.plurals import counted


@dataclass(frozen=True, slots=True)
class Pair:
    """A hand that was played in two ways.

    Attributes:
        left, right: the hand in each.
        label: what the list of hands says of it.
        place: the number of the first action that is another one, from 0.
    """

    left: ReplayedHand
    right: ReplayedHand
    label: str
    place: int


def side_by_side(
    title: str, game: Game, players: tuple[Sequence[str], Sequence[str]], ways: tuple[str, str], pairs: Sequence[Pair]
) -> str:
    """The text of the file.

    Args:
        title: of the window, and above the tables.
        game: what was played.
        players: what the players are called in each way, by number.
        ways: what each way is called.
        pairs: the hands, in the order of the list.
    """
    both = [[HandFrames(hand, game) for hand in (pair.left, pair.right)] for pair in pairs]
    facts = {
        "title": title,
        "pairs": [
            {
                "label": pair.label,
                "first": pair.place + 1,  # the frame after the first action that is another one
                "frames": [len(made.frames) + 1 for made in frames],  # and the end
            }
            for pair, frames in zip(pairs, both, strict=True)
        ],
    }
    left, right = (
        _hands(game, Names(ways[side], players[side]), [(pair.left, pair.right)[side] for pair in pairs],
               [frames[side] for frames in both])
        for side in (0, 1)
    )  # fmt: skip
    # In a script element nothing but the end of the element may look like one.
    data = to_json(facts).replace("<", "\\u003c")
    return document_of_two(title, data, ((ways[0], left), (ways[1], right)))


def _hands(game: Game, names: Names, hands: Sequence[ReplayedHand], made: Sequence[HandFrames]) -> str:
    """The data of one table, as ``Recording.finish`` makes it for a whole tournament; the host sees all cards."""
    text = PackedText()
    for hand, frames in zip(hands, made, strict=True):
        text.add(f"{told_hand(hand, packed_hand(frames), packed_end(frames, frames.end(None), {}))}\n")
    scene = {**scene_facts(game, names, None), "beside": True}
    index = [index_entry(hand) for hand in hands]
    text.add(to_json({"scene": scene, "index": index, "moments": [], "notes": {}, "leftOut": 0, "seconds": SECONDS}))
    return text.finish()


#: Faults of a version that are shown for one opponent.
FAULTS_SHOWN = 3


def show(compared: Sequence[Compared], flags: RegressFlags, files: Sequence[Path]) -> None:
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
        console.print()
        for line in _ways_to_look(flags, files):
            console.print(line)
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


def _ways_to_look(flags: RegressFlags, files: Sequence[Path]) -> Iterator[str]:
    if files:
        yield f"Both versions side by side: {', '.join(map(str, files))}"
    else:
        yield f"Both versions side by side: the same command with --seed {shlex.quote(flags.seed)} --out FOLDER"


def write_files(compared: Sequence[Compared], folder: Path) -> list[Path]:
    """Write a file for each opponent against whom the new version lost chips in a hand: those with the largest losses.

    Raises:
        OptionError: another file has this name.
        ReportError: a file cannot be written.
    """
    files = []
    for one in compared:
        if one.losses:
            file = folder / f"{one.contest.game.name}-{one.contest.opponent}.html"
            check_replaceable(file)
            write_file(file, _side_by_side(one))
            files.append(file)
    return files


def _side_by_side(one: Compared) -> str:
    contest = one.contest
    seats = max(len(change.before.players) for change in one.losses)
    others = [contest.opponent] if seats == 2 else [f"{contest.opponent} {number}" for number in range(1, seats)]
    players = (("old version", *others), ("new version", *others))
    ways = f"the old version: {contest.old.name}", f"the new version: {contest.new.name}"
    title = f"{contest.game.title}: two versions against {contest.opponent}"
    pairs = [Pair(change.before, change.after, _label(change), change.place) for change in one.losses]
    return side_by_side(title, contest.game, players, ways, pairs)


def _label(change: Change) -> str:
    before, after = change.actions
    place = f"deal {change.before.number}, seat {change.seat}"
    return f"{place}: {change.difference:+} (old {change.first:+}, new {change.second:+}); {before}, now {after}"


def as_json(compared: Sequence[Compared], flags: RegressFlags, files: Sequence[Path]) -> str:
    """All facts as JSON; chips, and intervals that hold together with 95 %."""
    facts = {
        "new": compared[0].contest.new.name,
        "old": compared[0].contest.old.name,
        "seed": flags.seed,
        "deals": flags.hands,
        "worse": any(one.worse for one in compared),
        "compared": [_facts(one) for one in compared],
        "files": [str(file) for file in files],
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
