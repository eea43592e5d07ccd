"""Level tables and settings for the ACPC: each mistake has a sentence before anything is opened."""

import re
from pathlib import Path
from typing import Any

import msgpack
import pytest

from dealer.cli.flags import AcpcFlags, HostFlags, PageFlags, PortFlags, RunFlags, ShowFlags, TournamentFlags
from dealer.errors import OptionError
from dealer.hosting.acpc import acpc_terms
from dealer.hosting.league import league_programs, seated_bots
from dealer.hosting.serve import serve_tournament
from dealer.hosting.tournament_settings import UNTIL_ONE_IS_LEFT, agree, agree_on_duplicate, most_players
from dealer.journal.records import StartRecord, pack_record
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.net.limits import USUAL
from dealer.settings import AcpcTerms, LeagueWords, Settings
from dealer.tournament.time_account import TimeAccount, time_allowed
from protocol.games.level_table import BUILT_IN, LevelTable, table_path
from protocol.games.stakes import Antes
from tests.dealer.support.raw_records import typed_start
from tests.dealer.support.scribe import Scribe, players

TABLE = """\
[[level]]
hands = 6
small_blind = 25
big_blind = 50

[[level]]
small_blind = 50
big_blind = 100
ante = 10
"""


def agreed(table: Path | str, game: str = "holdem", **options: Any) -> Settings:
    return agree(game, options, TournamentFlags(level_table=str(table)), "x")


def test_a_file_says_what_each_level_asks_for(tmp_path: Path) -> None:
    path = tmp_path / "levels.toml"
    path.write_text(TABLE)
    settings = agreed(path, stack=300)
    facts = [{"hands": 6, "small_blind": 25, "big_blind": 50}, {"small_blind": 50, "big_blind": 100, "ante": 10}]
    assert settings.levels == LevelTable.from_facts(facts)
    assert settings.hands == UNTIL_ONE_IS_LEFT
    assert (settings.game.facts["small_blind"], settings.game.facts["big_blind"]) == (25, 50)
    assert settings.game.facts["stack"] == 300


@pytest.mark.parametrize("betting", ["no-limit", "pot-limit", "fixed-limit"])
def test_built_in_tables_are_played_with_every_limit(betting: str) -> None:
    assert [path.stem for path in sorted(table_path(BUILT_IN[0]).parent.glob("*.toml"))] == sorted(BUILT_IN)
    for name in BUILT_IN:
        levels = agreed(name, betting=betting).levels
        assert isinstance(levels, LevelTable)
        assert len(levels.levels) > 10


