"""Play the deals of two versions of a player, each in every seat among copies of one house bot: ``casino regress``."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from bots.arena import outcome_of
from bots.simulation.plan import BrokenBotError, Plan, is_command, load_makers
from bots.simulation.tally import Change, Played, VersionFault, Versions
from bots.strategy import Strategy, StrategyError, answer, tell
from dealer.faults import Fault, FaultKind, SeatLost
from protocol.games.base import Action, Bet, Hand, IllegalAction, Settlement
from protocol.shuffle import seed_from_text
from protocol.wire.codec import encode_action
from protocol.wire.messages import GameInfo

if TYPE_CHECKING:
    from dealer.checker.asked_programs import AskedProgram, Programs


class Step(NamedTuple):
    """An action; None where a seat made a fault and gave its hand up, as at a table."""

    before: Hand
    seat: int
    action: Action | None
    fault: Fault | None


class PlayedHand(NamedTuple):
    """A deal as a version played it in a seat."""

    steps: Sequence[Step]
    settlement: Settlement

    def won(self, seat: int) -> int:
        """Chips that a seat won; a pot that is carried over counts as shared by all, and a share is rounded down."""
        payoffs = self.settlement.payoffs
        return payoffs[seat] - sum(payoffs) // len(payoffs)

    def folded(self, seat: int) -> bool:
        """Whether a seat folded, or gave the hand up."""
        return any(step.seat == seat and not isinstance(step.action, Bet) for step in self.steps)

    @property
    def pot(self) -> int:
        """Chips in it at the end."""
        return sum(self.settlement.shares) + self.settlement.carried


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
            for bot, version in zip(plan.bots, versions, strict=True):
                table.tell_game(version, bot, seat)
            for number in plan.deals_of(block):
                new, old = (
                    table.play(version, bot, seat, number + 1) for bot, version in zip(plan.bots, versions, strict=True)
                )
                found.add(
                    _change(number + 1, seat, new, old), _faults(number + 1, seat, new), _faults(number + 1, seat, old)
                )
                folds = int(new.folded(seat)), int(old.folded(seat))
                seatings[seat].append(Played((new.won(seat), old.won(seat)), 0, folds, (new.pot + old.pot) // 2))
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


class _Table:
    """One hand after the other, each with equal stacks, as in the first hand of a game."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._seed = seed_from_text(plan.seed)
        (self._opponent,) = load_makers([plan.against])

    def play(self, version: Strategy, bot: str, seat: int, number: int) -> PlayedHand:
        """Deal ``number`` as a version plays it in a seat."""
        plan, game = self._plan, self._plan.game
        at_table = [version] * plan.players
        for place in range(plan.players):
            if place != seat:  # an opponent begins each hand anew, with the same chance against both versions
                at_table[place] = self._opponent(Random(f"{plan.seed}/{number}/{seat}/{place}"))
                self.tell_game(at_table[place], plan.against, place)
        if (begin_hand := getattr(version, "begin_hand", None)) is not None:
            begin_hand()
        dealt = game.start(plan.players).deal(outcome_of(game, self._seed, number))
        hand, steps = game.number_players(dealt, range(plan.players)), []
        while (to_act := hand.to_act) is not None:
            with _blaming(bot if to_act == seat else plan.against, to_act, f", hand {number}"):
                step, hand = _ask(at_table[to_act], hand, to_act)
            steps.append(step)
        settlement = hand.settle()
        for place, status in enumerate(settlement.statuses()):
            with _blaming(bot if place == seat else plan.against, place, f", hand {number}"):
                tell(at_table[place], status)
        return PlayedHand(steps, settlement)

    def tell_game(self, player: Strategy, bot: str, seat: int) -> None:
        """Announce the game to who sits down, as a dealer does before the first hand."""
        if self._plan.game.announced:
            with _blaming(bot, seat):
                tell(player, GameInfo.about(self._plan.game, seat, self._plan.players))


@contextmanager
def _blaming(bot: str, seat: int, where: str = "") -> Iterator[None]:
    try:
        yield
    except StrategyError as error:
        raise BrokenBotError(f"{bot} in seat {seat}{where}: {error}") from error.__cause__


def _ask(player: Strategy, hand: Hand, seat: int) -> tuple[Step, Hand]:
    """The step of a seat that is asked to act, and the hand after it."""
    try:
        action = answer(player, hand.view(seat))
        return Step(hand, seat, action, None), hand.apply(action)
    except IllegalAction as illegal:
        fault = Fault(FaultKind.ILLEGAL, str(illegal))
    except StrategyError as error:
        if not isinstance(error.__cause__, SeatLost):
            raise
        fault = error.__cause__.fault
    return Step(hand, seat, None, fault), hand.concede()


def _faults(deal: int, seat: int, hand: PlayedHand) -> list[VersionFault]:
    return [
        VersionFault(deal, seat, step.fault.kind.value, step.fault.reason)
        for step in hand.steps
        if step.seat == seat and step.fault is not None
    ]


def _change(deal: int, seat: int, new: PlayedHand, old: PlayedHand) -> Change | None:
    """What is different in a hand as the new version played it in a seat; None if it took the same actions."""
    for before, after in zip(old.steps, new.steps, strict=False):
        # A hand that is played differently differs in an action: what follows the same actions is the same.
        if (before.seat, before.action) != (after.seat, after.action):
            won, wins = old.won(seat), new.won(seat)
            street = before.before.public().street
            return Change(deal, seat, won, wins, wins - won, street, _in_words(before), _in_words(after))
    return None


def _in_words(step: Step) -> str:
    """An action as a reply, or the fault for which the hand was given up."""
    if step.fault is not None:
        return f"fault: {step.fault.kind.value}"
    assert step.action is not None
    return encode_action(step.action, step.before.view(step.seat))
