"""Which folders a program sees, and the filter of system calls, run as the kernel runs it."""

import os
import struct
import sys
from pathlib import Path

import pytest

from dealer.errors import OptionError
from dealer.sandbox.folders import folders_of_each, program_folders
from dealer.sandbox.forbidden_calls import FORBIDDEN, call_filter

WHERE = ("{host}", "{port}")


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the dealer is started, with a folder for each of two students, and files side by side."""
    room = tmp_path / "room"
    for name in ("ada/bot.py", "bob/bot.py", "bob/classes/Bot.class", "side/carl.py", "side/dora.py"):
        (room / name).parent.mkdir(parents=True, exist_ok=True)
        (room / name).touch()
    monkeypatch.chdir(room)
    return room


def test_program_sees_the_folder_of_its_file(room: Path) -> None:
    assert room / "ada" in program_folders(["python3", "ada/bot.py", *WHERE])


def test_program_sees_the_folders_of_its_classpath(room: Path) -> None:
    folders = program_folders(["java", f"-cp=ada:{room}/bob/classes", "Bot", *WHERE])
    assert {room / "ada", room / "bob" / "classes"} <= set(folders)
    assert not {room, room / "bob"} & set(folders)


def test_program_that_names_no_file_sees_the_current_folder(room: Path) -> None:
    assert room in program_folders(["java", "Poker", *WHERE])


def test_compiled_program_sees_its_folder(room: Path) -> None:
    program = room / "ada" / "poker"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o755)
    assert program_folders(["ada/poker", *WHERE]) == (room / "ada",)


def test_script_sees_the_interpreter_that_it_names(room: Path) -> None:
    python = Path(sys.executable).resolve()
    program = room / "ada" / "bot.py"
    program.write_text(f"#!{python} -u\n")
    program.chmod(0o755)
    assert set(program_folders(["ada/bot.py"])) == {room / "ada", python.parent.parent}


def environment_of(python: Path, environment: Path) -> str:
    """Make a virtual environment; its command."""
    for folder in (python / "bin", environment / "bin", environment / "lib"):
        folder.mkdir(parents=True, exist_ok=True)
    program = python / "bin" / "python3"
    if not program.exists():
        program.write_bytes(b"\x7fELF")
        program.chmod(0o755)
    (environment / "bin" / "python").symlink_to(program)
    (environment / "pyvenv.cfg").write_text(f"home = {python}/bin\nversion = 3.11\n")
    return os.path.relpath(environment / "bin" / "python")


def test_virtual_environment_of_the_dealers_python(room: Path) -> None:
    base = Path(sys.base_prefix)
    command = environment_of(base, room / "ada" / "venv")
    assert {room / "ada" / "venv", room / "bob"} == set(program_folders([command, "bob/bot.py", *WHERE])) - {base}


def test_virtual_environment_of_another_python_needs_a_flag(room: Path) -> None:
    python = room.parent / "python"
    words = [environment_of(python, room / "ada" / "venv"), "bob/bot.py", *WHERE]
    with pytest.raises(OptionError, match=r"is a link to .*/python3, which lies outside.*--sandbox-python"):
        folders_of_each([words])
    assert folders_of_each([words], pythons=[python]) == [(python, room / "ada" / "venv", room / "bob")]
    with pytest.raises(OptionError, match=r"--sandbox-python: no-such is no folder"):
        folders_of_each([words], pythons=[Path("no-such")])
    with pytest.raises(OptionError, match=r"needs the folder .*, which is or holds .*day.journal"):
        folders_of_each([words], python / "day.journal", pythons=[python])


def script(path: Path, first: str) -> None:
    path.write_text(first)
    path.chmod(0o755)


def test_nothing_in_a_folder_leads_out_of_it(room: Path) -> None:
    """Links and first lines of scripts that show another student's folder, or all of them, if they are believed."""
    eve = room / "eve"
    environment_of(Path(sys.base_prefix), eve / "venv")
    (eve / "venv" / "pyvenv.cfg").write_text(f"home = {room}/bin\n")
    script(eve / "settings", "#!/usr/bin/env eve/venv/bin/python\n")
    assert set(program_folders(["eve/settings", *WHERE])) - {Path(sys.base_prefix)} == {eve}
    script(room / "bob" / "bot.py", "")
    (eve / "bot.py").symlink_to("../bob/bot.py")
    (eve / "twice.py").symlink_to("bot.py")
    (eve / "sub").symlink_to("../bob")
    (eve / "venv" / "bin" / "bob").symlink_to(room / "bob" / "bot.py")
    script(eve / "run", "#!bob/bot.py\n")
    script(eve / "linked", "#!/usr/bin/env eve/bot.py\n")
    commands = ["cat eve/bot.py", "cat eve/twice.py", "cat eve/sub/bot.py", "cat eve/sub", "eve/bot.py", "eve/run"]
    for command in [*commands, "eve/linked", "eve/venv/bin/bob", "java -cp=eve/sub Bot"]:
        for others in ([], [["cat", "ada/bot.py"]], [["cat", "bob/bot.py"]]):
            with pytest.raises(OptionError, match=r"link|starts with|needs the folder"):
                folders_of_each([[*command.split(), *WHERE], *others])