def test_stud_has_levels_of_antes(tmp_path: Path) -> None:
    path = tmp_path / "levels.toml"
    path.write_text("[[level]]\nhands = 6\nante = 3\n[[level]]\nante = 7\n")
    settings = agreed(path, "stud")
    assert isinstance(settings.levels, LevelTable)
    assert settings.levels.stakes(settings.game) == [Antes(3), Antes(7)]
    with pytest.raises(OptionError, match="level 1: stud has no small_blind; leave it out"):
        agreed("sit-and-go", "stud")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected at least one level, got none"),
        ("hands = 5\n", "unknown key 'hands'; a file holds levels alone, and each begins with [[level]]"),
        ("[level]\nhands = 5\n", "level: expected a list of levels; each begins with [[level]]"),
        ("level = [3]\n", "level: expected a list of levels; each begins with [[level]]"),
        ("[[level]]\nhands\n", "expected a TOML file: Expected '=' after a key in a key/value pair (at line 2"),
        (
            TABLE.replace("= 25", "= 25.5"),
            "level 1: small_blind: expected a whole number from 0 to 1000000000, got 25.5",
        ),
        (TABLE.replace("ante = 10", "ante = 101"), "level 2: ante: expected at most the big blind of 100, got 101"),
        (TABLE.replace("ante = 10", "antes = 10"), "level 2: unknown key 'antes'; the keys are hands, "),
        (TABLE.replace("= 100", "= 49"), "level 2: small_blind: expected at most the big blind of 49, got 50"),
    ],
)
def test_a_malformed_file_is_refused_with_a_sentence(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "levels.toml"
    path.write_text(text)
    with pytest.raises(OptionError, match=f"^{re.escape(f'--level-table {path}: {complaint}')}"):
        agreed(path)


def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "levels.toml"
    with pytest.raises(OptionError, match=r"cannot read the file \(No such file or directory\); give a TOML"):
        agreed(path)
    with pytest.raises(OptionError, match=r"cannot read the file \(Is a directory\)"):
        agreed(tmp_path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OptionError, match="expected a TOML file, got bytes that are not UTF-8"):
        agreed(path)


@pytest.mark.parametrize(
    ("game", "options", "flags", "complaint"),
    [
        ("holdem", {"small_blind": 5}, {}, "--level-table sets the stakes of every level; leave out --small-blind"),
        (
            "holdem",
            {"big_blind_ante": 5},
            {},
            "--level-table sets the stakes of every level; leave out --big-",
        ),
        (
            "holdem",
            {"preset": "royale"},
            {},
            "--level-table sit-and-go: level 1: loops: betting in loops has",
        ),
        ("holdem", {}, {"levels": 5}, "--level-table says how long each level is; leave out --levels"),
        ("holdem", {}, {"games": 2}, "--level-table plays a tournament to its end; give --series to play several"),
        ("blockhead", {}, {}, "--level-table needs stakes that can rise; in blockhead the buy-in of 10 is fixed"),
        (
            "stud",
            {},
            {"format": "swiss"},
            "tables of swiss have two seats, and stakes stay: leave out",
        ),
    ],
)
def test_flags_that_do_not_fit_a_table_are_refused(
    game: str, options: dict[str, Any], flags: dict[str, Any], complaint: str
) -> None:
    if game == "stud":
        agree(game, options, TournamentFlags(**flags), "x")
    with pytest.raises(OptionError, match=f"^{complaint}"):
        agree(game, options, TournamentFlags(level_table="sit-and-go", **flags), "x")


@pytest.mark.parametrize("flags", [{"levels": 5}, {"level_table": "sit-and-go"}])
def test_equal_stacks_with_levels_need_a_number_of_hands(flags: dict[str, Any]) -> None:
    flag = f"--{next(iter(flags)).replace('_', '-')}"
    complaint = f"^{flag}: no player runs out of chips, .* would not end; give --hands, or leave out --reset-stacks$"
    with pytest.raises(OptionError, match=complaint):
        agree("holdem", {"reset_stacks": 1}, TournamentFlags(**flags), "x")
    assert agree("holdem", {"reset_stacks": 1, "hands": 50}, TournamentFlags(**flags), "x").hands == 50
    assert agree("holdem", {}, TournamentFlags(**flags), "x").hands == UNTIL_ONE_IS_LEFT


@pytest.mark.parametrize("preset", ["cornell", "royale"])
def test_nothing_rises_in_a_game_without_blinds(preset: str) -> None:
    with pytest.raises(OptionError, match=r"^--levels needs blinds or an ante that can rise; in this game nobody pays"):
        agree("holdem", {"preset": preset}, TournamentFlags(levels=5), "x")
    assert agree("holdem", {"preset": preset, "ante": 1}, TournamentFlags(levels=5), "x").levels == 5


def test_a_duplicate_league_has_no_table() -> None:
    with pytest.raises(OptionError, match=r"^a duplicate league has one table and fixed stakes: leave out"):
        agree_on_duplicate("holdem", {}, TournamentFlags(level_table="sit-and-go"), "x")


def test_nothing_follows_the_last_level(tmp_path: Path) -> None:
    path = tmp_path / "levels.toml"
    path.write_text(TABLE)
    scribe = Scribe(agreed(path), players("A", "B"))
    scribe.level()
    with pytest.raises(ValueError, match=r"^level 2 is the last of the level table, and stays until the end"):
        scribe.level()


TERMS = AcpcTerms()


def test_hands_are_played_as_programs_of_the_acpc_expect() -> None:
    settings = agree("holdem", {}, TournamentFlags(), "x", TERMS)
    assert (settings.game.facts["acpc"], settings.game.facts["reset_stacks"]) == (1, 1)
    assert (settings.table_size, most_players(settings)) == (10, 10)
    duplicate = agree_on_duplicate("holdem", {"hands": 7}, TournamentFlags(), "x", TERMS)
    assert (duplicate.acpc, duplicate.games) == (TERMS, 7)


@pytest.mark.parametrize(
    ("options", "flags", "complaint"),
    [
        ({"ante": 1}, {}, "ante: programs of the ACPC are told of no antes"),
        ({"preset": "royale"}, {}, "big_blind: programs of the ACPC know no game without"),
        ({}, {"levels": 9}, "--levels: programs of the ACPC cannot be told that blinds"),
        ({}, {"table_size": 3}, "--table-size: players of the ACPC sit at one table"),
        ({}, {"series": 3}, "--series: programs of the ACPC cannot be told that players have left"),
    ],
)
def test_what_their_protocol_cannot_say_is_refused(
    options: dict[str, Any], flags: dict[str, Any], complaint: str
) -> None:
    agree("holdem", options, TournamentFlags(**flags), "x")
    with pytest.raises(OptionError, match=f"^{complaint}"):
        agree("holdem", options, TournamentFlags(**flags), "x", TERMS)


def test_house_bots_that_nobody_named_leave_room_for_a_program() -> None:
    one = ("./player {host} {port}",)
    assert len(seated_bots(LeagueWords((), (), acpc_commands=one), None, "holdem", 10)) == 9
    assert len(seated_bots(LeagueWords((), one), None, "holdem", 200)) > 9
    named = ("caller",) * 10
    asked = LeagueWords(named, (), acpc_commands=one)
    assert seated_bots(asked, None, "holdem", 10) == named  # refused by their number


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        ("a,a", "--acpc-names: each player needs a name of its own, got a,a"),
        ("a b", "--acpc-names: the id 'a b' is not 1 to 39 letters"),
        ("a,", "--acpc-names: the id '' is not 1 to 39 letters"),
    ],
)
def test_names_must_be_ids(names: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=f"^{complaint}"):
        acpc_terms(AcpcFlags(names))


