"""What is agreed about programs of the Annual Computer Poker Competition (ACPC): names, limits, and options."""

from collections.abc import Mapping

from dealer.cli.flags import AcpcFlags, TournamentFlags
from dealer.errors import OptionError
from dealer.settings import AcpcTerms
from protocol.games.game import Game
from protocol.wire.messages import Name, ProtocolError
from protocol.wire.text import game_texts, load_text


def acpc_terms(flags: AcpcFlags) -> AcpcTerms:
    """How programs of the ACPC take part.

    Raises:
        OptionError: a name is no id, or comes twice.
    """
    names = tuple(name.strip() for name in flags.acpc_names.split(",")) if flags.acpc_names is not None else ()
    for name in names:
        try:
            Name(name, name)
        except ProtocolError as error:
            raise OptionError(f"--acpc-names: {error}; give ids with commas between them") from None
    if len(set(names)) < len(names):
        raise OptionError(f"--acpc-names: each player needs a name of its own, got {flags.acpc_names}")
    return AcpcTerms(names, flags.acpc_limit, flags.strict, flags.acpc_average or None)


def time_words(terms: AcpcTerms) -> str:
    """How much time their answers may take: "with 7 s an answer, 7 s a hand on average"."""
    average = "" if terms.average is None else f", {terms.average:g} s a hand on average"
    return f"with {terms.limit:g} s an answer{average}"


def check_no_acpc(flags: AcpcFlags, missing: str) -> None:
    """Check that no flag for programs of the ACPC is given where none can take part.

    Raises:
        OptionError: one is; the text names the flag that is missing.
    """
    if flags != AcpcFlags():
        raise OptionError(
            f"--acpc-names, --acpc-limit, --acpc-average and --strict are for programs of the ACPC; give {missing} too"
        )


def acpc_options(game: Game | type[Game]) -> Mapping[str, int | str]:
    """The options of a game that programs of the ACPC need.

    Raises:
        OptionError: they cannot play this game.
    """
    text = load_text(game.name).acpc
    if text is None:
        known = " and ".join(name for name in game_texts() if load_text(name).acpc is not None)
        raise OptionError(f"programs of the ACPC do not play {game.name}; they play {known}")
    return text.options


def check_acpc(flags: TournamentFlags) -> None:
    """Check that a tournament can be told to programs of the ACPC.

    Raises:
        OptionError: stakes rise, or players move between tables, and their protocol cannot say so.
    """
    if flags.rising:
        flag = "--levels" if flags.level_table is None else "--level-table"
        raise OptionError(f"{flag}: programs of the ACPC cannot be told that blinds rise; leave it out")
    if flags.table_size is not None:
        raise OptionError("--table-size: players of the ACPC sit at one table and do not move; leave it out")
    if flags.series != 1:
        raise OptionError("--series: programs of the ACPC cannot be told that players have left; give --games")
