"""The commands of bots but for people; each imports what it needs when it runs."""

import sys
import traceback
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from cyclopts import Parameter, Token
from cyclopts.types import NonNegativeFloat, PositiveFloat, PositiveInt

from bots.command_line import HANDS, DealerPort, OptionFlags, chosen_options
from bots.simulation.simulation_flags import Jobs, RegressFlags, SimulationFlags
from dealer.cli.flag_types import BotName, Pythons, Sandboxed, Switch
from dealer.cli.game_flags import GameName, game_with
from dealer.cli.output import complain, complain_in_words
from dealer.errors import BAD_USAGE, FAILED, CasinoError, OptionError
from protocol.files import read_bytes
from protocol.games.registry import game_names
from protocol.wire.codec import FIRST_GAME

if TYPE_CHECKING:
    from protocol.wire.acpc_program import GameDefinition

#: Exit code of ``collusion``: there is evidence.
EVIDENCE = 3


def _bulk_game(kind: object, tokens: Sequence[Token]) -> str:
    """The game that a word of the command line names.

    Raises:
        ValueError: there are no bulk tournaments of it; the text names the command that lets everybody meet in it.
    """
    word = tokens[0].value
    if word in get_args(kind):
        return word
    if word in game_names():
        raise ValueError(
            f"bulk tournaments are of dice only. In {word} everybody meets everybody in `casino simulate {word} "
            f"--cross`, and programs do in `casino league {word} --format round-robin`"
        )
    raise ValueError(f"expected dice, got {word!r}")


#: Games of which there are bulk tournaments.
BulkGame = Annotated[Literal["dice"], Parameter(converter=_bulk_game)]


def _rounds(_: object, tokens: Sequence[Token]) -> int:
    """The number of rounds that a word of the command line says."""
    from bots.bulk.plan import parse_rounds

    return parse_rounds(tokens[0].value)


def bot(
    name: BotName,
    host: str,
    port: DealerPort,
    *,
    id: str | None = None,
    avatar: str | None = None,
    seed: str | None = None,
    patience: NonNegativeFloat = 30.0,
    lines: Switch = False,
    secret: Annotated[str | None, Parameter(env_var="CASINO_SECRET")] = None,
    rejoin: Switch = False,
    acpc: Path | None = None,
) -> int:
    """Connect a house bot to a dealer on this or another machine.

    Parameters
    ----------
    name
        The house bot, or a file with a bot that has learned, such as stud.npz.
    host
        The dealer's address.
    port
        The dealer's port.
    id
        Who it plays for; its own name by default, or that of its file.
    avatar
        What everybody sees; its own name by default, or that of its file.
    seed
        Any text; the same text makes the same random choices.
    patience
        Seconds to go on trying while the dealer is not up yet.
    lines
        Send lines of text instead of writeUTF frames, to the dealer's other port.
    secret
        What a dealer started with --secrets asks for: any text, the same at each login.
    rejoin
        Connect and log in again each time the connection is lost.
    acpc
        Play hold'em at the dealer of the Annual Computer Poker Competition: the file with its game definition (.game).

    Examples
    --------
    # At a dealer on this machine, and at another's for one of the players there.
    casino bot tight 127.0.0.1 4000
    casino bot tight 192.168.1.20 4000 --id StephenCurry --avatar Steph
    # At the dealer of the ACPC, which has told this port.
    casino bot equilibrium 127.0.0.1 16177 --acpc holdem.limit.2p.game
    """
    from random import Random

    from bots.client import ClientError, ConnectionLostError, connect, play, play_acpc
    from bots.strategy import StrategyError
    from protocol.installed_bots import load_bot, title_of
    from protocol.wire.framing import LineFraming, UtfFraming
    from protocol.wire.messages import Name, ProtocolError

    def say(text: str) -> None:
        print(f"{name}: {text}", file=sys.stderr, flush=True)

    try:
        maker = load_bot(name)
        strategy = maker(Random(seed))
        who = Name(id or title_of(name), avatar or title_of(name), secret)
        definition = None if acpc is None else _definition(acpc, bool(id or avatar or lines or rejoin))
    except (LookupError, ProtocolError, ValueError) as error:
        say(str(error))
        return BAD_USAGE
    framing = LineFraming() if lines else UtfFraming()
    reason = None
    try:
        if definition is not None:
            with connect(host, port, patience, say) as sock:
                reason = play_acpc(sock, definition, strategy)
        while reason is None:
            with connect(host, port, patience, say) as sock:
                try:
                    reason = play(sock, framing, who, strategy)
                except ConnectionLostError as error:
                    if not rejoin:
                        raise
                    say(f"{error}; logging in again")
                    strategy = maker(Random(seed))
    except ClientError as error:
        say(str(error))
        return FAILED
    except StrategyError as error:
        _show_origin(error)
        say(str(error))
        return FAILED
    print(f"{name}: {reason}")
    return 0


