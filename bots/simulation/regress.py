"""``casino regress``: two versions of a program in the same deals, and whether the new one is worse."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bots.fitting_table import form_of, print_found
from bots.report_file import Part, check_report, write_page, write_report
from bots.simulation.conclusion import difference_of, p_value_of
from bots.simulation.engine import Outcome, play_all
from bots.simulation.html_report import part_of
from bots.simulation.plan import Plan, check_plan, is_command
from bots.simulation.simulation_flags import RegressFlags
from bots.simulation.tally import SHOWN, Versions
from bots.workers.computing import LOCAL, open_workers
from dealer.cli.house_bots import default_bots, usual_company
from dealer.cli.tables import coloured, new_table, signed
from dealer.errors import OptionError
from protocol.estimates.intervals import Estimate
from protocol.games.registry import game_names, load_game
from protocol.plurals import counted, span
from protocol.suggestions import instead

#: House bots that are played against in each game where none are named.
USUAL_OPPONENTS = 3

#: Faults of a version that are shown for one opponent.
FAULTS_SHOWN = 3

#: Columns, where no terminal says how many.
PAGE = 100


def find_regressions(new: str, old: str, games: Sequence[str], flags: RegressFlags) -> bool:
    """Compare two versions as the flags say, print what was found, and return whether the new one is worse anywhere.

    Raises:
        OptionError, SimulationError: a version, a game or a flag cannot be used.
        ProgramError: a program does not log in, or cannot play.
        BrokenBotError: a house bot failed.
        ReportError: the report cannot be written.
        WorkersError: nobody can compute.
    """
    form, plans = form_of(flags.json, flags.csv), plans_of(new, old, games, flags)
    commands = [bot for plan in plans for bot in plan.bots if is_command(bot)]
    if flags.report:
        check_report(flags.report)
    with open_workers(flags.jobs, flags.cluster) as workers:
        if commands and workers != LOCAL:
            raise OptionError(
                "--jobs and --cluster are for house bots; programs play one after the other, without them"
            )
        with _programs(commands, flags) as programs:
            outcomes = play_all(plans, workers, flags.checkpoint, until=flags.until, programs=programs)
    if flags.report:
        write_report(_page(outcomes), flags.report)
    facts = regress_facts(new, old, outcomes)
    print_found(facts, _text(outcomes), form, PAGE, "compared", soft_wrap=True)
    return bool(facts["worse"])


def _programs(commands: Sequence[str], flags: RegressFlags) -> Any:
    """Who asks the programs of these commands, if there are any."""
    if not commands:
        return nullcontext()
    # House bots are compared more often, and the dealer takes tenths of a second to load.
    from dealer.checker.asked_programs import open_programs, programs_of  # noqa: PLC0415
    from dealer.cli.logs import configure_logs  # noqa: PLC0415

    configure_logs("error")  # faults are shown with the results
    return open_programs(programs_of(commands, flags.sandbox_python if flags.sandbox else None), flags.limit)


def plans_of(new: str, old: str, games: Sequence[str], flags: RegressFlags) -> list[Plan]:
    """What is played: each game against each opponent.

    Raises:
        OptionError, SimulationError: a version, a game or a flag cannot be used.
    """
    names = list(dict.fromkeys(name.strip() for text in games for name in text.split(",") if name.strip()))
    if not names:
        raise OptionError("--games names no game, like: --games stud,holdem")
    plans = []
    for name in names:
        if name not in game_names():
            raise OptionError(f"there is no game {name!r}; {instead(name, game_names())}")
        game = load_game(name)()
        seats = flags.players or 1 + len(usual_company(name))
        if seats not in game.table_seats:
            raise OptionError(f"{name} is played by {span(game.table_seats)}, not by {seats}")
        bots = (new.replace("{game}", name), old.replace("{game}", name))
        for opponent in dict.fromkeys(flags.against or default_bots(name)[:USUAL_OPPONENTS]):
            plans.append(Plan(bots, game, flags.deals, True, flags.seed, against=opponent, seats=seats))
            check_plan(plans[-1])
    return [replace(plan, tests=len(plans)) for plan in plans]


def _versions(outcome: Outcome) -> Versions:
    assert outcome.tally.versions is not None, "it compares two versions"
    return outcome.tally.versions


def _difference(outcome: Outcome) -> Estimate:
    """Chips a hand that the new version won more."""
    return difference_of(outcome.tally.both[0], outcome.plan)


def _place(outcome: Outcome) -> str:
    """In which game against whom, in words."""
    return f"{outcome.plan.game.name} against {outcome.plan.against}"


def _wins_less(outcome: Outcome) -> bool:
    """Whether the new version won less beyond chance, in view of all comparisons."""
    return outcome.verdict.decided and outcome.tally.both[0].deals.total < 0


def _breaks(outcome: Outcome) -> bool:
    """Whether the new version made faults, and the old one none."""
    new, old = _versions(outcome).faults
    return bool(new) and not old


def _is_worse(outcome: Outcome) -> bool:
    return _wins_less(outcome) or _breaks(outcome)


def _text(outcomes: Sequence[Outcome]) -> Group:
    """The results on the terminal."""
    table = new_table(narrow=True)
    for number, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="right" if 2 <= number < len(HEADINGS) - 1 else "left")
    for outcome in outcomes:
        table.add_row(*map(Text, _row(outcome)))
    parts: list[RenderableType] = [Text(_played(outcomes)), "", table, *map(Text, _notes(outcomes))]
    worse = [outcome for outcome in outcomes if _is_worse(outcome)]
    losses = [(outcome, change) for outcome in worse for change in _versions(outcome).losses]
    if losses:
        parts.append(_loss_table(sorted(losses, key=lambda loss: loss[1].difference)[:SHOWN]))
    return Group(*parts, "", coloured("failed" if worse else "passed", conclusion(outcomes)))


def conclusion(outcomes: Sequence[Outcome]) -> str:
    """Where the new version is worse, in words."""
    where = "; ".join(_place(outcome) for outcome in outcomes if _is_worse(outcome))
    return f"The new version is worse in {where}." if where else "The new version is nowhere worse beyond chance."


HEADINGS = ("Game", "Against", "Old", "New", "Difference", "from", "to", "Changed", "")


def _played(outcomes: Sequence[Outcome]) -> str:
    plan = outcomes[0].plan
    fewer = f", or fewer if it is certain at {outcomes[0].level:g}" if outcomes[0].sequential else ""
    return (
        f"{counted(plan.deals, 'deal')} of each game against each opponent, each in every seat{fewer}; "
        f"seed {shlex.quote(plan.seed)}"
    )


def _row(outcome: Outcome) -> Sequence[str]:
    """What was found in one game against one opponent, by ``HEADINGS``."""
    plan, tally, factor = outcome.plan, outcome.tally, outcome.plan.game.unit[1]
    new, old = (signed(tally.chips_per_hand(player).scaled(factor))[0] for player in (0, 1))
    difference = signed(_difference(outcome).scaled(factor))
    changed = f"{_versions(outcome).changed / tally.plays:.0%}"
    return plan.game.name, plan.against, old, new, *difference, changed, _verdict(outcome)


def _verdict(outcome: Outcome) -> str:
    if _wins_less(outcome):
        return "wins less"
    if _breaks(outcome):
        return "makes faults"
    if not _versions(outcome).changed:
        return "the same play"
    return "wins more" if outcome.verdict.decided else ""


def _notes(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What the table means, and the faults."""
    if len(outcomes) > 1:
        yield f"All {len(outcomes)} intervals hold together with 95 %."
    yield "; ".join(
        {
            outcome.plan.game.name: f"{outcome.plan.game.name} in {outcome.plan.game.unit[0]}" for outcome in outcomes
        }.values()
    )
    for outcome in outcomes:
        for which, faults in zip(("new", "old"), _versions(outcome).faults, strict=True):
            if faults:
                yield f"\n{counted(len(faults), 'fault')} of the {which} version in {_place(outcome)}:"
                for one in faults[:FAULTS_SHOWN]:
                    yield f"  deal {one.deal}, seat {one.seat}: {one.kind}: {one.reason}"


