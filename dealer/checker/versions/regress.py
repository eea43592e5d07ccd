"""``casino regress``: two versions of a program in the same deals, and whether the new one is worse."""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import product
from typing import Any

from rich.console import Console
from rich.table import Table

from dealer.checker.versions.answerer import (
    Answerer,
    HouseSeat,
    ask,
    check_plays,
    game_info,
    in_own_sandboxes,
    open_answerers,
    version_of,
)
from dealer.checker.versions.compared import (
    SHOWN,
    Change,
    Compared,
    DealFault,
    PairedChips,
    PlayedDeal,
    change_of,
    chips_won,
)
from dealer.checker.versions.regress_flags import RegressFlags
from dealer.cli.house_bots import check_bots, default_bots, usual_company
from dealer.cli.logs import configure_logs
from dealer.cli.tables import coloured, new_table, signed, working_progress
from dealer.errors import FAILED, OptionError
from dealer.hosting.interrupts import until_interrupted
from protocol.games.registry import game_names, load_game
from protocol.plurals import counted, span
from protocol.shuffle import seed_from_text
from protocol.suggestions import instead

#: House bots that are played against in each game where none are named.
USUAL_OPPONENTS = 3


async def find_regressions(new: str, old: str, games: Sequence[str], flags: RegressFlags) -> int:
    """Compare two versions as the flags say, show where the new one is worse, and return the exit code.

    Raises:
        OptionError: a version, a game or a flag cannot be used.
        ProgramError: a program does not log in, or cannot play.
    """
    configure_logs("error")  # faults are shown with the results
    return await until_interrupted(_find_regressions(new, old, games, flags))


async def _find_regressions(new: str, old: str, games: Sequence[str], flags: RegressFlags) -> int:
    compared = plan(new, old, games, flags)
    await compare(compared, flags)
    print(as_json(compared, flags)) if flags.json else show(compared, flags)
    return FAILED if any(one.worse for one in compared) else 0


def plan(new: str, old: str, games: Sequence[str], flags: RegressFlags) -> list[Compared]:
    """What is played, with nothing played yet.

    Raises:
        OptionError: a version, a game or a flag cannot be used.
    """
    names = list(dict.fromkeys(name.strip() for text in games for name in text.split(",") if name.strip()))
    if not names:
        raise OptionError("--games names no game, like: --games stud,holdem")
    compared = []
    for name in names:
        if name not in game_names():
            raise OptionError(f"there is no game {name!r}; {instead(name, game_names())}")
        game = load_game(name)()
        seats = game.table_seats
        players = flags.players or 1 + len(usual_company(name))
        if players not in seats:
            raise OptionError(f"{name} is played by {span(seats)}, not by {players}")
        versions = [version_of(text.replace("{game}", name)) for text in (new, old)]
        if flags.sandbox:
            versions = in_own_sandboxes(versions, flags.sandbox_python)
        for version in versions:
            check_plays(version, name)
        opponents = dict.fromkeys(flags.against or default_bots(name)[:USUAL_OPPONENTS])
        check_bots(opponents, name)
        compared += [
            Compared(game, versions[0], versions[1], opponent, players, PairedChips(players)) for opponent in opponents
        ]
    for one in compared:
        one.tests = len(compared)
    return compared


async def compare(compared: Sequence[Compared], flags: RegressFlags) -> None:
    """Play everything, and tell on standard error how far it is."""
    played = 0
    with working_progress(sum(flags.deals * one.players for one in compared)) as tell:

        def hear(place: str) -> None:
            nonlocal played
            played += 1
            tell(played, place)

        for one in compared:
            async with open_answerers((one.new, one.old), one.game.name, flags) as (new, old):
                await _Table(one, flags, new, old).play(partial(hear, one.place))


class _Table:
    """The hands of one game against one opponent."""

    def __init__(self, compared: Compared, flags: RegressFlags, new: Answerer, old: Answerer) -> None:
        self._compared = compared
        self._flags = flags
        self._new, self._old = new, old
        self._seed = seed_from_text(flags.seed)

    async def play(self, on_hand: Callable[[], object]) -> None:
        """Play all deals in one seat after the other, so that no program meets a deal twice in a row."""
        compared = self._compared
        for seat, deal in product(range(compared.players), range(1, self._flags.deals + 1)):
            old = await self._hand(self._old, seat, deal, compared.old_faults)
            new = await self._hand(self._new, seat, deal, compared.new_faults)
            before, after = (chips_won(hand.settlement, seat) for hand in (old, new))
            compared.chips.add(deal, before, after)
            if (change := change_of(seat, old, new)) is not None:
                compared.add(change)
            on_hand()

    async def _hand(self, answerer: Answerer, seat: int, deal: int, faults: list[DealFault]) -> PlayedDeal:
        """A deal as a version plays it in a seat, with equal stacks, as in the first hand of a game.

        Raises:
            ProgramError: the version does not log in, or cannot play.
        """
        game, players = self._compared.game, self._compared.players
        info = [game_info(game, place, players) for place in range(players)]
        await answerer.sit_down(seat, info[seat])
        # The opponent begins each hand anew, with the same chance against both versions.
        answerers: list[Answerer] = [
            HouseSeat(self._compared.opponent, f"{self._flags.seed}/{deal}/{seat}/{place}") for place in range(players)
        ]
        for place, other in enumerate(answerers):
            await other.sit_down(seat, info[place])
        answerers[seat] = answerer
        drawn = game.chance.outcome(game.chance.draw(self._seed, 0, deal))
        hand = game.number_players(game.start(players).deal(drawn), range(players))
        steps = []
        while (to_act := hand.to_act) is not None:
            step, hand = await ask(answerers[to_act], hand, to_act)
            steps.append(step)
        settlement = hand.settle()
        for other, status in zip(answerers, settlement.statuses(), strict=True):
            other.hand_over(status)
        faults += [DealFault(deal, seat, step.fault) for step in steps if step.seat == seat and step.fault is not None]
        return PlayedDeal(deal, steps, settlement)