def _definition(file: Path, other_flags: bool) -> "GameDefinition":
    """The game definition in a file.

    Raises:
        ValueError: it cannot be read, or there are flags of the other protocol; the text says what to do.
    """
    from protocol.wire.acpc_program import read_definition

    if other_flags:
        raise ValueError(
            "--acpc goes without --id, --avatar, --lines and --rejoin: programs of the ACPC have no name, and cannot "
            "come back"
        )
    try:
        return read_definition(read_bytes(file).decode())
    except OSError as error:
        raise ValueError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file} is no game definition: it is not UTF-8") from None
    except ValueError as error:
        raise ValueError(f"{file} is not a game of Texas Hold'em that bots here play: {error}") from None


_NO_OPTIONS = OptionFlags()
_NO_FLAGS = SimulationFlags()
_NO_REGRESS_FLAGS = RegressFlags()


def simulate(
    game: GameName,
    *bots: BotName,
    players: PositiveInt | None = None,
    seed: str = "casino",
    json: Switch = False,
    options: OptionFlags = _NO_OPTIONS,
    flags: SimulationFlags = _NO_FLAGS,
) -> int:
    """Play house bots against each other without sockets, and say who is better.

    Parameters
    ----------
    game
        What is played.
    bots
        House bots by name, or files with bots, such as learned.npz, in seat order.
    players
        How many play, if more than the bots named: those take the seats in turn.
    seed
        Any text; the same text deals the same cards.
    json
        Print the results as JSON.

    Examples
    --------
    # Who wins how many chips a hand.
    casino simulate stud tight pair-or-fold caller --deals 20000
    # Who wins more games; every deal is played again with the seats changed.
    casino simulate blockhead alpha beta --deals 2000 --duplicate
    # In two processes, and so that it goes on if it is interrupted.
    casino simulate blockhead alpha caller --cluster local:2 --checkpoint kept
    """
    from bots.simulation.command import run_simulation
    from bots.simulation.plan import BrokenBotError

    try:
        bots = _seated(bots, players)
        chosen = chosen_options(game, options, reset_stacks=1)
        agreed = game_with(game, chosen)
        if HANDS in chosen and not agreed.in_games:
            raise OptionError(f"--hands is how long a game is; {game} is simulated hand by hand: give --deals")
        run_simulation(agreed, bots, seed, json, flags)
    except CasinoError as error:
        if isinstance(error, BrokenBotError):
            _show_origin(error)
        return complain(error)
    return 0


