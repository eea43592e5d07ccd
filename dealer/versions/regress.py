"""``casino regress``: two versions of a program in the same deals, and whether the new one is worse."""

from collections.abc import Callable, Sequence
from itertools import product

from rich.console import Console
from rich.progress import Progress

from dealer.audit.hands import ReplayedHand
from dealer.cli.house_bots import check_bots, default_bots, usual_company
from dealer.cli.output import configure_logs
from dealer.errors import FAILED, OptionError, ProgramError
from dealer.hosting.interrupts import until_interrupted
from dealer.lobby.player import Player
from dealer.versions.answerer import (
    Answerer,
    HouseSeat,
    Programs,
    ProgramSeat,
    Version,
    ask,
    check_plays,
    game_info,
    in_own_sandboxes,
    open_programs,
    version_of,
)
from dealer.versions.compared import Change, Compared, Contest, DealFault, chips_won, first_change
from dealer.versions.regress_flags import RegressFlags
from dealer.versions.regress_report import as_json, show
from protocol.games.registry import game_names, load_game
from protocol.plurals import span
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
    contests = plan(new, old, games, flags)
    compared = await compare(contests, flags)
    print(as_json(compared, flags)) if flags.json else show(compared, flags)
    return FAILED if any(one.worse for one in compared) else 0


def plan(new: str, old: str, games: Sequence[str], flags: RegressFlags) -> list[Contest]:
    """What is played.

    Raises:
        OptionError: a version, a game or a flag cannot be used.
    """
    names = list(dict.fromkeys(name.strip() for text in games for name in text.split(",") if name.strip()))
    if not names:
        raise OptionError("--games names no game, like: --games stud,holdem")
    contests = []
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
        contests += [Contest(game, versions[0], versions[1], opponent, players) for opponent in opponents]
    return contests


async def compare(contests: Sequence[Contest], flags: RegressFlags) -> list[Compared]:
    """Play everything, with a progress bar on standard error."""
    console, compared = Console(stderr=True), []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=sum(flags.hands * contest.players for contest in contests))
        for contest in contests:
            bar.update(task, description=f"{contest.game.name} against {contest.opponent}")
            one = Compared(contest, len(contests))
            async with open_programs(flags) as programs:
                await _Table(one, flags, programs).play(lambda: bar.advance(task))
            compared.append(one)
    return compared


class _Table:
    """The hands of one game against one opponent."""

    def __init__(self, compared: Compared, flags: RegressFlags, programs: Programs) -> None:
        self._compared = compared
        self._flags = flags
        self._contest = compared.contest
        # The same chance for both: two versions that play alike must not differ by luck.
        self._new, self._old = (programs.seat(one, "version") for one in (self._contest.new, self._contest.old))
        self._seed = seed_from_text(flags.seed)

    async def play(self, on_hand: Callable[[], object]) -> None:
        """Play all deals in one seat after the other, so that no program meets a deal twice in a row."""
        for seat, deal in product(range(self._contest.players), range(1, self._flags.hands + 1)):
            old = await self._hand(self._contest.old, self._old, seat, deal, self._compared.old_faults)
            new = await self._hand(self._contest.new, self._new, seat, deal, self._compared.new_faults)
            before, after = (chips_won(hand.settlement, seat) for hand in (old, new))
            self._compared.chips.add(deal, before, after)
            if first_change(old, new) is not None:
                self._compared.add(Change(before, after, seat, old, new))
            on_hand()

    async def _hand(
        self, version: Version, answerer: Answerer, seat: int, deal: int, faults: list[DealFault]
    ) -> ReplayedHand:
        """A deal as a version plays it in a seat, with equal stacks, as in the first hand of a game.

        Raises:
            ProgramError: the version does not log in, or cannot play.
        """
        game, players = self._contest.game, self._contest.players
        match = game.start(players)
        info = [game_info(game, place, players) for place in range(players)]
        if not await answerer.sit_down(seat, info[seat]):
            assert isinstance(answerer, ProgramSeat)
            last = "".join(f": {one.fault.reason}" for one in faults[-1:])
            raise ProgramError(f"{version.name!r} {answerer.gave_up} of {game.name}{last}")
        # The opponent begins each hand anew, with the same chance against both versions.
        answerers: list[Answerer] = [
            HouseSeat(self._contest.opponent, f"{self._flags.seed}/{deal}/{seat}/{place}") for place in range(players)
        ]
        for place, other in enumerate(answerers):
            await other.sit_down(seat, info[place])
        answerers[seat] = answerer
        drawn = game.chance.outcome(game.chance.draw(self._seed, 0, deal))
        hand = game.number_players(match.deal(drawn), range(players))
        steps = []
        while (to_act := hand.to_act) is not None:
            step, hand = await ask(answerers[to_act], hand, to_act)
            steps.append(step)
        settlement = hand.settle()
        for other, status in zip(answerers, settlement.statuses(), strict=True):
            other.hand_over(status)
        faults += [DealFault(deal, seat, step.fault) for step in steps if step.seat == seat and step.fault is not None]
        seated = _players(version.name, self._contest.opponent, seat, players)
        return ReplayedHand(0, seat, deal, 1, 1, seated, tuple(steps), hand, settlement, match)


def _players(version: str, opponent: str, seat: int, players: int) -> tuple[Player, ...]:
    """Everybody by seat; the version is player 0 wherever it sits."""
    names = [opponent if place != seat else version for place in range(players)]
    numbers = [0 if place == seat else place + (place < seat) for place in range(players)]
    return tuple(Player(name, name, name, number=number) for name, number in zip(names, numbers, strict=True))