def test_terms_from_flags() -> None:
    """Names are given in order, and an average of 0 limits each answer alone."""
    assert acpc_terms(AcpcFlags("ann, bob", 3.0, strict=True)) == AcpcTerms(("ann", "bob"), 3.0, True)
    assert acpc_terms(AcpcFlags(acpc_average=0.0)).average is None
    assert acpc_terms(AcpcFlags(acpc_average=1.5)).average == 1.5
    for average, allowed in ((None, None), (1.5, 30.0)):
        settings = agree("holdem", {"hands": 20}, TournamentFlags(), "x", AcpcTerms(average=average))
        ledger = Ledger(settings, [Player("a", "A", "a"), Player("b", "B", "b")])
        assert time_allowed(ledger) == allowed
        assert (TimeAccount.of(ledger) is None) == (allowed is None)


def test_settings_of_a_journal_without_an_average_are_read() -> None:
    agreed = agree("holdem", {}, TournamentFlags(), "x", TERMS)
    raw = msgpack.unpackb(pack_record(StartRecord.of(agreed, [], 0.0)))
    assert typed_start(raw).settings().acpc == TERMS
    del raw["acpc_terms"]["average"]
    assert typed_start(raw).settings().acpc == AcpcTerms(average=None)


@pytest.mark.parametrize(
    ("host", "port", "acpc", "complaint"),
    [
        (
            HostFlags(),
            None,
            AcpcFlags(strict=True),
            "--acpc-names, --acpc-limit, --acpc-average and --strict are for programs of the ACPC",
        ),
        (HostFlags(secrets=True), 0, AcpcFlags(), "--acpc-port and --secrets contradict each other"),
        (HostFlags(seats=11), 0, AcpcFlags(), "--seats takes 2 to 10, as many as can play holdem; got 11"),
    ],
)
async def test_flags_of_the_host_must_fit(host: HostFlags, port: int | None, acpc: AcpcFlags, complaint: str) -> None:
    flags: Any = {"acpc_port": port}
    run = TournamentFlags(), RunFlags(), USUAL, PageFlags(), acpc, ShowFlags()
    with pytest.raises(OptionError, match=f"^{complaint}"):
        await serve_tournament("holdem", {}, host, PortFlags(**flags), *run)


@pytest.mark.parametrize(
    ("names", "commands", "told"),
    [(("a", "b"), 1, "has 2 names for 1 --acpc-cmd"), (("a",), 2, "has 1 name for 2 --acpc-cmd")],
)
def test_league_needs_a_name_for_each_program(names: tuple[str, ...], commands: int, told: str) -> None:
    settings = agree("holdem", {}, TournamentFlags(), "x", AcpcTerms(names))
    words = LeagueWords((), (), acpc_commands=("./player {host} {port}",) * commands)
    with pytest.raises(OptionError, match=f"--acpc-names {told}; give one for each"):
        league_programs(words, settings, None)