def regress(new: str, old: str, *, games: tuple[str, ...], flags: RegressFlags = _NO_REGRESS_FLAGS) -> int:
    """Compare two versions of a program, and fail if the new one is worse: the same deals, seats and opponents.

    The exit code is 1 if the new version won significantly less in a game against an opponent, or made faults where the
    old one made none.

    Parameters
    ----------
    new
        The new version: a command such as "java Poker {host} {port}", or a house bot. {game} stands for the game.
    old
        The old version.
    games
        What is played, such as stud,holdem.

    Examples
    --------
    # The program as it is now against the one of last week.
    casino regress "java New {host} {port}" "java Old {host} {port}" --games stud
    # House bots in two games, with more deals, against one opponent.
    casino regress tight caller --games stud,holdem --against maniac --deals 1000
    """
    from bots.simulation.plan import BrokenBotError
    from bots.simulation.regress import find_regressions

    try:
        return FAILED if find_regressions(new, old, games, flags) else 0
    except CasinoError as error:
        if isinstance(error, BrokenBotError):
            _show_origin(error)
        return complain(error)


def round_robin(
    game: BulkGame,
    *players: BotName,
    rounds: Annotated[int, Parameter(converter=_rounds)] = 1_000_000,
    native: tuple[Path, ...] = (),
    python: tuple[Path, ...] = (),
    bot_cmd: tuple[str, ...] = (),
    sandbox: Sandboxed = False,
    sanitize: Switch = False,
    sandbox_python: Pythons = (),
    series: PositiveInt = 1,
    jobs: Jobs = 1,
    seed: str = "casino",
    cluster: str | None = None,
    checkpoint: Path | None = None,
    report: Path | None = None,
    json: Switch = False,
    csv: Switch = False,
) -> int:
    """Play a bulk tournament: everybody against everybody for millions of rounds, at the speed of compiled code.

    Parameters
    ----------
    game
        What is played. In other games, casino simulate GAME --cross lets everybody meet.
    players
        House bots by name. Without names the five samples play (dice-four, dice-price, caller, dice-luck, dice-memory),
        unless you give two other players or more.
    rounds
        Rounds, such as 300k or 5M. In a round every two players play one deal.
    native
        A C++ or C file with a SOLUTION. May be given several times.
    python
        A Python file with a function AI(op, b, state, d), which slows everybody down. May be
        given several times.
    bot_cmd
        A program over TCP, such as "java Poker {host} {port}", which slows everybody down
        much more. May be given several times.
    sanitize
        Look for mistakes with memory in your own --native file, such as an index outside an
        array, and name the first one with its line. The file is not confined: never give one
        of somebody else.
    series
        Tournaments to play, each with dice of its own and players that remember nothing.
    jobs
        Processes that share the work, without a change of the result.
    seed
        Any text; the same text deals the same cards.
    cluster
        Compute on the workers of a scheduler, tcp://HOST:PORT, or in N processes of this
        machine, local:N, without a change of the result. For house bots and --native files.
    checkpoint
        A file that keeps what is done. If it is there, the command goes on from it.
    report
        A new HTML file with standings, results of everybody against everybody, and mistakes.
    json
        Print the results as JSON.
    csv
        Print the standings as CSV.

    Examples
    --------
    casino round-robin dice dice-four dice-price caller --rounds 100k
    """
    from bots.bulk.output import report_page
    from bots.bulk.round_robin import find_mistakes, make_plan, play, show
    from bots.fitting_table import form_of
    from bots.report_file import check_report, write_report
    from bots.workers.computing import open_workers

    del game  # there is one so far
    if sandbox and not bot_cmd:
        return complain_in_words("--sandbox is for --bot-cmd; functions are confined without it", BAD_USAGE)
    if sanitize and (len(native) != 1 or any((python, bot_cmd, cluster, checkpoint, report, json, csv))):
        return complain_in_words(
            "--sanitize is for one --native file against house bots, without --python, --bot-cmd, --cluster, "
            "--checkpoint, --report, --json and --csv",
            BAD_USAGE,
        )
    try:
        form = form_of(json, csv)
        plan = make_plan(players, native, python, rounds, series, seed, bot_cmd)
        if sanitize:
            print(find_mistakes(plan, jobs))
            return 0
        if report is not None:
            check_report(report)
        with open_workers(jobs, cluster) as workers:
            on_cluster = None if cluster is None else workers
            pythons = sandbox_python if sandbox else None
            standings = play(plan, jobs, checkpoint, sandbox=pythons, workers=on_cluster)
        show(standings, form)
        if report is not None:
            write_report(report_page(standings), report)
    except CasinoError as error:
        return complain(error)
    return 0


