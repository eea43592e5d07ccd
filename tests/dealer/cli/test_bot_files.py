"""A file that a learner saved is a bot wherever the dealer takes the name of one, and a command where it takes one."""

import shlex
from pathlib import Path

import numpy as np
import pytest

from bots.simulation.plan import SimulationError, is_command, load_makers
from dealer.cli.house_bots import bot_command, check_bots, run_bot_file
from dealer.errors import OptionError
from dealer.programs import guest_bots, house_bots
from tests.bots.environments.untrained import save_untrained


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "learned.npz"
    save_untrained(path, "stud")
    return path


def test_the_file_is_looked_up_as_other_bots_are(file: Path) -> None:
    check_bots([str(file), "tight"], "stud")
    with pytest.raises(OptionError, match=r"^the bot '.*learned\.npz' plays stud, not holdem$"):
        check_bots([str(file)], "holdem")


def test_files_that_hold_no_bot(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    np.savez(tmp_path / "pickled.npz", game=np.array([{"any": "object"}], dtype=object))
    for name, text in (
        ("missing", r"the file .*missing\.npz cannot be read: No such file or directory"),
        ("learned", r"learned\.npz holds no bot that has learned: "),
        ("pickled", r"pickled\.npz holds no bot that has learned: .*allow_pickle=False"),
    ):
        path = str(tmp_path / f"{name}.npz")
        for look_up in (lambda bot: check_bots([bot], "stud"), lambda bot: guest_bots([bot])):
            with pytest.raises(OptionError, match=text):
                look_up(path)


def test_players_are_named_after_the_file(file: Path) -> None:
    first, second, third = house_bots([str(file), "tight", str(file)], "any seed")
    assert (first.name, second.name, third.name) == ("learned", "tight", "learned 2")
    assert first.command[: len(bot_command(""))] == bot_command(str(file))
    assert first.command[first.command.index("--id") + 1] == "learned"
    with pytest.raises(OptionError, match=r"'my bot\.npz' becomes the id of a player, and needs letters, digits"):
        house_bots(["my bot.npz"], "any seed")


def test_the_file_alone_is_a_command(file: Path) -> None:
    assert run_bot_file((str(file),)) == bot_command(str(file))
    assert run_bot_file(("java", str(file))) == ("java", str(file))
    (guest,) = guest_bots([str(file)])
    assert guest.command == (*bot_command(str(file)), "--id", "learned", "--avatar", "Learned")
    assert not guest.house


def test_a_file_that_plays_several_times_has_several_ids(file: Path) -> None:
    guests = guest_bots([str(file), f"java Poker {{port}} {file}", str(file)], ["tight", str(file)])
    ids = [program.command[program.command.index("--id") + 1] for program in guests[::2]]
    assert ids == ["learned-2", "learned-3"]
    (house,) = house_bots([str(file)], "any seed")
    assert house.command[house.command.index("--id") + 1] == "learned"
    with pytest.raises(OptionError, match=r"my-bot, 1\.npz' becomes the id of a player"):
        guest_bots([shlex.quote(str(file.rename(file.with_name("my-bot, 1.npz"))))])


def test_a_version_may_be_a_file_with_blanks_in_its_name(file: Path) -> None:
    version = str(file.rename(file.with_name("my best.npz")))
    assert not is_command(version)
    load_makers([version], "stud")
    with pytest.raises(SimulationError, match="plays stud, not holdem"):
        load_makers([version], "holdem")
