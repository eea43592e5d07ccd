"""A progress bar on standard error, for whoever watches."""

from collections.abc import Iterable
from typing import TypeVar

from rich.console import Console
from rich.progress import track

T = TypeVar("T")


def watched(steps: Iterable[T], what: str, total: int) -> Iterable[T]:
    """``steps``, of which there are ``total``, shown as they come; the bar goes away at the end."""
    console = Console(stderr=True)
    # Where nobody watches, even a bar that goes away leaves a blank line behind.
    return track(steps, what, total, console=console, transient=True, disable=not console.is_terminal)
