"""What a program wrote last is shown as it wrote it, but for what would move a terminal's cursor."""

from io import StringIO

from rich.console import Console

from dealer.hosting.programs import Failure
from dealer.hosting.results import show_failures


def shown(line: str) -> str:
    out = StringIO()
    show_failures([Failure("bot.py", "ended with code 1", (line,))], Console(file=out, markup=False, emoji=False))
    return out.getvalue().splitlines()[1].strip()


def test_an_emoji_of_several_stays_one() -> None:
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    assert shown(f"no cards for {family}") == f"no cards for {family}"


def test_escapes_and_marks_of_direction_are_replaced() -> None:
    replaced = "\N{REPLACEMENT CHARACTER}"
    assert shown("\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}gone") == f"{replaced}[2J{replaced}gone"
