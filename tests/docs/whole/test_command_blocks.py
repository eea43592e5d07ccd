"""The command lines of the documentation that end by themselves are run, with fewer hands than the pages name."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
import trio

from tests.bots.environments.untrained import save_untrained
from tests.docs.pages import ROOT, blocks, page
from tests.docs.shell import search_path
from tests.docs.test_command_lines import PAGES, command_lines
from tests.end_to_end.casino import ENVIRONMENT, Outcome
from tests.end_to_end.forked import run_forked
from tests.patience import PATIENCE

#: Commands that end by themselves and need nothing but the files of ``folder``. Each of the others has its own tests.
ALONE = {"league", "simulate", "new", "verify", "replay", "report"}

#: Words of lines that need something else: Java, a sandbox, programs of the ACPC, the bot just explained, a journal
#: of another game, a page that stays open until it is ended, a cluster.
NEEDS = re.compile(
    r"\bjava\b|--sandbox|\bspades\b|\{host\}.*poker \{host\}|--export phh|--export acpc|replay.*--page|--acpc-cmd|tcp://"
)


def shortened(words: list[str]) -> list[str]:
    """A command line that plays a little of what it says."""
    short = list(words)
    hands = "4" if words[0] == "simulate" else "20"
    for flag, few in (("--hands", hands), ("--games", "2"), ("--series", "2"), ("--levels", "2")):
        if flag in short:
            short[short.index(flag) + 1] = few
    if words[0] == "league" and not {"--hands", "--games", "--levels"} & set(words):
        short += ["--hands", "5"]
    if words[0] == "league" and "--limit" not in words:
        short += ["--limit", "30"]
    if words[0] == "simulate" and not {"--hands", "--games"} & set(words):
        short += ["--games", "2"]
    return short


LINES = sorted(
    {
        shlex.join(shortened(words))
        for path in PAGES
        for words in command_lines(path)
        if words[:1] and words[0] in ALONE and not NEEDS.search(" ".join(words))
    }
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the pages speak of: a journal, a bot, and the roster, rubric and checks of a class."""
    made = tmp_path_factory.mktemp("docs")
    search_path(made / "bin")
    shutil.copytree(ROOT / "bots" / "starters" / "python", made / "starter")
    for name in ("poker.py", "mybot.py"):
        shutil.copy(made / "starter" / "poker.py", made / name)
    (made / "class.csv").write_text("id,name\nsteph,Steph K.\ncaller,Cal L.\n")
    (rubric,) = (body for kind, body in blocks(page("dealer/docs/after-the-tournament.md")) if kind == "toml")
    (made / "rubric.toml").write_text(rubric)
    for result in (made / "checks" / "caller.json", made / "submissions" / "caller" / "results.json"):
        result.parent.mkdir(parents=True)
        result.write_text('{"game": "stud", "points": 60, "of": 80}')
    save_untrained(made / "stud.npz", "stud")
    program = shlex.quote("python3 poker.py {host} {port}")
    recorded = "--hands 20 --limit 30 --seed docs --journal friday.journal"
    done = trio.run(run, f"league stud caller tight {recorded} --bot-cmd {program}", made)
    assert done.code == 0, done.err
    return made


async def run(line: str, folder: Path) -> Outcome:
    environment = {**ENVIRONMENT, "PATH": f"{folder / 'bin'}:{ENVIRONMENT['PATH']}", "PYTHONPATH": str(ROOT)}
    with pytest.MonkeyPatch.context() as patch, trio.fail_after(PATIENCE):
        patch.chdir(folder)
        done = await run_forked(shlex.split(line), b"", environment)
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_most_pages_have_lines_that_run() -> None:
    assert len(LINES) > 20


@pytest.mark.parametrize("line", LINES)
async def test_line_runs(line: str, folder: Path) -> None:
    # a new place for each, since nothing is replaced
    typed = re.sub(r"(--report|--out) \S+", rf"\1 new{LINES.index(line)}", line)
    if line.startswith("new"):
        shutil.rmtree(folder / "mybot", ignore_errors=True)
    done = await run(typed, folder)
    assert done.code == 0, done.out + done.err
    assert "Traceback" not in done.err
