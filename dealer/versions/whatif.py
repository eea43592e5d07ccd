"""``casino whatif``: the hands of a journal again, with a new version of one player."""

from collections.abc import Hashable
from pathlib import Path

import trio
from rich.console import Console
from rich.progress import Progress

from dealer.audit.hands import ReplayedHand
from dealer.cli.output import complain, configure_logs
from dealer.errors import FAILED, INTERRUPTED, JournalError, OptionError
from dealer.faults import FaultKind, SeatLost
from dealer.hosting.interrupts import open_interrupts
from dealer.replayer.command import check_replaceable
from dealer.versions.answerer import Answerer, game_info
from dealer.versions.changes import LargestChanges
from dealer.versions.outcome import NotDealt, Outcome
from dealer.versions.plan import in_sandboxes_of, plan_of
from dealer.versions.program_seat import Programs, ProgramSeat, Terms, open_programs
from dealer.versions.recorded_hands import RecordedHands
from dealer.versions.second_hand import SecondHand
from dealer.versions.whatif_flags import WhatIfFlags
from dealer.versions.whatif_report import as_json, show, write_pairs
from protocol.games.base import Hand
from protocol.plurals import counted
from protocol.shuffle import seed_from_text, shuffled_deck


async def what_if(path: Path, flags: WhatIfFlags) -> int:
    """Play a journal again as the flags say, show what changed, and return the exit code.

    Raises:
        OptionError: a flag or the journal cannot be used.
        ProgramError: a program does not log in.
        JournalError: the journal cannot be read.
    """
    configure_logs("error")  # faults are shown with the results
    code = INTERRUPTED
    async with open_interrupts(lambda: None) as interrupts:
        with trio.CancelScope() as scope:
            interrupts.gently = scope.cancel
            code = await _what_if(path, flags)
    return code


async def _what_if(path: Path, flags: WhatIfFlags) -> int:
    if flags.out is not None:
        _check_writable(flags.out)
    outcome, damage = await play_again(path, flags)
    if flags.out is not None:
        write_pairs(outcome, flags.out)
    print(as_json(outcome)) if flags.json else show(outcome, flags.out)
    if damage is not None:
        return complain(damage)
    return FAILED if outcome.own_faults or outcome.gave_up else 0


def _check_writable(file: Path) -> None:
    """Make sure, before minutes of play, that a file can be written.

    Raises:
        OptionError: it cannot.
    """
    check_replaceable(file)
    if not file.absolute().parent.is_dir():
        raise OptionError(f"--out: there is no folder {file.parent} for {file.name}")


async def play_again(path: Path, flags: WhatIfFlags) -> tuple[Outcome, JournalError | None]:
    """All hands of the player again; and what is wrong with the rest of the journal, if anything is."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("playing again", total=path.stat().st_size if path.exists() else None)
        hands = RecordedHands(path, lambda place: bar.update(task, completed=place))
        plan = plan_of(hands, flags)
        if flags.sandbox:
            plan = in_sandboxes_of(plan, path, flags.sandbox_python)
        outcome = Outcome(path, hands.game, hands.players, plan, LargestChanges(flags.shown))
        async with open_programs(Terms(flags.limit, flags.patience, flags.seed)) as programs:
            run = _Run(hands, outcome, programs)
            try:
                await run.play()
            except JournalError as error:
                if not outcome.chips.hands:
                    raise
                return outcome, error
    if not outcome.chips.hands and outcome.not_dealt:
        first, count = outcome.not_dealt[0], counted(len(outcome.not_dealt), "hand")
        raise OptionError(
            f"{path}: {count} of {plan.player.avatar!r}, and none can be dealt again; hand {first.hand}: {first.why}"
        )
    if not outcome.chips.hands and not outcome.left_out:
        raise OptionError(f"{plan.player.avatar!r} was dealt into no finished hand of {path}")
    return outcome, None


class _Run:
    """The hands as they are played again, one after the other."""

    def __init__(self, hands: RecordedHands, outcome: Outcome, programs: Programs) -> None:
        self._hands = hands
        self._outcome = outcome
        self._programs = programs
        plan = outcome.plan
        self._version = programs.seat(plan.version, "version")
        # A program stays for the whole run. A house bot that stands in is made anew for each hand.
        self._others = {
            player: programs.seat(version, "") for player, version in plan.stand_ins.items() if version.program
        }

    async def play(self) -> None:
        """Play all hands of the player."""
        for answerer in (self._version, *self._others.values()):
            await answerer.sit_down(None, None)  # a program that does not log in is found before the first hand
        for deal, recorded in self._hands:
            if self._outcome.plan.player in recorded.players:
                await self._play_hand(deal, recorded)
        if isinstance(self._version, ProgramSeat):
            self._outcome.gave_up = self._version.gave_up

    async def _play_hand(self, deal: Hashable, recorded: ReplayedHand) -> None:
        seat = recorded.players.index(self._outcome.plan.player)
        try:
            dealt = self._dealt_again(recorded)
        except ValueError as error:
            self._outcome.not_dealt.append(NotDealt(recorded.table, recorded.number, str(error)))
            return
        if await self._sits_down(self._version, recorded, seat):
            second = SecondHand(recorded, seat, self._version, lambda other: self._stand_in(recorded, other), dealt)
            self._outcome.add(deal, seat, await second.play())
        else:
            self._outcome.left_out += 1

    def _dealt_again(self, recorded: ReplayedHand) -> Hand | None:
        """An imported hand with all its cards; None for one that a dealer dealt, which has them.

        Raises:
            ValueError: it cannot be dealt again; the text says why.
        """
        if not recorded.match.imported:
            return None
        seed = seed_from_text(self._programs.terms.seed)
        order = shuffled_deck(seed, recorded.table, recorded.number)
        return self._hands.game.deal_recorded_again(recorded.match, recorded.last, order)

    async def _stand_in(self, recorded: ReplayedHand, seat: int) -> Answerer:
        player = recorded.players[seat]
        chance = f"{recorded.table}/{recorded.number}/{seat}"
        answerer = self._others.get(player) or self._programs.seat(self._outcome.plan.stand_ins[player], chance)
        if not await self._sits_down(answerer, recorded, seat):
            raise SeatLost(FaultKind.GONE, "the stand-in has ended for good", connected=False)
        return answerer

    async def _sits_down(self, answerer: Answerer, recorded: ReplayedHand, seat: int) -> bool:
        info = game_info(self._hands.game, seat, len(recorded.players))
        return await answerer.sit_down((recorded.table, recorded.game), info)
