"""What the bots' commands take from the command line. Their work is imported when they run."""

import sys
import traceback
from dataclasses import dataclass, fields
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.types import NonNegativeFloat, Port, PositiveFloat, PositiveInt
from cyclopts.validators import Number

Count = Annotated[int, Parameter(validator=Number(gte=1, lte=10**9))]
Switch = Annotated[bool, Parameter(negative=())]

#: Processes; more than machines have cores, and few enough to be started.
MAX_JOBS = 256

FAILED = 1
BAD_USAGE = 2


def bot(
    name: str,
    host: str,
    port: Port,
    *,
    id: str | None = None,
    avatar: str | None = None,
    seed: str | None = None,
    patience: NonNegativeFloat = 30.0,
    lines: Switch = False,
    secret: Annotated[str | None, Parameter(env_var="CASINO_SECRET")] = None,
    rejoin: Switch = False,
) -> int:
    """Connect a house bot to a dealer on this or another machine.

    Parameters
    ----------
    name
        The house bot.
    host
        The dealer's address.
    port
        The dealer's port.
    id
        Who it plays for; its own name by default.
    avatar
        What everybody sees; its own name by default.
    seed
        Any text; the same text makes the same random choices.
    patience
        Seconds to go on trying while the dealer is not up yet.
    lines
        Send lines of text instead of writeUTF frames, to the dealer's other port.
    secret
        What a dealer started with --secrets asks for; anything, but the same when the player comes back.
    rejoin
        Connect and log in again whenever the connection is lost.
    """
    from random import Random

    from bots.client import ClientError, ConnectionLostError, connect, play
    from bots.strategy import StrategyError, load_maker
    from protocol.wire.framing import LineFraming, UtfFraming
    from protocol.wire.messages import Name, ProtocolError

    def say(text: str) -> None:
        print(f"{name}: {text}", file=sys.stderr, flush=True)

    try:
        maker = load_maker(name)
        strategy = maker(Random(seed))
        who = Name(id or name, avatar or name, secret)
    except (LookupError, ProtocolError) as error:
        say(str(error))
        return BAD_USAGE
    framing = LineFraming() if lines else UtfFraming()
    reason = None
    try:
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


@Parameter(name="*", group="Stud only")
@dataclass(frozen=True)
class StudFlags:
    """What only stud knows.

    Parameters
    ----------
    ante
        Chips everybody puts in before each hand.
    reset_stacks
        Give everybody the first stack again before every hand.
    """

    ante: PositiveInt = 1
    reset_stacks: Switch = False


@Parameter(name="*", group="Blockhead only")
@dataclass(frozen=True)
class BlockheadFlags:
    """What only blockhead knows.

    Parameters
    ----------
    games
        Games to play: 10,000; with --cross 1,000 by each two bots.
    ranks
        What wins a hand: the sum of card values, or real poker hands.
    duplicate
        Deal each game again with the seats changed round: luck with cards evens out.
    until
        Stop as soon as the games are decided at this level, such as 0.01.
    cross
        Let every two bots play each other, and print one table.
    report
        A new HTML file with figures, to be read without a network.
    jobs
        Processes that share the work; the result does not depend on it.
    engine
        What plays: the arena, on the cards of a dealer with the same seed, or the
        compiled kernel, much faster, which not every bot has. If not given, the
        kernel where it can.
    """

    games: Count | None = None
    ranks: Literal["blockhead", "poker"] = "blockhead"
    duplicate: Switch = False
    until: Annotated[float | None, Parameter(validator=Number(gt=0, lt=1))] = None
    cross: Switch = False
    report: Path | None = None
    jobs: Annotated[int, Parameter(validator=Number(gte=1, lte=MAX_JOBS))] = 1
    engine: Literal["arena", "kernel"] | None = None


_NO_STUD_FLAGS = StudFlags()
_NO_BLOCKHEAD_FLAGS = BlockheadFlags()