def test_lib_beside_bin_does_not_show_the_current_folder(room: Path) -> None:
    """Only the Python of an environment and its like find in there what they run."""
    (room / "eve" / "lib").mkdir(parents=True)
    (room / "eve" / "bin").mkdir()
    for name in ("run", "python3"):
        script(room / "eve" / "bin" / name, "")
    assert program_folders(["eve/bin/run", *WHERE]) == (room / "eve",)
    assert program_folders(["eve/bin/python3", "-m", "bot", *WHERE]) == (room, room / "eve")


def test_pipe_in_place_of_a_program_is_not_read(room: Path) -> None:
    os.mkfifo(room / "ada" / "pipe", 0o755)
    (room / "ada" / "pipe").chmod(0o755)
    assert program_folders(["ada/pipe", *WHERE]) == (room / "ada",)


def test_programs_in_one_bin_are_hidden_from_each_other(room: Path) -> None:
    (room / "bin").mkdir()
    for name in ("eve", "bob"):
        script(room / "bin" / name, "")
    assert folders_of_each([["bin/eve"], ["bin/bob"]]) == [(room / "bin/eve",), (room / "bin/bob",)]
    assert folders_of_each([["bin/eve"]]) == [(room / "bin",)]


def test_file_beside_something_hidden_is_seen_alone(room: Path) -> None:
    commands = [["cat", "side/carl.py"], ["cat", "side/dora.py"], ["cat", "ada/bot.py"]]
    assert folders_of_each(commands) == [(room / "side/carl.py",), (room / "side/dora.py",), (room / "ada",)]
    assert folders_of_each([["cat", "ada/bot.py"]], room / "ada" / "day.journal") == [(room / "ada/bot.py",)]


def test_journal_that_a_command_names_or_a_link_leads_to_is_hidden_all_the_same(room: Path) -> None:
    (room / "day.journal").touch()
    assert folders_of_each([["cat", "ada/bot.py", "day.journal"]], room / "day.journal") == [(room / "ada",)]
    (room / "linked").symlink_to("ada")
    assert folders_of_each([["cat", "ada/bot.py"]], Path("linked/day.journal")) == [(room / "ada/bot.py",)]


def test_two_copies_of_a_program_see_the_same(room: Path) -> None:
    assert folders_of_each([["cat", "side/carl.py"]] * 2) == [(room / "side",)] * 2
    assert folders_of_each([["cat", "bob/classes"]] * 2) == [(room / "bob" / "classes",)] * 2


