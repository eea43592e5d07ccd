"""AIs that crash, hang, end the program or touch the machine are reported, and the tournament goes on without them."""

import ctypes
from pathlib import Path

import pytest

from bots.bulk.played import Played, PlayerMeasures
from bots.bulk.round_robin import make_plan
from bots.bulk.standings import Standings, make_standings
from bots.bulk.supervisor import Limits
from tests.bots.bulk.authors import cpp, failing, played
from tests.compiled import needs

ROUNDS = 20_000

_DEEP = "int deep(int n) { volatile char much[9999]; much[n % 9] = n; return deep(n + 1) + much[2]; }"

#: What AIs do in one call, and words of what is said of them.
DEEDS = {
    "null pointer": ("*(volatile int *)op = 1; *(volatile int *)0 = 1;", "", "memory that is not its own"),
    "far index": ("table[30000000] = 1;", "static volatile int table[4];", "memory that is not its own"),
    "recursion": ("return deep(1);", _DEEP, "endless recursion"),
    "division": ("volatile int zero = 0; return b / zero;", "", "divided by zero"),
    "exception": ("throw 1;", "", "was aborted"),
    "abort": ("abort();", "", "was aborted"),
    "exit": ("exit(0);", "", "ended the program (exit code 0)"),
    "_exit": ("_exit(7);", "#include <unistd.h>", "ended the program (exit code 7)"),
    "file": ('FILE *f = fopen("out.txt", "w"); if (f) fputs("x", f);', "", "opened a file, which is forbidden"),
    "socket": ("return socket(AF_INET, SOCK_STREAM, 0);", "#include <sys/socket.h>", "opened a socket"),
    "fork": ("return fork();", "#include <unistd.h>", "started a process or a thread, which is forbidden"),
    "program": ('return system("touch out.txt");', "", "which is forbidden"),
    "kill": ("return kill(getppid(), 9);", "#include <signal.h>\n#include <unistd.h>", "which is forbidden"),
    "sleep": ("sleep(1000);", "#include <unistd.h>", "slept, which is forbidden"),
    "signals": ("signal(SIGSEGV, SIG_IGN);", "#include <signal.h>", "changed how it takes signals, which is forbidden"),
}  # fmt: skip


def play(house: list[str], natives: list[Path], folder: Path, limits: Limits | None = None) -> tuple[Standings, Played]:
    plan = make_plan(house, natives, [], ROUNDS, 1, "failing")
    found = played(plan, folder, limits)
    return make_standings(plan, [found]), found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    needs("g++")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_failing_ais_are_out_and_the_others_play_on(folder: Path) -> None:
    natives = [failing(folder, f"bad{number}", *deed[:2]) for number, deed in enumerate(DEEDS.values())]
    standings, found = play(["dice-four", "dice-memory"], natives, folder)
    assert sorted(failure.player for failure in found.failures) == list(range(2, 2 + len(DEEDS)))
    rows = {row.name: row for row in standings.rows}
    for number, (_, _, said) in enumerate(DEEDS.values()):
        (violation,) = rows[f"bad{number}"].violations
        assert said in violation
        assert "own die 6" in violation
        assert 1000 < rows[f"bad{number}"].deals < ROUNDS
    assert not rows["dice-four"].violations
    assert rows["dice-four"].deals > ROUNDS  # it met memory in all rounds, and each of the others until it failed
    assert not (folder / "out.txt").exists()


def test_the_figures_of_others_are_those_of_a_run_without_the_failure(folder: Path) -> None:
    """Up to its failure an AI plays as one that plays on, and the deals of the others are the same afterwards."""
    _, failed = play(["dice-four", "dice-memory", "dice-luck"], [failing(folder, "bad", "abort();")], folder)
    (folder / "sound").mkdir()
    _, whole = play(
        ["dice-four", "dice-memory", "dice-luck"], [cpp(folder / "sound", "bad", "return d > 3;")], folder / "sound"
    )
    of_others = [block * 16 + one * 4 + other for block in range(32) for one in range(2) for other in range(2)]
    assert [failed.chips[at] for at in of_others] == [whole.chips[at] for at in of_others]
    (failure,) = failed.failures
    first_blocks = failure.deal // 6 // (ROUNDS // 32)
    assert first_blocks > 0
    assert failed.chips[: 16 * first_blocks] == whole.chips[: 16 * first_blocks]


