"""The standings of a bulk tournament: chips a deal with intervals, the cross table, and what authors must be told.

A tournament is counted in blocks of rounds, and the intervals come from how much the blocks differ. So they allow for
an AI that changes its play now and then. For one that keeps learning they say how much its average varies.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from statistics import variance

from bots.bulk.chance import tournament_key
from bots.bulk.failures import place_of
from bots.bulk.plan import Kind, Plan, most_memory
from bots.bulk.played import Played, PlayerMeasures
from protocol.estimates.intervals import Estimate, mean_of
from protocol.plurals import distinct

#: What authors are told to keep below: bytes, seconds of Init, and seconds of an average call.
MEMORY = 64 << 20
INIT_SECONDS = 600.0
CALL_SECONDS = 1e-6

#: More calls of srand than a processor can make.
_SRANDS_A_SECOND = 10**10

#: Characters of a short name.
SHORT_NAME = 7


@dataclass(frozen=True, slots=True)
class Row:
    """A player.

    Attributes:
        place: from 1; players with equal results share it.
        player: its id.
        name: by which the tables name it.
        source: the file of the player, the name of a house bot, or the command of a program.
        deals: that count for it.
        chips: won in all of them.
        chips_per_deal: on average; None if no deal counts.
        call_seconds: processor time of an average call, or the average time of a program's replies; None if it was not
            measured.
        init_seconds: processor time of Init; None likewise.
        memory: bytes; None likewise.
        failed: whether it failed in one of the tournaments.
        violations: of the rules for authors, in words.
    """

    place: int
    player: int
    name: str
    source: str
    deals: int
    chips: int
    chips_per_deal: Estimate | None
    call_seconds: float | None
    init_seconds: float | None
    memory: int | None
    failed: bool
    violations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standings:
    """The result.

    Attributes:
        rows: the best first; behind them those who failed.
        names: of the players, by id.
        cross: chips a deal of each player, by id, against each other; None if no deal counts.
        play_seconds: processor time of all deals that count, without those that were played again.
    """

    plan: Plan
    rows: tuple[Row, ...]
    names: tuple[str, ...]
    cross: tuple[tuple[Estimate | None, ...], ...]
    play_seconds: float


def make_standings(plan: Plan, played: Sequence[Played]) -> Standings:
    """The standings after all tournaments of the series."""
    ids = range(len(plan.entrants))
    names = _names(plan, played[0])
    samples = [sample for one in played for sample in _blocks(plan, one)]
    rows = [_row(plan, played, player, names, samples) for player in ids]
    cross = tuple(tuple(_estimate([block[player][other] for block in samples]) for other in ids) for player in ids)
    return Standings(plan, _placed(rows), tuple(names), cross, sum(one.play_seconds for one in played))


#: Of each player against each other in one block: chips, and deals that count.
_Block = list[list[tuple[int, int]]]


def _blocks(plan: Plan, played: Played) -> list[_Block]:
    """The blocks of a tournament."""
    count, blocks = len(plan.entrants), plan.blocks
    ids = range(count)
    never = plan.rounds * plan.deals_in_round
    out = dict.fromkeys(ids, never) | {failure.player: failure.deal for failure in played.failures}
    numbers = {pair: number for number, pair in enumerate(combinations(ids, 2))}
    found = []
    for block in range(blocks):
        start, end = (plan.rounds * edge // blocks for edge in (block, block + 1))
        at = block * count * count
        whole: _Block = [[(0, 0)] * count for _ in ids]
        for (one, other), number in numbers.items():
            last = min(out[one], out[other])  # the deals of this pair count if their numbers are below it
            rounds = min(max(-(-(last - number) // plan.deals_in_round), start), end) - start
            won = played.chips[at + one * count + other] - played.chips[at + other * count + one]
            whole[one][other], whole[other][one] = (won, rounds), (-won, rounds)
        found.append(whole)
    return found


def _estimate(values: Sequence[tuple[int, int]]) -> Estimate | None:
    """Chips a deal, from the chips and deals of each block; None without deals."""
    known = [(chips, deals) for chips, deals in values if deals]
    if not known:
        return None
    means = [chips / deals for chips, deals in known]
    spread = variance(means) if len(means) > 1 else 0.0
    return mean_of(len(means), sum(chips for chips, _ in known) / sum(deals for _, deals in known), spread)


def _row(plan: Plan, played: Sequence[Played], player: int, names: list[str], samples: Sequence[_Block]) -> Row:
    values = [(sum(won for won, _ in block[player]), sum(deals for _, deals in block[player])) for block in samples]
    measures = [one.measures[player] for one in played]
    timed = sum(measure.timed_calls for measure in measures)
    inits = [measure.init_seconds for measure in measures if measure.init_seconds is not None]
    memories = [measure.memory for measure in measures if measure.memory is not None]
    exceeded = _exceeded(measures, plan.entrants[player].kind)
    if overwritten := any(_impossible(plan, one, player) for one in played):
        exceeded = ["its memory was overwritten: probably an index outside an array, whose line --sanitize names"]
    return Row(
        place=0,
        player=player,
        name=names[player],
        source=plan.entrants[player].name,
        deals=sum(deals for _, deals in values),
        chips=sum(chips for chips, _ in values),
        chips_per_deal=_estimate(values),
        call_seconds=max(sum(measure.timed_seconds for measure in measures), 0.0) / timed if timed else None,
        init_seconds=max(inits, default=None),
        memory=None if overwritten else max(memories, default=None),
        failed=any(failure.player == player for one in played for failure in one.failures),
        violations=(*exceeded, *_failures(plan, played, player, names)),
    )


def _exceeded(measures: Sequence[PlayerMeasures], kind: Kind) -> list[str]:
    """What authors are asked to keep to and this player did not, with the figure measured."""
    said = []
    timed = sum(measure.timed_calls for measure in measures)
    call = sum(measure.timed_seconds for measure in measures) / timed if timed else 0.0
    slow = sum(measure.slow_calls for measure in measures)
    init = max(measure.init_seconds or 0.0 for measure in measures)
    memory = max(measure.memory or 0 for measure in measures)
    srand = sum(measure.srand_calls for measure in measures)
    short = measures[0].short_name
    # A few calls that seem to take long were interrupted by the machine: most must be slow, beside the average.
    if kind in ("house", "native") and 2 * slow > timed and call > CALL_SECONDS:
        said.append(f"a call of AI took {call * 1e6:.2f} microseconds on average; it should take less than 1")
    if init > INIT_SECONDS:
        said.append(f"Init took {init / 60:.1f} minutes; it should take less than {INIT_SECONDS / 60:.0f}")
    if memory > MEMORY:
        said.append(f"it uses {memory / 2**20:.1f} MB of memory; it should use no more than {MEMORY >> 20}")
    if srand:
        said.append(f"it called srand {srand:,} times, which does nothing: the tournament seeds rand")
    if len(short) > SHORT_NAME:
        said.append(f"its ShortName {short!r} has {len(short)} characters; it should have at most {SHORT_NAME}")
    return said


def _impossible(plan: Plan, played: Played, player: int) -> bool:
    """Whether a figure cannot have been measured, but was written by code that wrote to a wrong place."""
    one = played.measures[player]
    memory = one.memory or 0
    seconds = 1 + (one.init_seconds or 0.0) + played.play_seconds
    negative = min(memory, one.timed_calls, one.slow_calls, one.srand_calls) < 0
    return negative or memory > most_memory(len(plan.entrants)) or one.srand_calls > _SRANDS_A_SECOND * seconds


def _failures(plan: Plan, played: Sequence[Played], player: int, names: list[str]) -> list[str]:
    said = []
    for one in played:
        for failure in one.failures:
            if failure.player == player:
                place = place_of(failure, tournament_key(plan.seed, one.number), names)
                if failure.deal < 0 and plan.entrants[player].kind != "program":
                    place += ", in Init or while its file was loaded"
                where = f"in tournament {one.number + 1} {place}" if plan.series > 1 else place
                said.append(f"it failed {where}, and its deals from there on are void: {failure.reason}")
    return said


def _names(plan: Plan, played: Played) -> list[str]:
    """The names of compiled AIs and programs are their own; Python players are named after their files.

    A program that did not log in has told no name, and is named after its command.
    """
    own = [
        (entrant.kind in ("native", "program") and measure.name.strip()) or entrant.title
        for entrant, measure in zip(plan.entrants, played.measures, strict=True)
    ]
    return distinct(own)


def _placed(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows in order, with their places: behind the others those who failed, and last those without any deal."""
    keys = {row.player: (row.chips_per_deal is None, row.failed, -_value(row)) for row in rows}
    in_order = sorted(keys.values())
    ordered = sorted(rows, key=lambda row: keys[row.player])
    return tuple(replace(row, place=in_order.index(keys[row.player]) + 1) for row in ordered)


def _value(row: Row) -> float:
    return -inf if row.chips_per_deal is None else row.chips_per_deal.value