def _loss_table(losses: Sequence[tuple[Outcome, Any]]) -> Table:
    table = new_table("\nThe hands in which the new version lost most")
    for heading in ("Game", "Against"):
        table.add_column(heading)
    for heading in ("Deal", "Seat", "Old", "New", "Street"):
        table.add_column(heading, justify="right")
    for heading in ("First difference", ""):
        table.add_column(heading)
    for outcome, change in losses:
        numbers = (str(change.deal), str(change.seat), f"{change.old:+}", f"{change.new:+}", str(change.street))
        words = (outcome.plan.game.name, outcome.plan.against, *numbers, change.did, f"now {change.now}")
        table.add_row(*map(Text, words))
    return table


def _page(outcomes: Sequence[Outcome]) -> str:
    """The text of the page: all comparisons, and then each with figures."""
    rows = [_row(outcome) for outcome in outcomes]
    each = [part_of(outcome, f"{_place(outcome)}: {outcome.verdict.words}") for outcome in outcomes]
    return write_page(
        conclusion(outcomes), [Part("", _played(outcomes), HEADINGS, rows, list(_notes(outcomes))), *each]
    )


def regress_facts(new: str, old: str, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """All facts: chips, and intervals of differences that hold together with 95 %."""
    return {
        "new": new,
        "old": old,
        "seed": outcomes[0].plan.seed,
        "deals": outcomes[0].plan.deals,
        "level": outcomes[0].level,
        "stops_when_decided": outcomes[0].sequential,
        "worse": any(map(_is_worse, outcomes)),
        "compared": list(map(_facts, outcomes)),
    }


def _facts(outcome: Outcome) -> dict[str, Any]:
    plan, tally, verdict, versions = outcome.plan, outcome.tally, outcome.verdict, _versions(outcome)
    (pair,) = tally.both
    return {
        "game": plan.game.name,
        "against": plan.against,
        "players": plan.players,
        "new": tally.chips_per_hand(0).as_dict(),
        "old": tally.chips_per_hand(1).as_dict(),
        "difference": _difference(outcome).as_dict(),
        "p_worse": p_value_of(pair, plan) / 2 if pair.deals.total < 0 else 1.0,
        "p_value": verdict.p_value,
        "verdict": verdict.words,
        "decided": verdict.decided,
        "unlikely_above": verdict.unlikely_above,
        "hands": tally.plays,
        "changed": versions.changed,
        "wins_less": _wins_less(outcome),
        "worse": _is_worse(outcome),
        "new_faults": [asdict(fault) for fault in versions.faults[0]],
        "old_faults": [asdict(fault) for fault in versions.faults[1]],
        "losses": [asdict(change) for change in versions.losses],
    }