def test_a_call_that_does_not_return_is_ended(folder: Path) -> None:
    loops = failing(folder, "loops", "for (volatile int i = 0;; i = 1) {}")
    standings, _ = play(["dice-four", "caller"], [loops], folder, Limits(call_seconds=0.5))
    (row,) = [row for row in standings.rows if row.name == "loops"]
    assert "a call did not return within 0.5 s" in row.violations[0]


def test_init_that_does_not_return_is_ended(folder: Path) -> None:
    loops = cpp(folder, "loops", "return 1;", "void prepare() { for (volatile int i = 0;; i = 1) {} }", "prepare")
    waits = "pthread_mutex_t lock;\nvoid prepare() { pthread_mutex_lock(&lock); pthread_mutex_lock(&lock); }"
    waits_for_itself = cpp(folder, "waits", "return 1;", f"#include <pthread.h>\n{waits}", "prepare")
    limits = Limits(init_seconds=0.5, looks=10)
    standings, _ = play(["dice-four", "caller"], [loops, waits_for_itself], folder, limits)
    said = {row.name: row.violations for row in standings.rows}
    assert said["loops"][0].startswith("it failed before the first deal, in Init or while its file was loaded")
    assert said["loops"][0].endswith("a call did not return within 0.5 s")
    assert said["waits"][0].endswith("a call waits for something and does not return")
    assert said["dice-four"] == ()


@pytest.mark.parametrize(("seconds", "said"), [(600.0, ()), (630.0, ("Init took 10.5 minutes",))])
def test_long_init_is_told(seconds: float, said: tuple[str, ...]) -> None:
    plan = make_plan(["dice-four", "caller"], [], [], 1, 1, "init")
    measures = [PlayerMeasures("", "", 0, init, 1, 0.0, 0, 0) for init in (seconds, 0.0)]
    standings = make_standings(plan, [Played(0, (0,) * 4, tuple(measures), (), 0.1)])
    (row,) = [row for row in standings.rows if row.name == "dice-four"]
    assert tuple(text.partition(";")[0] for text in row.violations) == said


#: Find the code of the other AIs, and do something with it; ``theirs`` and ``own`` are pages of code.
_FIND = """
#include <link.h>
#include <sys/mman.h>
#include <cstring>
static char *own, *theirs;
static void deed(size_t size) { %s; }
static int visit(dl_phdr_info *info, size_t, void *second) {
    for (int i = 0; strstr(info->dlpi_name, "player.so") && i < info->dlpi_phnum; ++i) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X)) continue;
        char *start = (char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr / 4096 * 4096;
        size_t size = (info->dlpi_phdr[i].p_memsz / 4096 + 1) * 4096;
        bool mine = start <= (char *)&visit && (char *)&visit < start + size;
        if (mine) own = start;
        if (second && !mine) theirs = start, deed(size);
    }
    return 0;
}
static void find() { dl_iterate_phdr(visit, nullptr); dl_iterate_phdr(visit, &own); }
"""

#: What may be done with it: make the others always fold, or crash.
ATTACKS = (
    "if (!mprotect(theirs, size, 7)) for (char *at = theirs; at < theirs + size - 8; ++at)"
    ' if (!memcmp(at, "\\x31\\xc0\\x83\\xf9\\x03", 5)) memcpy(at, "\\x31\\xc0\\xc3", 3)',
    "mprotect(theirs, size, PROT_READ | PROT_WRITE)",
    "mmap(theirs, size, 7, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)",
    "mmap(theirs, size, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)",
    "mremap(own, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, theirs)",
    "munmap(theirs, size)",
)


def _seals() -> bool:
    """Whether the kernel knows mseal(2)."""
    return bool(ctypes.CDLL(None).syscall(462, 0, 0, 0) == 0)


