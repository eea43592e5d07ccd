"""Three short tournaments in which about everything happens that a replay can show.

``python -m tests.dealer.support.golden_replays`` writes the golden files anew; read them before you keep them.
"""

import tempfile
from io import BytesIO, TextIOWrapper
from pathlib import Path

from rich.console import Console

from dealer.faults import Fault, FaultKind
from dealer.replay.journal_reader import Choice, replay_items
from dealer.replay.show import print_replay
from dealer.settings import Settings
from protocol.games.base import FOLD, Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame
from tests.dealer.support.scribe import Scribe, players

FOLDER = Path(__file__).parents[1] / "replay" / "golden"

#: A seed whose first hand of three players ties at a showdown of Blockhead.
TIE = bytes([3]) * 32

LATE = Fault(FaultKind.LATE, "no complete reply within 1 s")
#: A program that sends back what it was told, its hole card included.
ECHO = Fault(
    FaultKind.MALFORMED, "expected 'fold' or 'bet:<chips>', got '[bold]bet2:48:8:0\x1b[2J: my hole card is 9C'"
)


def write_stud(path: Path) -> Path:
    """Four players: one writes nonsense, one comes and goes, and the dealer is started again."""
    avatars = ("Amit", "Brian", "[red]Carlos[/red]", "德妮絲 :pizza:")
    scribe = Scribe(Settings(bytes(32), StudGame(60, 2), hands=6, rejoin=30.0), players(*avatars))
    amit, _, carlos, denise = scribe.players
    scribe.game()
    scribe.hand(lambda player, turn: ECHO if player is carlos and turn.street == 2 else Bet(turn.owed or 5))
    scribe.hand(lambda player, turn: FOLD if player is not amit else Bet(turn.owed))
    scribe.hand(lambda player, turn: FOLD if player is denise else Bet(min(turn.owed + 10, turn.stack)))
    scribe.away(denise)
    scribe.hand(lambda player, turn: None if player is denise else Bet(turn.owed))
    scribe.resume()
    scribe.back(denise)
    scribe.hand(lambda player, turn: Bet(turn.owed))
    scribe.end()
    return scribe.write(path)


def write_blockhead(path: Path) -> Path:
    """Two games between three players: a pot is carried over, one player is late; the second game is not over."""
    settings = Settings(TIE, BlockheadGame(100, 2), hands=2, games=2, table_size=6)
    scribe = Scribe(settings, players("Amit", "Brian", "Carlos"))
    amit, _, carlos = scribe.players
    scribe.game()
    scribe.hand(lambda player, turn: Bet(0))
    scribe.hand(lambda player, turn: FOLD if turn.owed else Bet(10 if player is carlos else 0))
    scribe.game()
    scribe.hand(
        lambda player, turn: LATE if player is carlos else Bet(9 if player is amit and not turn.owed else turn.owed)
    )
    return scribe.write(path)


def write_hosted(path: Path) -> Path:
    """Five players at two tables: one is removed, one moves, one goes broke, a table is broken, a round begins."""
    settings = Settings(bytes(32), StudGame(40, 2), hands=3, table_size=3, levels=2, rounds=2)
    scribe = Scribe(settings, players("Amit", "Brian", "Carlos", "Denise", "Steph"))
    scribe.desk("pace", seconds=1.5)
    for table in (0, 1):
        scribe.game(table)
        scribe.hand(lambda player, turn: Bet(turn.owed), table)
    scribe.remove(scribe.players[3], "plays for another student")
    scribe.between_hands()
    scribe.hand(lambda player, turn: Bet(min(turn.owed + 10, turn.stack)), 0)
    scribe.desk("pause")
    scribe.desk("resume")
    scribe.hand(lambda player, turn: FOLD if turn.owed else Bet(5), 1)
    scribe.between_hands()
    scribe.hand(lambda player, turn: Bet(turn.owed), 1)
    scribe.desk("level")
    scribe.level()
    scribe.round()
    for table in (2, 3):
        scribe.game(table)
    scribe.hand(lambda player, turn: Bet(turn.owed), 3)
    scribe.desk("end")
    scribe.end()
    return scribe.write(path)


#: The golden files: what was recorded, and what of it was asked for.
REPLAYS = {
    "stud": (write_stud, Choice()),
    "stud_seen_by_brian": (write_stud, Choice(seat="p1")),
    "hosted": (write_hosted, Choice()),
    "hosted_seen_by_carlos": (write_hosted, Choice(seat="p2")),
    "blockhead": (write_blockhead, Choice()),
    "blockhead_seen_from_seat_0": (write_blockhead, Choice(seat="0")),
}


def replayed(name: str, folder: Path) -> str:
    """What is printed for a width of 80 columns."""
    write, choice = REPLAYS[name]
    return painted(write(folder / "a.journal"), choice)


def painted(path: Path, choice: Choice, columns: int = 80, encoding: str = "utf-8") -> str:
    """A journal as it is printed."""
    file = TextIOWrapper(BytesIO(), encoding, errors="replace", newline="\n")
    print_replay(replay_items(path, choice), Console(file=file, width=columns, highlight=False))
    file.seek(0)
    return file.read()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for name in REPLAYS:
            (FOLDER / f"{name}.txt").write_text(replayed(name, Path(scratch)), "utf-8")
