"""Transcripts of checks and tournaments are judged, and other files are refused."""

from pathlib import Path

import pytest

from dealer.checker.session.transcript_format import write_transcript
from tests.bad_bots import programs
from tests.dealer.checker.checked import failed
from tests.dealer.checker.in_process import checked
from tests.dealer.checker.mistakes import MISTAKES, RARE
from tests.dealer.checker.test_transcripts import judged

#: Programs whose mistakes no message shows, or a message that was not asked for.
QUICK = ("CrashesOnDone", "KeepsRunning", "ConnectsTwice", "AnswersStatus", "ReadsAhead", "IntLength", "PlaysOneHand")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.heavy if name not in QUICK and number % 4 else ())
        for number, name in enumerate({**MISTAKES, **RARE})
        if name not in ("EndsAtOnce", "NeverConnects")  # no connection, no transcript
    ],
)
def test_transcript_is_charged_the_same_lines_as_the_program(name: str, tmp_path: Path) -> None:
    live = checked(getattr(programs, name), "a", "1.0", hands=40)
    path = tmp_path / "transcript.txt"
    write_transcript(path, live.tapes, lines_port=False)
    again = judged(path)
    assert failed(again) == failed(live.results) != set()
    assert again.findings.names == live.results.findings.names
