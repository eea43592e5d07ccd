"""``casino practice``: play a program against house bots, and show what there is to learn."""

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any

import trio
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dealer.cli.flags import TournamentFlags
from dealer.cli.game_flags import game_with
from dealer.cli.house_bots import check_bots, usual_company
from dealer.cli.logs import configure_logs
from dealer.cli.options import data_path, new_journal, seed_or_chance
from dealer.cli.tables import drawn, new_table
from dealer.errors import FAILED, INTERRUPTED, OptionError
from dealer.faults import MEANINGS, Fault
from dealer.hosting.league import League
from dealer.hosting.progress import REFRESH_SECONDS
from dealer.hosting.results import show_failures
from dealer.hosting.tournament_settings import agree, can_rise, never_ends
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.lobby.player import Player
from dealer.practice.game_practice import find_practice
from dealer.practice.mistakes import Mistake, most_expensive
from dealer.practice.practice_flags import PracticeFlags
from dealer.practice.practice_session import PracticeSession, read_session
from dealer.programs import STARTUP_SECONDS, Failure, Program, house_bots, in_sandboxes, program_of
from dealer.settings import LeagueWords, Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from protocol.estimates.intervals import Estimate, mean, mean_within, share
from protocol.games.registry import load_game
from protocol.plurals import plural, span
from protocol.wire.codec import encode, encode_action

#: The journal ends at this size, so that a practice cannot fill the disk. No practice reaches it.
JOURNAL_BYTES = 10**9


def _player_of(program: Program, scene: Scene) -> Player | None:
    players = scene.tournament.players if scene.tournament else ()
    return next((player for player in players if player.program == program.name), None)


async def _stop_when_out(program: Program, scene: Scene) -> None:
    """Stop the tournaments once the program is out: what house bots play among themselves teaches nothing."""
    while (player := _player_of(program, scene)) is None or not player.faults:
        await trio.sleep(REFRESH_SECONDS)
    assert scene.tournament is not None
    scene.tournament.stop_after_hand()


#: The limit for a reply with ``--no-clock``, in seconds: more than eleven days.
WITHOUT_CLOCK = 10.0**6

#: Chips of every player, and hands of a level, where nothing else is said.
USUAL_STACK, USUAL_LEVELS = 200, 10

NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


async def practise(
    game: str, command: Sequence[str], flags: PracticeFlags, options: Mapping[str, Any] = NO_OPTIONS
) -> int:
    """Play, find out what there is to learn, and show it.

    Args:
        game: as it was typed.
        command: that starts the program; empty with ``flags.listen``.
        flags: of the command line.
        options: of the game, by name, as far as they were given.

    Returns:
        The exit code.

    Raises:
        OptionError: practice does not know the game, or a flag or the command cannot be used.
        PortError, JournalError, NobodyPlayedError: it could not be played.
    """
    practice, seed = find_practice(game), seed_or_chance(flags.seed)
    against = flags.against or usual_company(game)
    check_bots(against, game)
    own = program_of(command, flags.listen, against, sandbox=flags.sandbox)
    house = house_bots(against, seed)
    words = LeagueWords(tuple(against), (own.name,) if own.command else (), flags.sandbox)
    settings = practice_settings(game, flags, options, seed, len(house) + 1)
    configure_logs("error")  # the results show faults at the end, in words for the author of the program
    console = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
    path = new_journal(flags.out or data_path("practice"), game, "name another one with --out")
    if flags.sandbox:
        (own,) = in_sandboxes([own], path, flags.sandbox_python)
    patience = flags.patience or (STARTUP_SECONDS if flags.listen is None and not flags.no_clock else inf)
    programs, bots = [own, *house], {program.name: bot for program, bot in zip(house, against, strict=True)}
    scene = Scene(NewTournament(settings, len(programs)))
    async with open_journal(AppendFile.create(path), console.print, JOURNAL_BYTES) as journal:
        league = League(programs, scene, words, journal, console, len(programs), patience)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_stop_when_out, own, scene)
            cut_short = await league.play()
            nursery.cancel_scope.cancel()
    if cut_short:
        return INTERRUPTED
    player = _player_of(own, scene)
    if player is None:
        show_failures(league.failures, console)
        console.print("No tournament: not every program logged in.")
        return FAILED
    with console.status(f"asking {practice.teacher} what it would have done") as status:
        session = read_session(path, player.program, practice, bots)

        def on_progress(done: int, total: int) -> None:
            status.update(f"playing decisions again, with other cards: {done} of {total} kinds of them")

        mistakes = most_expensive(session.differences, seed, on_progress, practice.effort) if session else []
    show_failures(league.failures, console)
    players = league.tournament.players if league.tournament else ()
    results = Results(
        game, practice.teacher, player, session, mistakes, flags.tournaments, players, seed, path, league.failures
    )
    print(as_json(results)) if flags.json else show(results)
    return FAILED if results.failed else 0


