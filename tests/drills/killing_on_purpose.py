"""A league whose dealer is killed by its players, at moves, levels, rounds and hands that have just begun."""

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import trio

from tests.drills.killer import STACK
from tests.drills.killing import LeagueDrill
from tests.drills.seed import SEED
from tests.end_to_end.casino import Running
from tests.patience import PATIENCE

KILLER = Path(__file__).with_name("killer.py")
PLAYERS = 9

#: Small tables and quick levels, so that players move and sit down anew all the time.
RESTLESS = ("--table-size", "3", "--levels", "4", "--series", "3")


@dataclass
class PurposeDrill(LeagueDrill):
    """See ``LeagueDrill``. Its players also compare the cards of every life of their dealer.

    Attributes:
        unfinished: for each id the first questions of hands that a dealer's death ended.
        compared: how many first questions were compared with those.
    """

    unfinished: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    compared: int = 0

    @property
    def bots(self) -> list[str]:
        return [self._guest(KILLER, f"killer-{number}") for number in range(PLAYERS)]

    async def kill_at(self, change: str) -> None:
        """Start or resume, and let a player kill the dealer when ``change`` has just happened."""
        (self.folder / "kill-at").write_text(f"{change} {SEED}/{self.seed}/{self.kills.total()}")
        await self.kill_once()

    async def play_to_the_end(self) -> None:
        (self.folder / "kill-at").write_text("")
        await super().play_to_the_end()

    def _draw_moment(self) -> str:
        return (self.folder / "kill-at").read_text().split(" ")[0]

    async def _wait_for(self, moment: str, size: int, running: Running, began: float) -> None:
        with trio.fail_after(PATIENCE):
            await running.process.wait()

    def _examine(self) -> None:
        for path in self.notes.iterdir():
            self._compare(path.name.split(".")[0], path.read_text().splitlines())
        super()._examine()

    def _compare(self, id: str, heard: list[str]) -> None:
        """No player is asked the same first question again after its dealer's death."""
        first, under_way = None, None
        for line in heard:
            if line.startswith("StudTurn(") and under_way is None:
                under_way = line
                first = first or line
            elif line.startswith("Status("):
                under_way = None
        # Only the first hand of a life is compared, so that no cards are the same by chance.
        assert first not in self.unfinished[id], f"{id} was dealt the same cards twice: {first}"
        self.compared += bool(first and self.unfinished[id])
        if under_way is not None:
            self.unfinished[id].append(under_way)

    def _bite(self) -> None:
        """Nothing: what a kill at a question leaves is looked at as it is."""


def purpose_drill(folder: Path, seed: int) -> PurposeDrill:
    """A drill whose players move and sit down anew all the time."""
    return PurposeDrill(folder, hands=1000, stack=STACK, seed=seed, agreed=RESTLESS)
