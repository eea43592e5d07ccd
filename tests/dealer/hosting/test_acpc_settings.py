"""What cannot be agreed with programs of the ACPC is refused before anything is opened."""

from typing import Any

import msgpack
import pytest

from dealer.cli.flags import AcpcFlags, HostFlags, PageFlags, RunFlags, ShowFlags, TournamentFlags
from dealer.errors import OptionError
from dealer.hosting.acpc import acpc_terms
from dealer.hosting.league import league_programs, seated_bots
from dealer.hosting.serve import serve_tournament
from dealer.hosting.tournament_settings import agree, agree_on_duplicate, most_players
from dealer.journal.records import StartRecord, pack_record
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.net.limits import USUAL
from dealer.settings import AcpcTerms, LeagueWords
from dealer.tournament.time_account import TimeAccount, time_allowed
from tests.dealer.support.raw_records import typed_start

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


def test_names_are_given_in_order() -> None:
    assert acpc_terms(AcpcFlags("ann, bob", 3.0, strict=True)) == AcpcTerms(("ann", "bob"), 3.0, True)


def test_average_of_0_limits_each_answer_alone() -> None:
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
    ("host", "acpc", "complaint"),
    [
        (
            HostFlags(),
            AcpcFlags(strict=True),
            "--acpc-names, --acpc-limit, --acpc-average and --strict are for programs of the ACPC",
        ),
        (HostFlags(acpc_port=0, secrets=True), AcpcFlags(), "--acpc-port and --secrets contradict each other"),
        (HostFlags(acpc_port=0, seats=11), AcpcFlags(), "--seats takes 2 to 10, as many as can play holdem; got 11"),
    ],
)
async def test_flags_of_the_host_must_fit(host: HostFlags, acpc: AcpcFlags, complaint: str) -> None:
    with pytest.raises(OptionError, match=f"^{complaint}"):
        await serve_tournament("holdem", {}, host, TournamentFlags(), RunFlags(), USUAL, PageFlags(), acpc, ShowFlags())


@pytest.mark.parametrize(
    ("names", "commands", "told"),
    [(("a", "b"), 1, "has 2 names for 1 --acpc-cmd"), (("a",), 2, "has 1 name for 2 --acpc-cmd")],
)
def test_league_needs_a_name_for_each_program(names: tuple[str, ...], commands: int, told: str) -> None:
    settings = agree("holdem", {}, TournamentFlags(), "x", AcpcTerms(names))
    words = LeagueWords((), (), acpc_commands=("./player {host} {port}",) * commands)
    with pytest.raises(OptionError, match=f"--acpc-names {told}; give one for each"):
        league_programs(words, settings, None)