def practice_settings(game: str, flags: PracticeFlags, options: Mapping[str, Any], seed: str, players: int) -> Settings:
    """Freezeouts at one table, one after the other; games of so many hands where nobody can go out.

    Raises:
        OptionError: an option or the levels do not fit the game, or there are too many players for it.
    """
    options = {**options, "stack": flags.stack or _usual_stack(game, options)}
    agreed = game_with(game, options)
    seats = agreed.table_seats
    if players not in seats:
        raise OptionError(f"{game} is played by {span(seats)}: give at most {plural(seats[-1] - 1, 'house bot')}")
    rises = flags.level_table is None and can_rise(agreed) and not never_ends(agreed)
    tournament = TournamentFlags(
        limit=WITHOUT_CLOCK if flags.no_clock else flags.limit,
        format="freezeout",
        series=flags.tournaments,
        table_size=None if agreed.in_games else seats[-1],
        levels=flags.levels or (USUAL_LEVELS if rises else None),
        level_table=flags.level_table,
    )
    return agree(game, options, tournament, seed)


def _usual_stack(game: str, options: Mapping[str, Any]) -> int:
    """Chips of every player where none are named: few, so that tournaments are short.

    An option that sets others as well, as a preset does, sets the stack too.
    """
    usual, agreed = load_game(game)(), game_with(game, options)
    sets_others = any(agreed.facts[name] != value for name, value in usual.facts.items() if name not in options)
    return agreed.stack if sets_others else USUAL_STACK


@dataclass(frozen=True, slots=True)
class Results:
    """A practice that is over.

    Attributes:
        game: its name.
        teacher: the house bot that the program's decisions were compared with.
        player: the program's.
        session: what was played; None if no hand was finished.
        mistakes: its most expensive habits, the worst first.
        planned: number of tournaments that were to be played.
        players: all players, the program's included.
        seed: that decided the cards.
        journal: the file with all hands.
        failures: programs that failed, and what happened.
    """

    game: str
    teacher: str
    player: Player
    session: PracticeSession | None
    mistakes: Sequence[Mistake]
    planned: int
    players: Sequence[Player]
    seed: str
    journal: Path
    failures: Sequence[Failure]

    @property
    def put_out(self) -> Fault | None:
        """Why the program is out for good; None if it played to the end."""
        return self.player.faults[-1] if self.player.faults else None

    @property
    def failed(self) -> bool:
        """Whether the program made a fault or failed."""
        return bool(self.put_out) or any(failure.program == self.player.program for failure in self.failures)

    def replay_of(self, mistake: Mistake) -> str:
        """The command that shows the hand of the example as the program saw it."""
        difference, id_ = mistake.example, self.player.id
        # --seat takes a number for a seat, and refuses one that is also an id
        seat = self.player.avatar if id_.isdecimal() and int(id_) < len(self.players) else id_
        table, hand = f"--table {difference.table}", f"--hand {difference.hand}"
        return f"casino replay {shlex.quote(str(self.journal))} {table} {hand} --seat {shlex.quote(seat)}"


def as_json(results: Results) -> str:
    """All facts as JSON; chips, and intervals of 95 %."""
    session, fault = results.session, results.put_out
    facts: dict[str, Any] = {
        "game": results.game,
        "program": results.player.program,
        "against": [player.program for player in results.players if player is not results.player],
        "seed": results.seed,
        "tournaments": _places(results, session.places if session else ()),
        "hands": session.hands if session else 0,
        "decisions": session.decisions if session else 0,
        f"unlike_{results.teacher}": len(session.differences) if session else 0,
        "chips_per_hand": _estimate(mean(session.winnings.payoffs) if session else None),
        "situations": [
            {"street": row.street, "situation": row.situation, "hands": row.hands, "chips": _estimate(row.chips)}
            for row in (session.winnings.rows() if session else ())
        ],
        "expensive": [_mistake(results, mistake) for mistake in results.mistakes],
        "put_out": fault and {"kind": fault.kind.value, "reason": fault.reason},
        "failures": [asdict(failure) for failure in results.failures],
        "journal": str(results.journal),
    }
    return json.dumps(facts, indent=2)


def _places(results: Results, places: Sequence[float]) -> dict[str, Any]:
    won = places.count(1.0)
    return {
        "planned": results.planned,
        "played": len(places),
        "places": list(places),
        "mean_place": _estimate(mean_within(places, 1, len(results.players))),
        "won": won,
        "share_won": _estimate(share(won, len(places)) if places else None),
    }


