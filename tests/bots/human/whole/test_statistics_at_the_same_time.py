"""What a person has won, kept in a file that is never lost."""

import sys
from pathlib import Path
from subprocess import PIPE, Popen

from bots.human.play_statistics import (
    read_statistics,
)
from tests.patience import PATIENCE

#: A session: it adds a hand as often as its second argument says, as soon as it is told to begin.
SESSION = """
import sys
from pathlib import Path
from bots.human.play_statistics import StatisticsFile
from bots.human.updates import HandOver
print("ready", flush=True)
sys.stdin.readline()
for _ in range(int(sys.argv[2])):
    assert StatisticsFile(Path(sys.argv[1])).add("stud", "tight", HandOver(1, False, "")) == ""
"""


def test_sessions_at_the_same_time_lose_no_hand(tmp_path: Path) -> None:
    path, hands = tmp_path / "play.json", 60
    command = [sys.executable, "-c", SESSION, str(path), str(hands)]
    sessions = [Popen(command, stdin=PIPE, stdout=PIPE, text=True) for _ in range(3)]
    for session in sessions:
        assert session.stdout is not None
        assert session.stdout.readline() == "ready\n"
    for session in sessions:
        session.communicate("begin\n", timeout=PATIENCE)
    assert [session.returncode for session in sessions] == [0, 0, 0]
    assert read_statistics(path)["stud"]["tight"].hands == 3 * hands
