"""Play the deals of two versions of a player, each in every seat among copies of one house bot: ``casino regress``."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from bots.arena import ArenaError, PlayedHand, announce_to, outcome_of, play_hand
from bots.simulation.plan import BrokenBotError, Plan, is_command, load_makers
from bots.simulation.tally import Change, Played, VersionFault, Versions
from bots.strategy import Strategy
from dealer.faults import Fault, FaultKind, SeatLost
from protocol.games.base import IllegalAction
from protocol.shuffle import seed_from_text
from protocol.wire.codec import encode_action

if TYPE_CHECKING:
    from dealer.checker.asked_programs import AskedProgram, Programs


def play_versions(
    plan: Plan, block: int, found: Versions, programs: "Programs | None", on_play: Callable[[int], object]
) -> Iterator[Sequence[Played]]:
    """Play the deals of a block, the plays of each told by version; what else the versions did is added to ``found``.

    One seat after the other is played, so that no program meets a deal twice in a row.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a house bot failed.
        ProgramError: a program does not log in, or cannot play.
    """
    table = _Table(plan)
    with ExitStack() as playing:
        versions = [_open_version(plan, bot, block, programs, playing) for bot in plan.bots]
        seatings: list[list[Played]] = []
        for seat in range(plan.players):
            seatings.append([])
            for number in plan.deals_of(block):
                faults: tuple[list[VersionFault], list[VersionFault]] = ([], [])
                new, old = (table.play(which, versions[which], seat, number + 1, faults[which]) for which in (0, 1))
                found.add(table.change(seat, number + 1, new, old, faults), *faults)
                gains = chips_won(new, seat), chips_won(old, seat)
                folds = new.folded.count(seat), old.folded.count(seat)
                seatings[seat].append(Played(gains, 0, folds, (new.pot + old.pot) // 2))
                on_play(1)
    yield from zip(*seatings, strict=True)


def _open_version(
    plan: Plan, bot: str, block: int, programs: "Programs | None", playing: ExitStack
) -> "Strategy | AskedProgram":
    if programs is not None and is_command(bot):
        return playing.enter_context(programs.seated(bot, plan.game.name))
    (maker,) = load_makers([bot])
    # The same chance for both: two versions that play alike must not differ by luck.
    return maker(Random(f"{plan.seed}/version{f'/{block}' if block else ''}"))


def chips_won(hand: PlayedHand, seat: int) -> int:
    """Chips that a seat won; a pot that is carried over counts as shared by all, and a share is rounded down."""
    payoffs = hand.settlement.payoffs
    return payoffs[seat] - sum(payoffs) // len(payoffs)


class _Table:
    """One hand after the other, each with equal stacks, as in the first hand of a game."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._seed = seed_from_text(plan.seed)
        self._match = plan.game.start(plan.players)
        (self._opponent,) = load_makers([plan.against])
        self._told: dict[int, int] = {}  # by version, the seat in which it has heard of the game

    def play(self, which: int, version: Strategy, seat: int, number: int, faults: list[VersionFault]) -> PlayedHand:
        """Deal ``number`` as a version plays it in a seat; its faults are added to ``faults``."""
        plan, at_table = self._plan, [version] * self._plan.players
        new = [place for place in range(plan.players) if place != seat or self._told.get(which) != seat]
        self._told[which] = seat
        for place in new:
            if place != seat:  # an opponent begins each hand anew, with the same chance against both versions
                at_table[place] = self._opponent(Random(f"{plan.seed}/{number}/{seat}/{place}"))
        try:
            for place in new if plan.game.announced else ():
                announce_to(at_table[place], plan.game, place, plan.players, number)
            if (begin_hand := getattr(version, "begin_hand", None)) is not None:
                begin_hand()
            forgive = partial(_forgive, seat, number, faults)
            return play_hand(plan.game, self._match, at_table, self._seed, number, forgive)
        except ArenaError as error:
            bot = plan.bots[which] if error.player == seat else plan.against
            raise BrokenBotError(f"{bot} in seat {error.player}, hand {number}: {error}") from error.__cause__

    def change(
        self, seat: int, number: int, new: PlayedHand, old: PlayedHand, faults: Sequence[Sequence[VersionFault]]
    ) -> Change | None:
        """What is different in a hand as the new version played it in a seat; None if it took the same actions."""
        if new.actions == old.actions:
            return None
        hand = self._match.deal(outcome_of(self._plan.game, self._seed, number))
        words = []
        # A hand that is played differently differs in an action: what follows the same actions is the same.
        for before, after in zip(old.actions, new.actions, strict=False):
            if before != after:
                for (actor, action), made in zip((before, after), reversed(faults), strict=True):
                    words.append(
                        f"fault: {made[0].kind}" if action is None else encode_action(action, hand.view(actor))
                    )
                break
            hand = hand.concede() if before[1] is None else hand.apply(before[1])
        won, wins = chips_won(old, seat), chips_won(new, seat)
        return Change(number, seat, won, wins, wins - won, hand.public().street, *words)


def _forgive(seat: int, number: int, faults: list[VersionFault], player: int, error: Exception) -> bool:
    """A fault of who is asked, which gives the hand up as at a table; errors in house bots end the simulation."""
    lost = error.__cause__
    if isinstance(error, IllegalAction):
        fault = Fault(FaultKind.ILLEGAL, str(error))
    elif isinstance(lost, SeatLost):
        fault = lost.fault
    else:
        return False
    if player == seat:
        faults.append(VersionFault(number, seat, fault.kind.value, fault.reason))
    return True