def _estimate(estimate: Estimate | None) -> dict[str, float | None] | None:
    return estimate and estimate.as_dict()


def _mistake(results: Results, mistake: Mistake) -> dict[str, Any]:
    habit, example = mistake.habit, mistake.example
    return {
        "street": habit.street,
        "situations": list(habit.situations),
        "habit": habit.did,
        f"{results.teacher}_habit": habit.better,
        "times": mistake.times,
        "cost": mistake.cost.as_dict(),
        "rollouts": mistake.rollouts,
        "tournament": example.tournament,
        "table": example.table,
        "hand": example.hand,
        "question": encode(example.turn),
        "did": encode_action(example.did, example.turn),
        results.teacher: encode_action(example.better, example.turn),
        "replay": results.replay_of(mistake),
    }


def show(results: Results) -> None:
    """Print the results for people."""
    console = Console(highlight=False, markup=False, emoji=False)
    if results.session is not None:
        _show_session(results, results.session, console)
    fault = results.put_out
    if fault is not None:
        console.print(f"\nThe program is out: {fault.reason}", soft_wrap=True)
        console.print(MEANINGS.get(fault.kind, ""))
    console.print(f"\nEvery hand: casino replay {shlex.quote(str(results.journal))}", soft_wrap=True)
    console.print(f"The same cards again: --seed {shlex.quote(results.seed)}", soft_wrap=True)


def _show_session(results: Results, session: PracticeSession, console: Console) -> None:
    for line in _place_lines(results, session):
        console.print(line)
    console.print(_situations(session))
    for told in _mistake_lines(results, session, console):
        console.print(told, soft_wrap=True)


def _place_lines(results: Results, session: PracticeSession) -> Iterator[str]:
    places = session.places
    yield f"{len(places)} of {results.planned} tournaments played to the end, each with {len(results.players)} players"
    average, won = mean_within(places, 1, len(results.players)), share(places.count(1.0), len(places))
    if average is None:
        return
    yield ", ".join(f"place {place:g}: {times}x" for place, times in sorted(Counter(places).items()))
    yield f"mean place {average.value:.2f}{_range(average, '.2f')}; by chance {(len(results.players) + 1) / 2:g}"
    yield f"won {places.count(1.0)} of {len(places)}, {won.value:.0%}{_range(won, '.0%')}"


def _range(estimate: Estimate, form: str) -> str:
    if estimate.interval is None:
        return ""
    return f" (95 %: {estimate.low:{form}} to {estimate.high:{form}})"


def _situations(session: PracticeSession) -> Table:
    table = new_table("Chips won a hand")
    table.add_column("Street", justify="right")
    table.add_column("When asked with")
    for heading in ("Hands", "Chips", "95 % from", "to"):
        table.add_column(heading, justify="right")
    table.add_row("", "every hand dealt", *_cells(session.hands, mean(session.winnings.payoffs)))
    for row in session.winnings.rows():
        table.add_row(str(row.street), row.situation, *_cells(row.hands, row.chips))
    return table


def _cells(hands: int, chips: Estimate | None) -> Iterator[str]:
    yield str(hands)
    for number in chips or (None, None, None):
        yield "-" if number is None or abs(number) == inf else f"{number:+.1f}"


#: What a program did, in the past.
_PAST = {"fold": "folded", "check": "checked", "call": "called", "bet": "bet", "raise": "raised"}


def _mistake_lines(results: Results, session: PracticeSession, console: Console) -> Iterator[str | Text]:
    """The worst habits."""
    others, teacher = len(session.differences), results.teacher
    yield f"\n{session.decisions} decisions; {teacher} would have taken {others} of them differently."
    if not results.mistakes:
        yield "None of those that were played again lost chips beyond chance."
    for number, mistake in enumerate(results.mistakes, 1):
        habit, cost, example = mistake.habit, mistake.cost, mistake.example
        word, *more = habit.did.split()
        yield (
            f"\n{number}. It {' '.join([_PAST[word], *more])} on street {habit.street} ({', '.join(habit.situations)}) "
            f"{plural(mistake.times, 'time')}; {teacher} would {habit.better}.\n"
            f"   cost {cost.value:.1f} chips each ({cost.low:.1f} to {cost.high:.1f} in {mistake.rollouts} roll-outs)"
        )
        place = f"   tournament {example.tournament}, hand {example.hand}: "
        yield Text(place).append(drawn(encode(example.turn), console))
        did, better = (encode_action(action, example.turn) for action in (example.did, example.better))
        yield f"   the program: {did}   {teacher}: {better}\n   {results.replay_of(mistake)}"
