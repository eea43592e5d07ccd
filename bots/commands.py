"""What the bots' commands take from the command line. Their work is imported when they run."""

import sys
import traceback
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.types import NonNegativeFloat, Port, PositiveInt

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
    lines: Annotated[bool, Parameter(negative=())] = False,
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
    """
    from random import Random

    from bots.client import ClientError, connect, play
    from bots.strategy import StrategyError, load_maker
    from protocol.wire.framing import LineFraming, UtfFraming
    from protocol.wire.messages import Name, ProtocolError

    def say(text: str) -> None:
        print(f"{name}: {text}", file=sys.stderr, flush=True)

    try:
        strategy = load_maker(name)(Random(seed))
        who = Name(id or name, avatar or name)
    except (LookupError, ProtocolError) as error:
        say(str(error))
        return BAD_USAGE
    try:
        with connect(host, port, patience, say) as sock:
            reason = play(sock, LineFraming() if lines else UtfFraming(), who, strategy)
    except ClientError as error:
        say(str(error))
        return FAILED
    except StrategyError as error:
        _show_origin(error)
        say(str(error))
        return FAILED
    print(f"{name}: {reason}")
    return 0


def simulate(
    game: Literal["stud"],
    *bots: str,
    hands: PositiveInt = 10_000,
    stack: PositiveInt = 500,
    ante: PositiveInt = 1,
    reset_stacks: Annotated[bool, Parameter(negative=())] = False,
    seed: str = "casino",
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Play house bots against each other in this process, and say who wins how much.

    Parameters
    ----------
    game
        What is played.
    bots
        House bots by name, in seat order.
    hands
        Hands to play.
    stack
        Chips everybody starts with.
    ante
        Chips everybody puts in before each hand.
    reset_stacks
        Give everybody the first stack again before every hand.
    seed
        Any text; the same text gives the same result.
    json
        Print the results as JSON.
    """
    from bots.simulate import BrokenBotError, SimulationError, run_simulation

    try:
        run_simulation(bots, hands, stack, ante, reset_stacks, seed, json)
    except SimulationError as error:
        print(f"casino: {error}", file=sys.stderr)
        return BAD_USAGE
    except BrokenBotError as error:
        _show_origin(error)
        print(f"casino: {error}", file=sys.stderr)
        return FAILED
    return 0


def _show_origin(error: BaseException) -> None:
    """The traceback of what a strategy raised, if it did: its author needs the line."""
    if error.__cause__ is not None:
        traceback.print_exception(error.__cause__)
