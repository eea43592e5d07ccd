"""What the dealer's commands take from the command line. Their work is imported when they run."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.types import NonNegativeFloat, NonNegativeInt, Port, PositiveInt

from dealer.checker.check_flags import CheckFlags
from dealer.cli.flag_types import BotName, Pythons, Sandboxed, Switch
from dealer.cli.flags import (
    AcpcFlags,
    HostFlags,
    PageFlags,
    PortFlags,
    ReplayFileFlags,
    ReplayPageFlags,
    ResumeFlags,
    RunFlags,
    ShowFlags,
    TournamentFlags,
)
from dealer.cli.game_flags import CheckedGameFlags, GameFlags, GameName, PractisedGameFlags
from dealer.cli.help import PAGE, PLAYERS, TOURNAMENT
from dealer.desk.orders import Command
from dealer.net.limits import USUAL, Limits
from dealer.practice.practice_flags import PracticeFlags, PractisedGameName
from protocol.games.registry import named_options

_IN_PLAYERS = Parameter(group=PLAYERS)
_NO_GAME_FLAGS = GameFlags()
_NO_ACPC_FLAGS = AcpcFlags()
_NO_TOURNAMENT_FLAGS = TournamentFlags()
_NO_HOST_FLAGS = HostFlags()
_NO_PORT_FLAGS = PortFlags()
_NO_RESUME_FLAGS = ResumeFlags()
_NO_RUN_FLAGS = RunFlags()
_NO_PAGE_FLAGS = PageFlags()
_NO_SHOW_FLAGS = ShowFlags()
_NO_REPLAY_FILE_FLAGS = ReplayFileFlags()
_NO_REPLAY_PAGE_FLAGS = ReplayPageFlags()
_NO_CHECKED_GAME_FLAGS = CheckedGameFlags()
_NO_PRACTISED_GAME_FLAGS = PractisedGameFlags()
_NO_CHECK_FLAGS = CheckFlags()
_NO_PRACTICE_FLAGS = PracticeFlags()


async def league(
    game: GameName,
    *bots: BotName,
    players: Annotated[PositiveInt | None, _IN_PLAYERS] = None,
    bot_cmd: Annotated[tuple[str, ...], _IN_PLAYERS] = (),
    acpc_cmd: Annotated[tuple[str, ...], _IN_PLAYERS] = (),
    duplicate: Annotated[Switch, Parameter(group=TOURNAMENT)] = False,
    sandbox: Annotated[Sandboxed, _IN_PLAYERS] = False,
    sandbox_python: Annotated[Pythons, _IN_PLAYERS] = (),
    page_port: Annotated[Port | None, Parameter(group=PAGE)] = None,
    open_cards: Annotated[Switch, Parameter(group=PAGE)] = False,
    options: GameFlags = _NO_GAME_FLAGS,
    tournament: TournamentFlags = _NO_TOURNAMENT_FLAGS,
    run: RunFlags = _NO_RUN_FLAGS,
    acpc: AcpcFlags = _NO_ACPC_FLAGS,
) -> int:
    """Play a whole league on this machine: the dealer, and every bot in a process of its own.

    The exit code is 1 if a program did not log in, died, or did not end by itself, although the others played on.

    Parameters
    ----------
    game
        What is played.
    bots
        House bots by name, or files with bots, such as learned.npz. Without names one of each plays, unless you add
        two other programs or more.
    players
        How many house bots play, if more than those named: they take the seats in turn.
    bot_cmd
        Another program to add, such as "java Poker {host} {port}". May be given several times.
    acpc_cmd
        The same for a program of the Annual Computer Poker Competition (ACPC), which plays hold'em with equal stacks in
        each hand.
    duplicate
        Deal everything again with the players rotated through all seats, so that luck cancels.
    page_port
        Show the league to browsers at this port; 0 takes a free one. Without it there is no page.
    open_cards
        Show hole cards on the page while the hand is played; programs can read them there, too.

    Examples
    --------
    # Four house bots in processes of their own. A seed deals the same cards.
    casino league stud tight tight caller maniac --hands 500 --seed monday
    # A program of yours against two house bots.
    casino league stud caller tight --bot-cmd "java -cp . Poker {host} {port}"
    # Everybody against everybody at a game for two.
    casino league dice dice-adaptive dice-equilibrium caller dice-four --hands 500
    """
    from dealer.hosting.hosted import run_hosted
    from dealer.hosting.league import play_league
    from dealer.settings import LeagueWords

    page = PageFlags(page_port, page_port is None, open_cards)
    pythons = tuple(str(folder.absolute()) for folder in sandbox_python)
    asked = LeagueWords(bots, bot_cmd, sandbox, acpc_cmd, pythons)
    league = play_league(game, named_options(options), asked, players, duplicate, tournament, run, page, acpc)
    return await run_hosted(league, as_json=run.json)


async def serve(
    game: GameName,
    *,
    hosting: HostFlags = _NO_HOST_FLAGS,
    ports: PortFlags = _NO_PORT_FLAGS,
    options: GameFlags = _NO_GAME_FLAGS,
    tournament: TournamentFlags = _NO_TOURNAMENT_FLAGS,
    run: RunFlags = _NO_RUN_FLAGS,
    limits: Limits = USUAL,
    page: PageFlags = _NO_PAGE_FLAGS,
    acpc: AcpcFlags = _NO_ACPC_FLAGS,
    show: ShowFlags = _NO_SHOW_FLAGS,
) -> int:
    """Host a tournament for programs on other machines.

    Parameters
    ----------
    game
        What is played.

    Examples
    --------
    # A class of six: starts when all are here; the journal is in this folder.
    casino serve stud --seats 6 --journal friday.journal
    # A school at many tables until one player has all chips, with a host's desk.
    casino serve stud --levels 50 --desk
    # Programs and people at one table; a person may think for three minutes.
    casino serve stud --seats 4 --people 3
    """
    from dealer.hosting.hosted import run_hosted
    from dealer.hosting.serve import serve_tournament

    work = serve_tournament(game, named_options(options), hosting, ports, tournament, run, limits, page, acpc, show)
    return await run_hosted(work, as_json=run.json)


async def resume(
    file: Path,
    *,
    flags: ResumeFlags = _NO_RESUME_FLAGS,
    ports: PortFlags = _NO_PORT_FLAGS,
    run: RunFlags = _NO_RUN_FLAGS,
    limits: Limits = USUAL,
    page: PageFlags = _NO_PAGE_FLAGS,
) -> int:
    """Play on a tournament whose dealer died: with the same players, from the stacks after the last finished hand.

    Parameters
    ----------
    file
        The journal of the tournament.

    Examples
    --------
    # Wait for the same players, and play on.
    casino resume friday.journal
    """
    from dealer.hosting.hosted import run_hosted
    from dealer.hosting.serve import resume_tournament

    return await run_hosted(resume_tournament(file, flags, ports, run, limits, page), as_json=run.json)


async def desk(
    address: str,
    command: Literal[Command, "download"],
    *words: str,
    tournament: PositiveInt | None = None,
    yes: Switch = False,
    json: Switch = False,
) -> int:
    """Give an order to a tournament that is hosted with --desk.

    The token is the one that the dealer's terminal shows. It is asked for, or taken from the environment: CASINO_TOKEN.

    Parameters
    ----------
    address
        Of the dealer's page, such as 192.168.1.20:8080.
    command
        What to do.
    words
        What some orders need: length MINUTES (of the rest), pace SECONDS (of a hand, 0 to 5), remove PLAYER REASON (all
        may read it), readmit PLAYER, message TEXT (without one it goes), download WHAT (journal, report, grades) FILE.
    tournament
        The number of the tournament to download, where a dealer has hosted several; by default the last one.
    yes
        Do not ask for confirmation.
    json
        Print the results as JSON.

    Examples
    --------
    # Who is here, and how things stand.
    casino desk 192.168.1.20:8080 show
    # Pause after the hand under way; resume lets it go on.
    casino desk 192.168.1.20:8080 pause
    casino desk 192.168.1.20:8080 remove Steph "two programs of one student"
    """
    if command == "download":
        from dealer.web.admin.remote_desk import download

        return download(address, words, tournament, json)
    from dealer.web.admin.remote_desk import run_desk

    return run_desk(address, command, words, yes, json)


async def page(
    address: str,
    *,
    page_port: Annotated[Port | None, Parameter(group=PAGE)] = None,
    host: Annotated[str, Parameter(group=PAGE)] = "127.0.0.1",
) -> int:
    """Show a tournament that a dealer elsewhere plays, on a page that this machine serves, and give it orders.

    The dealer must be started with --feed-port and --desk. The token is the one that its terminal shows. It is asked
    for, or taken from the environment: CASINO_TOKEN.

    Parameters
    ----------
    address
        Of the dealer's feed, such as 192.168.1.20:9000.
    page_port
        Where browsers find the page; 0 takes a free port. By default 8080, or a free port if that is taken.
    host
        The local address of the page; by default only browsers on this machine find it. 0.0.0.0 is for all.

    Examples
    --------
    # On the laptop beside the projector.
    casino page 192.168.1.20:9000
    """
    from dealer.cli.output import complain
    from dealer.errors import CasinoError
    from dealer.hosting.hosted import run_hosted
    from dealer.hosting.own_page import find_dealer, show_page
    from dealer.web.serving import PagePlace

    try:
        dealer, token = find_dealer(address)  # before signals are taken: Ctrl-C ends the question for the token
    except CasinoError as error:
        return complain(error)
    return await run_hosted(show_page(dealer, token, PagePlace(host, page_port)), as_json=False)


async def verify(
    file: Path,
    *,
    commitment: str | None = None,
    head: str | None = None,
    json: Switch = False,
) -> int:
    """Check a journal: every deck follows from the seed, every action was legal, every chip is where it should be.

    Parameters
    ----------
    file
        The journal of a tournament.
    commitment
        What the dealer showed before the first hand.
    head
        What the dealer showed at the end. With it, a record that was altered, added or cut off since is found.
    json
        Print the results as JSON.

    Examples
    --------
    casino verify friday.journal
    """
    from dealer.audit.verify import verify_journal

    return verify_journal(file, _digest(commitment), _digest(head), json)


def _digest(text: str | None) -> str | None:
    """A digest as it was copied from somewhere, in the form in which it is compared."""
    return None if text is None else text.strip().lower()


async def replay(
    file: Path,
    *,
    hand: PositiveInt | None = None,
    table: NonNegativeInt | None = None,
    seat: str | None = None,
    speed: NonNegativeFloat = 1.0,
    json: Switch = False,
    csv: Switch = False,
    export: Literal["phh", "acpc"] | None = None,
    page: ReplayPageFlags = _NO_REPLAY_PAGE_FLAGS,
    web: ReplayFileFlags = _NO_REPLAY_FILE_FLAGS,
) -> int:
    """Watch a recorded tournament, hand by hand.

    Parameters
    ----------
    file
        The journal of a tournament.
    hand
        Only the hand with this number; with --page, the hand to begin with.
    table
        Only this table; tables count from 0.
    seat
        Only what this seat could see: its number from 0, or a player's id or avatar.
    speed
        How many times faster than a class can follow; 0 makes no pauses, and prints hands as lines.
    json
        Print a line of JSON a hand.
    csv
        Print a line of CSV an action.
    export
        Print hand histories of hold'em for other programs: PHH, or the log of a match of the ACPC.

    Examples
    --------
    # Watch every hand here, in a file for a browser, or on the page for a class.
    casino replay friday.journal
    casino replay friday.journal --web
    casino replay friday.journal --page
    # One hand, with the cards that one player could see.
    casino replay friday.journal --hand 12 --seat Steph
    """
    from dealer.cli.output import complain, report_errors
    from dealer.errors import OptionError
    from dealer.replay.journal_reader import Choice
    from dealer.replay.show import replay_journal

    if web != _NO_REPLAY_FILE_FLAGS:
        from dealer.replayer.command import check_file_flags, write_replay

        try:
            check_file_flags(web, page != _NO_REPLAY_PAGE_FLAGS or json or csv or export is not None)
        except OptionError as error:
            return complain(error)
        return write_replay(file, Choice(hand, table, seat), web.out)
    if page != _NO_REPLAY_PAGE_FLAGS:
        from dealer.hosting.hosted import run_hosted
        from dealer.hosting.replay_page import check_page_flags, replay_on_page

        try:
            check_page_flags(page, Choice(hand, table, seat), json or csv or export is not None)
        except OptionError as error:
            return complain(error)
        return await run_hosted(replay_on_page(file, hand or 1, speed, page), as_json=False)
    if not (json or csv or export is not None):
        from dealer.hosting.replay_screen import can_watch, watch_replay

        if can_watch(speed):
            return await report_errors(watch_replay(file, Choice(hand, table, seat), speed))
    return replay_journal(file, Choice(hand, table, seat), json, csv, export)


async def import_hands(
    *files: Path,
    journal: Path | None = None,
    strict: Switch = False,
    json: Switch = False,
) -> int:
    """Play hand histories of other programs through the rules, say what differs, and make a journal of them.

    Parameters
    ----------
    files
        Hands of Texas Hold'em in PHH: one in a file (.phh), or several (.phhs). Folders are searched for such files.
    journal
        A new file for a journal of the hands, which replay, report and verify read.
    strict
        Stop at the first hand that the rules do not know, instead of counting it.
    json
        Print the results as JSON.

    Examples
    --------
    # Say what differs from the rules, or make a journal of the hands.
    casino import hands.phhs
    casino import hands.phhs --journal hands.journal
    # All files of a folder; hands of other games are counted and skipped.
    casino import histories
    """
    from dealer.replay.phh.command import import_files

    return import_files(files, json, journal, strict=strict)


async def report(
    file: Path,
    *,
    out: Path,
    roster: Path | None = None,
    rubric: Path | None = None,
    checks: Path | None = None,
    anonymous: Switch = False,
    unfinished: Switch = False,
    json: Switch = False,
) -> int:
    """Write what everybody takes home: a page with figures, standings, grades, and every player's own transcript.

    Parameters
    ----------
    file
        The journal of a tournament.
    out
        The folder to write to: a new or empty one, or one that holds an earlier report, which is replaced.
    roster
        Who was expected: a file with one id a line, or CSV lines of id and name.
    rubric
        A TOML file with your own points for grades.csv.
    checks
        Results of casino check --json: a folder of files ID.json, or of folders ID with a results.json; or one file.
    anonymous
        Leave out ids and names; players are told apart by avatar and number.
    unfinished
        Report a tournament that has not ended, although its hole cards are told. For the host's eyes only.
    json
        Print the results as JSON.

    Examples
    --------
    # A page, grades, and a transcript for each student.
    casino report friday.journal --out friday
    # The same with the names of the class, and who did not come.
    casino report friday.journal --out friday --roster class.csv
    # Points by your own rubric, with the results of casino check.
    casino report friday.journal --out friday --rubric rubric.toml --checks checks
    """
    from dealer.report.write import ReportOptions, write_report

    return write_report(ReportOptions(file, out, roster, anonymous, unfinished, json, rubric, checks))


async def check(
    game: GameName,
    *command: str,
    options: CheckedGameFlags = _NO_CHECKED_GAME_FLAGS,
    flags: CheckFlags = _NO_CHECK_FLAGS,
) -> int:
    """Test a program against the rules: every message it gets wrong, why, and points as in the rubric.

    Parameters
    ----------
    game
        What the program plays.
    command
        What starts the program, behind --, such as: -- java Poker {host} {port}

    Examples
    --------
    casino check stud -- python3 poker.py {host} {port}
    # Exit code 0 from 80 per cent of the points, for a script.
    casino check stud --pass 80 -- python3 poker.py {host} {port}
    """
    from dealer.checker.check import check_program

    return await check_program(game, command, flags, named_options(options))


async def practice(
    game: PractisedGameName,
    *command: str,
    options: PractisedGameFlags = _NO_PRACTISED_GAME_FLAGS,
    flags: PracticeFlags = _NO_PRACTICE_FLAGS,
) -> int:
    """Let a program practise against house bots: its places, where it wins and loses, and its worst decisions.

    Parameters
    ----------
    command
        What starts the program, behind --, such as: -- java Poker {host} {port}

    Examples
    --------
    casino practice stud -- python3 poker.py {host} {port}
    # Against one house bot.
    casino practice stud --against tight -- python3 poker.py {host} {port}
    """
    from dealer.hosting.hosted import run_hosted
    from dealer.practice.practice import practise

    return await run_hosted(practise(game, command, flags, named_options(options)), as_json=flags.json)
