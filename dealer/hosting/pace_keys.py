"""What the host's keys do: pause, faster, slower and the next hand, before the start and during play."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from rich.console import Console

from dealer.hosting.keyboard import Keys
from dealer.tournament.scene import HURRY, Scene
from dealer.tournament.tournament import Tournament

_HELP = """Keys: space  pause, and go on
      +      faster
      -      slower
      n      in a pause: the next hand, slowly; else pause
      ?      this list"""


def hint(paused: bool) -> str:
    """What is shown of the keys where they can be pressed, during a pause or not."""
    return f"space {'goes on' if paused else 'pauses'}, ? lists the keys"


class PaceKeys:
    """The host's keys."""

    def __init__(self, keys: Keys, scene: Scene, console: Console) -> None:
        self.keys = keys
        self._scene = scene
        self._console = console

    async def heed(self) -> None:
        """Do what every key stands for, until there are no keys any more."""
        while (pressed := await self.keys.pressed()) is not None:
            for key in pressed:
                self.take(key)

    def take(self, key: str) -> None:
        """Do what a key stands for; other keys do nothing."""
        way = self._WAYS.get(key)
        if way is None:
            return
        tournament = self._scene.tournament
        if tournament is not None and (tournament.over or tournament.stopping or not tournament.started):
            return
        self._console.print(way(self, tournament), highlight=False)

    def _pause(self, tournament: Tournament | None) -> str:
        if tournament is None:
            paused = not self._scene.orders.paused
            self._scene.orders = replace(self._scene.orders, paused=paused)
            return f"The tournament will begin {'with' if paused else 'without'} a pause."
        if tournament.tempo.paused:
            tournament.resume()
            return "The tournament goes on."
        tournament.pause()
        return "Paused: every table finishes its hand. Space goes on, n deals one hand."

    def _next(self, tournament: Tournament | None) -> str:
        if tournament is None or not tournament.tempo.paused:
            self._scene.orders = replace(self._scene.orders, paused=False)
            return self._pause(tournament)
        tournament.step()
        return "One hand, slowly."

    def _faster(self, _: Tournament | None) -> str:
        return self._scene.hurry(1 / HURRY)

    def _slower(self, _: Tournament | None) -> str:
        return self._scene.hurry(HURRY)

    def _help(self, _: Tournament | None) -> str:
        return _HELP

    _WAYS: Mapping[str, Callable[["PaceKeys", Tournament | None], str]] = {
        " ": _pause,
        "n": _next,
        "+": _faster,
        "=": _faster,
        "-": _slower,
        "?": _help,
    }