def test_an_ai_cannot_change_the_code_of_others(folder: Path) -> None:
    honest = cpp(folder, "honest", "return d > 3;")
    natives = [honest]
    for number, attack in enumerate(ATTACKS if _seals() else [one for one in ATTACKS if "7" in one]):
        natives.append(cpp(folder, f"init{number}", "return 1;", _FIND % attack, "find"))
        early = "static struct Early { Early() { find(); } } early;"
        natives.append(cpp(folder, f"early{number}", "return 1;", _FIND % attack + early))
    standings, _ = play(["caller"], natives, folder)
    said = {row.name: row.violations for row in standings.rows}
    assert said["honest"] == said["caller"] == ()
    assert "made memory executable, or placed it over other memory, which is forbidden" in said["init0"][0]
    (folder / "fair").mkdir()
    peaceful = [cpp(folder, path.stem, "return 1;") for path in natives[1:]]
    fair, _ = play(["caller"], [honest, *peaceful], folder / "fair")
    assert standings.cross[0][1] == fair.cross[0][1]
    assert standings.cross[0][1] is not None


def test_an_ai_cannot_call_what_is_for_the_worker(folder: Path) -> None:
    """It is linked with the driver, whose functions say who plays."""
    take = 'extern "C" void tournament_take(int, int (*)(int, int, int, int), void (*)());'
    take += "static int fold(int, int, int, int) { return 0; } static void all() { tournament_take(1, fold, NULL); }"
    early = f"{take} struct Early {{ Early() {{ all(); }} }} early;"
    natives = [
        cpp(folder, "honest", "return d > 3;"),
        cpp(folder, "init", "return 1;", take, "all"),
        cpp(folder, "early", "return 1;", early),
        failing(folder, "later", "all();", take),
    ]
    standings, _ = play(["caller"], natives, folder)
    said = {row.name: row.violations for row in standings.rows}
    assert said.pop("honest") == said.pop("caller") == ()
    assert all("it called a function of the tournament that is not for AIs" in one[0] for one in said.values()), said


def test_several_failures_are_each_told(folder: Path) -> None:
    natives = [
        failing(folder, "one", "abort();"),
        cpp(folder, "two", "return 1;", "void prepare() { exit(3); }", "prepare"),
        cpp(folder, "three", "return 1;", 'struct Early { Early() { fopen("out.txt", "w"); } } early;'),
    ]
    standings, found = play(["dice-four", "caller"], natives, folder)
    said = {row.source: row.violations for row in standings.rows}
    assert "ended the program (exit code 3)" in said["two"][0]
    assert "before the first deal" in said["two"][0]
    assert "opened a file" in said["three"][0]
    assert len(found.failures) == 3
    assert [(row.source, row.place) for row in standings.rows][2] == ("one", 3)
    assert [row.place for row in standings.rows][3:] == [4, 4]
    assert not (folder / "out.txt").exists()


def test_what_authors_are_asked_to_keep_to_is_told_with_the_figure(folder: Path) -> None:
    slow = "static volatile double x; for (int i = 0; i < 5000; i++) x += i; srand(1); return d > 2;"
    keep = "static char *volatile kept;\nvoid prepare() { for (int i = 0; i < 80; i++) kept = new char[1 << 20]; }"
    standings, _ = play(
        ["dice-four"],
        [
            cpp(folder, "slowone", slow),
            cpp(folder, "large", "return much[b]++ + d > 4;", "static char much[70 << 20];"),
            cpp(folder, "heap", "return d > 4;", keep, "prepare"),
        ],
        folder,
    )  # fmt: skip
    said = {row.name: " ".join(row.violations) for row in standings.rows}
    assert "a call of AI took" in said["slowone"]
    assert "called srand" in said["slowone"]
    assert "it uses 70.0 MB of memory; it should use no more than 64" in said["large"]
    assert "it uses 80." in said["heap"]
    assert said["dice-four"] == ""


def test_an_index_too_large_changes_no_figures(folder: Path) -> None:
    """It reaches the memory of its own library alone, where nothing is counted."""
    mine = cpp(
        folder,
        "mine",
        "int v = bets[op][b]; bets[op][b] = -1; return d > 3 || v;",
        "static volatile int bets[3][19];",
    )
    standings, _ = play(["dice-four"] * 30, [mine], folder)
    (row,) = [row for row in standings.rows if row.name == "mine"]
    assert row.violations == () or row.failed
    assert row.memory is not None
    assert row.memory < 1 << 20