def worker(
    address: str,
    *,
    jobs: Jobs | None = None,
    patience: NonNegativeFloat = 30.0,
) -> int:
    """Compute for the scheduler of a cluster, until it ends or Ctrl-C is pressed.

    Parameters
    ----------
    address
        The scheduler's address, tcp://HOST:PORT.
    jobs
        Processes; by default as many as this machine has processors.
    patience
        Seconds to go on trying while the scheduler cannot be reached, at the start or later.

    Examples
    --------
    casino worker tcp://192.168.1.20:8786
    """
    from bots.workers.worker import work_for

    try:
        work_for(address, jobs, patience)
    except CasinoError as error:
        return complain(error)
    return 0


def collusion(
    file: Path,
    *,
    level: PositiveFloat = 0.01,
    jobs: Jobs = 1,
    json: Switch = False,
) -> int:
    """Look for players of a bulk tournament who cooperate, and print the evidence; exit code 3 if there is any.

    Parameters
    ----------
    file
        The checkpoint of a bulk tournament of dice, which is played again.
    level
        How often any pair at all is named in a tournament of honest players, at most.
    jobs
        Processes that share the work, without a change of the result.
    json
        Print the results as JSON.

    Examples
    --------
    casino collusion friday.json
    """
    try:
        from bots.bulk.collusion import examine_file
    except ImportError as error:
        return complain_in_words(f"this needs more ({error}): pip install '.[sim]' in the folder of Casino Day", FAILED)
    try:
        return EVIDENCE if examine_file(file, level, jobs, json) else 0
    except CasinoError as error:
        return complain(error)


def _seated(bots: tuple[str, ...], players: int | None) -> tuple[str, ...]:
    """The bots at ``players`` seats, taken in turn."""
    if players is None:
        return bots
    if not bots:
        raise OptionError(f"--players {players} needs bots to take the seats; name at least one")
    if len(bots) > players:
        raise OptionError(f"--players {players} is fewer than the {len(bots)} bots named; name as many or fewer")
    return tuple(islice(cycle(bots), players))


def new(
    directory: Path,
    *,
    lang: Literal["python", "java", "cpp"],
    game: GameName | None = None,
    native: Switch = False,
    like: BotName | None = None,
) -> int:
    """Make a folder with a player to start from: it connects, keeps the rules, and waits for your strategy.

    Parameters
    ----------
    directory
        A new folder, or one that holds none of the files yet; nothing is overwritten.
    lang
        The language to write in.
    game
        What the player plays; stud by default.
    native
        Make an AI for casino round-robin dice instead: a function in C++.
    like
        With --native: copy this house bot, such as dice-adaptive, instead of a small AI.

    Examples
    --------
    # A bot in Python, in a new folder "mybot"; also java and cpp.
    casino new mybot --lang python
    # A function for casino round-robin dice.
    casino new mybot --lang cpp --native
    """
    from bots.new_program import copy_native, copy_starter

    if native and (lang != "cpp" or game not in (None, "dice")):
        return complain_in_words("--native is for --lang cpp and dice only", BAD_USAGE)
    if like is not None and not native:
        return complain_in_words("--like is for --native only", BAD_USAGE)
    try:
        print(copy_native(directory, like) if native else copy_starter(directory, lang, game or FIRST_GAME))
    except CasinoError as error:
        return complain(error)
    return 0


def _show_origin(error: BaseException) -> None:
    """Print the traceback of an error that a strategy raised, because its author needs the line."""
    if error.__cause__ is not None:
        traceback.print_exception(error.__cause__)