#: Faults of a version that are shown for one opponent.
FAULTS_SHOWN = 3


def show(compared: Sequence[Compared], flags: RegressFlags) -> None:
    """Print the results."""
    # Nothing in names is taken for markup.
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    worse = [one for one in compared if one.worse]
    console.print(
        f"{counted(flags.deals, 'deal')} of each game against each opponent, each in every seat; "
        f"seed {shlex.quote(flags.seed)}\n"
    )
    console.print(_table(compared, flags))
    if len(compared) > 1:
        console.print(f"All {len(compared)} intervals hold together with 95 %.")
    units = {one.game.name: one.game.unit[0] for one in compared}
    console.print("; ".join(f"{game} in {unit}" for game, unit in units.items()))
    for line in _fault_lines(compared):
        console.print(line)
    losses = sorted(_losses(worse), key=lambda loss: loss[1].difference)[:SHOWN]
    if losses:
        console.print(_loss_table(losses))
    if worse:
        where = "; ".join(one.place for one in worse)
        console.print(coloured("failed", f"\nThe new version is worse in {where}."))
    else:
        console.print(coloured("passed", "\nThe new version is nowhere worse beyond chance."))


def _table(compared: Sequence[Compared], flags: RegressFlags) -> Table:
    table = new_table(narrow=True)
    for heading in ("Game", "Against"):
        table.add_column(heading)
    for heading in ("Old", "New", "Difference", "from", "to", "Changed"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for one in compared:
        _, factor = one.game.unit
        won = (one.chips.per_hand(chips).scaled(factor) for chips in (one.chips.old, one.chips.new))
        difference = signed(one.chips.difference(one.tests).scaled(factor))
        changed = f"{one.changed / (flags.deals * one.players):.0%}"
        table.add_row(
            one.game.name, one.opponent, *(signed(one)[0] for one in won), *difference, changed, _verdict(one)
        )
    return table


def _verdict(one: Compared) -> str:
    if one.wins_less:
        return "wins less"
    if one.breaks:
        return "makes faults"
    if not one.changed:
        return "the same play"
    return "wins more" if one.chips.difference(one.tests).low > 0 else ""


def _fault_lines(compared: Sequence[Compared]) -> Iterator[str]:
    for one in compared:
        for which, faults in (("new", one.new_faults), ("old", one.old_faults)):
            if faults:
                yield f"\n{counted(len(faults), 'fault')} of the {which} version in {one.place}:"
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
        numbers = (str(change.deal), str(change.seat), f"{change.old:+}", f"{change.new:+}", str(change.street))
        table.add_row(one.game.name, one.opponent, *numbers, change.did, f"now {change.now}")
    return table


def as_json(compared: Sequence[Compared], flags: RegressFlags) -> str:
    """All facts as JSON; chips, and intervals that hold together with 95 %."""
    facts = {
        "new": compared[0].new.name,
        "old": compared[0].old.name,
        "seed": flags.seed,
        "deals": flags.deals,
        "worse": any(one.worse for one in compared),
        "compared": [_facts(one, flags) for one in compared],
    }
    return json.dumps(facts, indent=2)


def _facts(one: Compared, flags: RegressFlags) -> Mapping[str, Any]:
    return {
        "game": one.game.name,
        "against": one.opponent,
        "players": one.players,
        "old": one.chips.per_hand(one.chips.old).as_dict(),
        "new": one.chips.per_hand(one.chips.new).as_dict(),
        "difference": one.chips.difference(one.tests).as_dict(),
        "p_worse": one.chips.p_worse(),
        "hands": flags.deals * one.players,
        "changed": one.changed,
        "wins_less": one.wins_less,
        "worse": one.worse,
        "new_faults": [_fault_facts(fault) for fault in one.new_faults],
        "old_faults": [_fault_facts(fault) for fault in one.old_faults],
        "losses": [{**asdict(change), "difference": change.difference} for change in one.losses],
    }


def _fault_facts(one: DealFault) -> Mapping[str, Any]:
    return {"deal": one.deal, "seat": one.seat, "kind": one.fault.kind.value, "reason": one.fault.reason}
