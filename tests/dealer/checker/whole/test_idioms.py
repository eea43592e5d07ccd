"""Sound programs in six languages, each in the ways that the language has to talk: none of them is accused."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from dealer.checker.cases.game_cases import find_cases
from dealer.checker.check import HOST, PATIENCE
from dealer.checker.scoring.verdict import judge
from dealer.checker.session.examiner import Examiner
from dealer.checker.session.program_run import Launch, run_program
from dealer.lobby.listener import open_listener
from tests.dealer.checker.checked import WHERE, all_at_once, needs
from tests.dealer.checker.conftest import CI, compiled

SOUND = Path(__file__).parents[3] / "bad_bots" / "sound"

IDIOMS = {
    "python": ("plain", "two-writes", "buffered", "bytes", "thread", "polling", "select", "asyncio", "half-close",
               "no-close"),
    "java": ("plain", "two-writes", "buffered", "bytes", "one-write", "thread", "polling", "half-close"),
    "cpp": ("plain", "two-writes", "stdio", "bytes", "writev", "thread", "polling", "poll", "wait-all", "half-close"),
    "node": ("plain", "two-writes", "cork", "bytes", "timer", "readable", "async", "half-open", "destroy", "exit"),
    "perl": ("plain", "two-writes", "buffered", "bytes", "select", "half-close"),
    "bash": ("plain", "two-writes", "bytes", "crlf", "polling", "characters", "process"),
}  # fmt: skip


async def not_accused(command: Sequence[str], lines: bool) -> None:
    """Check a program by all parts but the longest two, which judge how it plays."""
    cases = find_cases("stud")
    listener = await open_listener(HOST, 0, 30.0, lines=lines, flag="--listen")
    launch = Launch(listener, HOST, [*command, *WHERE], PATIENCE, lambda _: None)
    examiner = Examiner(partial(run_program, launch), cases, 30.0, lambda *_: None)
    await examiner.examine(cases.parts("idioms", 20)[:4])
    for sock in listener.sockets:
        sock.socket.close()
    findings = examiner.findings
    assert not findings.kept, [(finding.what, finding.cause, finding.said) for finding in findings.kept]
    wrong = [line.line.id for line in judge(findings, cases.rubric).lines if line.verdict == "failed"]
    assert not wrong
    assert findings.checks["closes"] == 4


async def test_sound_program_is_not_accused(tmp_path: Path, bad_java: Path) -> None:
    needs("g++", CI)
    compiled(tmp_path, "g++", "-std=c++11", "-pthread", str(SOUND / "idioms.cpp"), "-o", str(tmp_path / "idioms"))
    commands = {
        "python": [sys.executable, str(SOUND / "idioms.py")],
        "java": ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(bad_java), "Idioms"],
        "cpp": [str(tmp_path / "idioms")],
        "node": ["node", str(SOUND / "idioms.js")],
        "perl": ["perl", str(SOUND / "idioms.pl")],
        "bash": ["bash", str(SOUND / "idioms.sh")],
    }
    for language in commands:
        needs(commands[language][0], CI)
    await all_at_once(
        {
            f"{language} {idiom}": partial(not_accused, [*commands[language], idiom], language == "bash")
            for language, idioms in IDIOMS.items()
            for idiom in idioms
        }
    )