@pytest.mark.parametrize(
    ("commands", "journal", "reason"),
    [
        (["java Poker"], "day.journal", r"'java Poker' needs the folder .*/room, which is or holds .*day.journal"),
        (["java Poker"], "deep/below/day.journal", r"'java Poker' needs the folder .*/room, which is or holds .*day"),
        (["cat bob", "cat bob/classes"], None, "put the program into a folder of its own"),
        (["cat ada/bot.py"], "/usr/share/day.journal", r"programs can read /usr/share/day\.journal"),
    ],
)
def test_folder_that_holds_the_journal_or_another_program_is_refused(
    room: Path, commands: list[str], journal: str | None, reason: str
) -> None:
    with pytest.raises(OptionError, match=reason):
        folders_of_each([command.split() for command in commands], room / journal if journal else None)


def test_home_is_never_a_programs_own_folder(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(room))
    with pytest.raises(OptionError, match="is or holds"):
        program_folders(["java", "Poker"])
    (room / "bot.py").touch()
    assert program_folders(["cat", "bot.py"]) == (room / "bot.py",)
    monkeypatch.chdir(room.parent)
    assert program_folders(["cat", "room/bot.py"]) == (room / "bot.py",)


def test_link_to_a_file_of_the_same_folder(room: Path) -> None:
    (room / "bob" / "newest.py").symlink_to("bot.py")
    assert folders_of_each([["cat", "bob/newest.py"], ["cat", "ada/bot.py"]])[0] == (room / "bob",)


ALLOWED, ENOSYS = 0x7FFF0000, 0x00050000 | 38
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def verdict(code: bytes, machine: int, call: int, first: int = 1) -> int:
    """What the filter returns for a call: the five instructions that it uses, as the kernel defines them.

    Args:
        first: the first argument of the call.
    """
    steps, data, value, at = list(struct.iter_unpack("=HBBI", code)), {0: call, 4: machine, 16: first}, 0, 0
    while True:
        kind, yes, no, operand = steps[at]
        at += 1
        if kind == 0x20:
            value = data[operand]
        elif kind == 0x15:
            at += yes if value == operand else no
        elif kind == 0x35:
            at += yes if value >= operand else no
        elif kind == 0x45:
            at += yes if value & operand else no
        else:
            assert kind == 0x06
            return int(operand)


@pytest.mark.parametrize("name", MACHINES)
def test_forbidden_calls_fail_and_all_others_work(name: str) -> None:
    column, machine = MACHINES[name]
    code = call_filter(name)
    forbidden = {numbers[column] for numbers in FORBIDDEN.values()}
    assert len(forbidden) == len(FORBIDDEN)
    for call in range(1000):
        assert verdict(code, machine, call) == (ENOSYS if call in forbidden else ALLOWED)


@pytest.mark.parametrize(("name", "clone"), [("x86_64", 56), ("aarch64", 220)])
def test_threads_can_be_made_and_user_namespaces_cannot(name: str, clone: int) -> None:
    code, machine = call_filter(name), MACHINES[name][1]
    assert verdict(code, machine, clone, 0x003D0F00) == ALLOWED
    assert verdict(code, machine, clone, 0x10000011) == ENOSYS
    assert verdict(code, machine, 1, 0x10000000) == ALLOWED


@pytest.mark.parametrize(("name", "socket"), [("x86_64", 41), ("aarch64", 198)])
def test_sockets_are_of_families_that_a_network_namespace_holds_back(name: str, socket: int) -> None:
    code, machine = call_filter(name), MACHINES[name][1]
    unix, ipv4, ipv6, netlink = 1, 2, 10, 16
    allowed = [family for family in range(256) if verdict(code, machine, socket, family) == ALLOWED]
    assert allowed == [unix, ipv4, ipv6, netlink]


def test_calls_of_other_kinds_of_programs_fail() -> None:
    code = call_filter("x86_64")
    assert verdict(code, 0x40000003, 29) == ENOSYS  # a 32-bit program
    assert verdict(code, MACHINES["x86_64"][1], 0x40000000 + 1) == ENOSYS


def test_unknown_machine_has_no_filter() -> None:
    assert call_filter("riscv64") == b""