def simulate(
    game: Literal["stud", "blockhead"],
    *bots: str,
    players: PositiveInt | None = None,
    hands: Count | None = None,
    stack: Count | None = None,
    seed: str = "casino",
    json: Switch = False,
    stud: StudFlags = _NO_STUD_FLAGS,
    blockhead: BlockheadFlags = _NO_BLOCKHEAD_FLAGS,
) -> int:
    """Play house bots against each other in this process, and say who wins how much.

    Parameters
    ----------
    game
        What is played.
    bots
        House bots by name, in seat order.
    players
        How many play, if more than the bots named: those take the seats in turn.
    hands
        Hands to play: 10,000 of stud in all, 20 in each game of blockhead.
    stack
        Chips everybody starts with: 500 in stud, 1000 in blockhead.
    seed
        Any text; the same text gives the same result.
    json
        Print the results as JSON.
    """
    from bots.simulation.simulation_errors import BrokenBotError, SimulationError

    try:
        bots = _seated(bots, players)
        if game == "stud":
            from bots.simulation.stud import run_simulation

            _refuse(blockhead, _NO_BLOCKHEAD_FLAGS, "blockhead")
            run_simulation(bots, hands or 10_000, stack or 500, stud.ante, stud.reset_stacks, seed, json)
        else:
            from bots.simulation.blockhead import run_blockhead

            _refuse(stud, _NO_STUD_FLAGS, "stud")
            run_blockhead(bots, hands, stack, seed, json, blockhead)
    except SimulationError as error:
        print(f"casino: {error}", file=sys.stderr)
        return BAD_USAGE
    except BrokenBotError as error:
        _show_origin(error)
        print(f"casino: {error}", file=sys.stderr)
        return FAILED
    return 0


def _seated(bots: tuple[str, ...], players: int | None) -> tuple[str, ...]:
    """The bots at ``players`` seats, taken in turn."""
    from bots.simulation.simulation_errors import SimulationError

    if players is None:
        return bots
    if not 0 < len(bots) <= players:
        raise SimulationError(f"--players {players} is for 1 to {players} bots, got {len(bots)}")
    return tuple(islice(cycle(bots), players))


def _refuse(flags: StudFlags | BlockheadFlags, untouched: object, game: str) -> None:
    """Complain about a flag that only another game knows."""
    from bots.simulation.simulation_errors import SimulationError

    for field in fields(flags):
        if getattr(flags, field.name) != getattr(untouched, field.name):
            raise SimulationError(f"--{field.name.replace('_', '-')} is for {game} only")


def new(directory: Path, *, lang: Literal["python", "java", "cpp"]) -> int:
    """Make a folder with a player to start from: it connects, keeps the rules, and waits for your strategy.

    Parameters
    ----------
    directory
        A new folder, or one that holds none of the files yet; nothing is overwritten.
    lang
        The language to write in.
    """
    from bots.new_program import NewFolderError, copy_starter

    try:
        print(copy_starter(directory, lang))
    except NewFolderError as error:
        print(f"casino: {error}", file=sys.stderr)
        return BAD_USAGE
    return 0


def bench_simulate(*, seconds: PositiveFloat = 2.0, json: Switch = False) -> int:
    """Measure how many hands of blockhead this machine simulates in a second: arena and compiled kernel.

    Parameters
    ----------
    seconds
        How long each measurement takes.
    json
        Print the results as JSON.
    """
    from bots.simulation.kernel_bench import run_bench
    from bots.simulation.simulation_errors import SimulationError

    try:
        run_bench(seconds, json)
    except SimulationError as error:
        print(f"casino: {error}", file=sys.stderr)
        return FAILED
    return 0


def _show_origin(error: BaseException) -> None:
    """The traceback of what a strategy raised, if it did: its author needs the line."""
    if error.__cause__ is not None:
        traceback.print_exception(error.__cause__)
