"""Programs that are versions of each other: the Python starter, and the same with something changed."""

import shlex
import sys
from pathlib import Path

STARTER = Path(__file__).parents[2] / "bots" / "starters" / "python" / "poker.py"

#: What starts the starter as it is.
STARTER_COMMAND = shlex.join([sys.executable, str(STARTER)]) + " {host} {port}"

#: A busy machine keeps this limit.
LIMIT = ("--limit", "30")


def starter_with(folder: Path, name: str, *changes: tuple[str, str]) -> str:
    """The command of the starter with parts of its text replaced."""
    text = STARTER.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return shlex.join([sys.executable, str(path)]) + " {host} {port}"


#: Calls with nothing, instead of folding: one rule that is worse.
CALLS_WITH_NOTHING = ("    return 0  # nothing to bet on", "    return owed  # nothing to bet on")

#: Ends when its hidden card is a king.
CRASHES = ("    values = [", '    if mine[0][0] == "K":\n        raise ValueError("no kings")\n    values = [')

#: Ends whenever it is asked.
ENDS = ("    fields = question", "    sys.exit('no idea')\n    fields = question")

#: Bets more than is allowed with a pair.
TOO_MUCH = ("{min(chips, owed + 10, stack)}", "{10 * chips}")
