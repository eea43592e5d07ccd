"""Which folders a program sees: enough to run, and nothing of the others."""

import sys
from pathlib import Path

import pytest

from dealer.errors import OptionError
from dealer.sandbox.folders import folders_of_each, program_folders

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


def test_virtual_environment_brings_its_python(room: Path) -> None:
    environment, python = room / "ada" / "venv", room.parent / "python"
    for folder in (environment / "bin", python / "bin"):
        folder.mkdir(parents=True)
    (python / "bin" / "python3").write_bytes(b"\x7fELF")
    (python / "bin" / "python3").chmod(0o755)
    (environment / "bin" / "python").symlink_to(python / "bin" / "python3")
    (environment / "pyvenv.cfg").write_text(f"home = {python}/bin\nversion = 3.11\n")
    folders = program_folders(["ada/venv/bin/python", "bob/bot.py", *WHERE])
    assert {environment, python, room / "bob"} == set(folders)


def test_file_beside_something_hidden_is_seen_alone(room: Path) -> None:
    commands = [["cat", "side/carl.py"], ["cat", "side/dora.py"], ["cat", "ada/bot.py"]]
    assert folders_of_each(commands) == [(room / "side/carl.py",), (room / "side/dora.py",), (room / "ada",)]
    assert folders_of_each([["cat", "ada/bot.py"]], room / "ada" / "day.journal") == [(room / "ada/bot.py",)]


def test_journal_that_a_command_names_is_hidden_all_the_same(room: Path) -> None:
    (room / "day.journal").touch()
    assert folders_of_each([["cat", "ada/bot.py", "day.journal"]], room / "day.journal") == [(room / "ada",)]


def test_two_copies_of_a_program_see_the_same(room: Path) -> None:
    assert folders_of_each([["cat", "side/carl.py"]] * 2) == [(room / "side",)] * 2
    assert folders_of_each([["cat", "bob/classes"]] * 2) == [(room / "bob" / "classes",)] * 2


@pytest.mark.parametrize("hidden", ["day.journal", "deep/below/day.journal"])
def test_folder_that_holds_the_journal_is_refused(room: Path, hidden: str) -> None:
    with pytest.raises(OptionError, match=r"'java Poker' needs the folder .*/room, which is or holds .*day.journal"):
        folders_of_each([["java", "Poker"]], room / hidden)


def test_folder_that_holds_another_program_is_refused(room: Path) -> None:
    with pytest.raises(OptionError, match="put the program into a folder of its own"):
        folders_of_each([["cat", "bob"], ["cat", "bob/classes"]])


def test_home_is_never_a_programs_own_folder(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(room))
    with pytest.raises(OptionError, match="is or holds"):
        program_folders(["java", "Poker"])
    (room / "bot.py").touch()
    assert program_folders(["cat", "bot.py"]) == (room / "bot.py",)
    monkeypatch.chdir(room.parent)
    assert program_folders(["cat", "room/bot.py"]) == (room / "bot.py",)


def test_link_shows_where_it_leads(room: Path) -> None:
    (room / "link.py").symlink_to("bob/bot.py")
    folders = folders_of_each([["cat", "link.py"], ["cat", "ada/bot.py"]])[0]
    assert folders == (room / "bob", room / "link.py")


def test_journal_through_a_link_is_hidden_too(room: Path) -> None:
    (room / "linked").symlink_to("ada")
    assert folders_of_each([["cat", "ada/bot.py"]], Path("linked/day.journal")) == [(room / "ada/bot.py",)]


def test_journal_in_a_folder_of_the_system_is_refused(room: Path) -> None:
    with pytest.raises(OptionError, match=r"programs can read /usr/share/day\.journal"):
        folders_of_each([["cat", "ada/bot.py"]], Path("/usr/share/day.journal"))
