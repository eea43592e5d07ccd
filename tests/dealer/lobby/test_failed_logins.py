"""Logins that failed, as terminal, desk and journal tell them."""

from collections.abc import MutableMapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from dealer.audit.verify import verify_journal
from dealer.desk.view import DeskView
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.lobby.failed_logins import (
    FIRST_RECORDS,
    LATEST,
    OWN_RECORDS,
    OWN_RECORDS_PER_SECOND,
    RECORDS,
    RECORDS_PER_SECOND,
    RESERVED_RECORDS,
    FailedLogin,
    FailedLogins,
    RefusalKind,
    failed_login,
)
from dealer.lobby.listener import PlayerListener, accept_players, open_listener
from dealer.net.limits import Limits
from dealer.net.ports import FRAMES, LINES, directions
from dealer.net.throttled_log import THROTTLE_SECONDS
from dealer.net.watchdog import open_watchdog
from dealer.replay.journal_reader import Choice
from dealer.replay.show import replay_journal
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.web.admin.remote_desk import show_answer, trouble_text
from protocol.games.stud import StudGame
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Done
from protocol.wire.wrong_port import Speech
from tests.bad_bots import logins
from tests.bad_bots.peer import Peer
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.rig import HOST, SEED, BadBot, good_clients, open_rig
from tests.patience import PATIENCE

SETTINGS = Settings(SEED, StudGame(), hands=2)


async def four_byte_emoji(peer: Peer) -> None:
    """Writes an emoji as UTF-8 does, which ``writeUTF`` never sends."""
    await peer.hear()
    name = "smith:\U0001f600".encode()
    await peer.send(len(name).to_bytes(2, "big") + name)
    await peer.hear_out()


#: What a program does, what kind of failure that is, the id that was understood, what was sent, and the reason told.
KINDS: list[tuple[BadBot, str, str | None, bytes, str]] = [
    (logins.says_nothing, "late", None, b"", "no complete reply to log-in came in 1.0"),
    (logins.bad_id, "malformed", None, b"\0\x09no id:Bad", "the id 'no id' is not 1 to 39 letters, digits, '-' or '_'"),
    (logins.no_avatar, "malformed", None, b"\0\x03bad", "expected '<id>(colon)<avatar>', got 'bad'"),
    (
        logins.duplicate_id,
        "duplicate",
        "good-1",
        b"\0\x0agood-1:Bad",
        "the id 'good-1' is already seated; is another copy of your program running?",
    ),
    (
        logins.not_on_the_roster,
        "unknown",
        "stranger",
        b"\0\x0cstranger:Bad",
        "the id 'stranger' is not on the roster; ask the instructor which id is yours",
    ),
    (four_byte_emoji, "malformed", "smith", b"\0\x0asmith:\xf0\x9f\x98\x80", "not modified UTF-8"),
    (
        logins.browser,
        "wrong port",
        None,
        b"GET / HTTP/1.1\r\nHost: casino\r\n\r\n",
        "this port expects frames of writeUTF, and HTTP came",
    ),
]


@pytest.mark.parametrize(
    ("bot", "kind", "id", "sent", "reason"), KINDS, ids=lambda value: getattr(value, "__name__", None)
)
async def test_failed_login_is_told_to_all_and_others_play(
    bot: BadBot, kind: str, id: str | None, sent: bytes, reason: str, tcp_clock: MockClock
) -> None:
    """The program, the terminal and the desk hear the same."""
    others = good_clients(2)
    async with open_rig(SETTINGS, roster={"good-1": "", "good-2": ""}) as rig:
        await rig.admit(others[0])
        with capture_logs() as logs:
            peer = await rig.start(bot)
            await peer.finished.wait()
        (failed,) = rig.lobby.failed_logins.latest
        assert (failed.kind, failed.id, failed.sent, failed.port) == (kind, id, sent, rig.listener.port)
        assert Done(failed.reason).reason == peer.done
        assert peer.done is not None
        assert reason in peer.done
        assert failed.host == HOST
        assert DeskView(Scene(rig.opening)).look()["failed_logins"] == [failed.as_json()]
        told = trouble_text(failed.as_json())
        assert f"{failed.address}{f' id={id}' if id else ''}: {kind}: {failed.reason}" in told
        await rig.admit(others[1])
        standings = await rig.begin().run()
    assert [player.faults for player in (standing.player for standing in standings)] == [[], []]
    assert [len(client.statuses) for client in others] == [SETTINGS.hands] * 2
    (line,) = logs
    assert (line["log_level"], line["event"]) == ("warning", f"login failed: {kind}")
    assert line["peer"] == failed.address
    assert line["reason"] == failed.reason
    assert line.get("sent", "").encode("latin-1").decode("unicode_escape").encode("latin-1") == sent


async def test_failed_logins_that_share_a_line_are_counted_soon(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS) as rig:
        with capture_logs() as logs:
            for _ in range(3):
                await (await rig.start(logins.bad_id)).finished.wait()
            await trio.sleep(2 * THROTTLE_SECONDS)
    assert [(line["event"], line.get("more")) for line in logs] == [
        ("login failed: malformed", None),
        ("login failed: malformed", 2),
    ]


async def test_desk_shows_all_kept_logins_on_demand(tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]) -> None:
    async with open_rig(SETTINGS) as rig:
        peer = await rig.start(logins.says_nothing)
        await peer.finished.wait()
        (failed,) = rig.lobby.failed_logins.latest
        view = DeskView(Scene(rig.opening))
        for number in range(LATEST + 5):
            rig.lobby.failed_logins.note(replace(failed, id=f"id-{number}"))
        shown, all_kept = view.look(), view.look("logins")
    assert [one["id"] for one in shown["failed_logins"]] == [f"id-{LATEST + 4 - back}" for back in range(10)]
    assert (shown["more_failed_logins"], all_kept["more_failed_logins"]) == (LATEST - 10, 0)
    assert len(all_kept["failed_logins"]) == LATEST
    show_answer("show", {"state": shown})
    assert capsys.readouterr().out.endswith(f"  and {LATEST - 10} before these; the command logins shows them\n")
    show_answer("logins", {"state": all_kept})
    lines = capsys.readouterr().out.splitlines()
    assert (lines[0], len(lines)) == ("failed logins, the newest first:", LATEST + 1)
    show_answer("logins", {"state": {**all_kept, "failed_logins": []}})
    assert capsys.readouterr().out == "no failed logins\n"


async def test_full_lobby_and_crowd_are_told(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, capacity=1, limits=Limits(per_address=2)) as rig:
        await rig.admit(*good_clients(1))
        for _ in range(2):
            peer = await rig.start(logins.says_nothing)
            await peer.finished.wait()
        assert [(failed.kind, failed.times) for failed in rig.lobby.failed_logins.latest] == [("full", 2)]
        waiting = await rig.connect()
        peer = await rig.start(logins.says_nothing)
        await peer.finished.wait()
        assert rig.lobby.failed_logins.latest[-1].kind == "crowd"
        await waiting.aclose()


async def test_look_at_the_port_is_no_warning(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS) as rig:
        with capture_logs() as logs:
            peer = await rig.start(logins.hangs_up)
            await peer.finished.wait()
            while not rig.lobby.failed_logins.latest:
                await rig.lobby.changed()
    assert [line["log_level"] for line in logs] == ["info"]


async def test_journal_keeps_failures_before_and_during_play(
    tcp_clock: MockClock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "it.journal"
    async with open_journal(AppendFile.create(path)) as journal:
        async with open_rig(SETTINGS, journal=journal) as rig:
            before = await rig.start(logins.bad_id)
            await before.finished.wait()
            await rig.admit(*good_clients(2))
            tournament = rig.begin()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(tournament.run)
                late = await rig.start(logins.not_on_the_roster)
                await late.finished.wait()
    records = [record for record in read_raw(path) if record["type"] == "refused"]
    assert [(record["kind"], record["id"], record["sent"]) for record in records] == [
        ("malformed", None, b"\0\x09no id:Bad"),
        ("closed", None, b""),
    ]
    assert records[0]["address"].startswith(f"{HOST}:")
    capsys.readouterr()
    assert verify_journal(path, None, None, False) == 0
    assert replay_journal(path, Choice(None, None, None), True, False) == 0
    assert "no id" not in capsys.readouterr().out


def failures(count: int) -> list[FailedLogin]:
    return [FailedLogin(0.0, f"10.0.0.{number % 250}:99", 4000, "late", "x", f"id-{number}") for number in range(count)]


async def test_an_attack_fills_neither_desk_nor_journal(jumping_clock: MockClock) -> None:
    told, records = FailedLogins(), list[Any]()
    told.record_with(records.append)
    with capture_logs() as logs:
        for second in range(100):
            for failed in failures(200):
                told.note(failed)
            assert len(records) <= (second + 1) * 50
            await trio.sleep(1.0)
    assert RECORDS - RESERVED_RECORDS <= len(records) <= RECORDS
    assert len(told.latest) == 50
    lines: list[MutableMapping[str, Any]] = [line for line in logs if "more" not in line]
    assert len(lines) <= 100 * 51


async def test_attack_from_one_address_hides_nobody(jumping_clock: MockClock) -> None:
    """Nor does an attack from many addresses hide those who come later."""
    told, records = FailedLogins(), list[Any]()
    told.record_with(records.append)
    student = FailedLogin(0.0, "10.0.1.7:99", 4000, "malformed", "x", "ks")
    attack = [replace(student, address=f"10.0.0.1:{port}", id=f"id-{port}") for port in range(300)]
    for failed in (*attack, student, *attack):
        told.note(failed, logged=False)
    assert student in told.latest
    assert [one.address for one in records].count(student.address) == 1
    for _ in range(RECORDS // OWN_RECORDS_PER_SECOND):
        await trio.sleep(1.0)
        for failed in attack:
            told.note(failed, logged=False)
    assert len(records) == OWN_RECORDS + 1
    for _ in range(RECORDS // RECORDS_PER_SECOND):
        await trio.sleep(1.0)
        for failed in failures(200):
            told.note(failed, logged=False)
    await trio.sleep(1.0)
    late = replace(student, address="10.0.1.8:99")
    for _ in range(FIRST_RECORDS + 1):
        told.note(late, logged=False)
    assert [one.address for one in records].count(late.address) == FIRST_RECORDS


def test_secrets_are_neither_shown_nor_kept() -> None:
    sent = b"\0\x10ks:Steph:pass"
    shown = failed_login("10.0.0.1:99", 4000, RefusalKind.SECRET, "x", sent, program=None, secrets=True)
    assert (shown.id, shown.sent) == ("ks", b"\0\x10ks:...")
    assert b"pass" in failed_login("10.0.0.1:99", 4000, "late", "x", sent, program=None, secrets=False).sent


async def heard_at(
    listener: PlayerListener, opening: NewTournament, framing: Framing, said: bytes
) -> tuple[list[str], float]:
    """What a program hears that reads ``framing`` and says something at once, and after how many seconds."""
    with trio.fail_after(PATIENCE):
        async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
            nursery.start_soon(accept_players, listener, opening.lobby, watchdog)
            came = trio.current_time()
            peer = Peer(await trio.open_tcp_stream(HOST, listener.port), framing)
            async with peer.stream:
                if said:
                    await peer.send(said)
                await peer.hear_out()
            took = trio.current_time() - came
            nursery.cancel_scope.cancel()
    return peer.heard, took


@pytest.mark.parametrize(
    ("lines", "said"),
    [(False, b""), (False, b"ks:Steph\n"), (False, b"k"), (True, b""), (True, b"\0\x08ks:Steph"), (True, b"\0")],
)
async def test_program_at_the_wrong_port_is_told_in_its_own_framing(
    said: bytes, lines: bool, tcp_clock: MockClock
) -> None:
    opening = NewTournament(SETTINGS, 9)
    own: Framing = UtfFraming() if lines else LineFraming()  # the other one than the port's
    heard, took = await heard_at(await open_listener(HOST, 0, 1.0, LINES if lines else FRAMES), opening, own, said)
    assert heard[-1].startswith("done:")
    assert f"this port expects {'lines of text' if lines else 'frames of writeUTF'}" in heard[-1]
    assert took < 1.0 if said else took >= 1.0  # a silent one has until its deadline
    (failed,) = opening.lobby.failed_logins.latest
    assert failed.kind == ("wrong port" if said else "late")


@pytest.mark.parametrize("lines", [False, True])
async def test_program_of_the_acpc_at_another_port_is_told_in_a_comment(lines: bool, tcp_clock: MockClock) -> None:
    opening = NewTournament(SETTINGS, 9)
    kind = LINES if lines else FRAMES
    way = partial(directions, {"acpc_port": 4103}, "holdem", kind)
    listener = replace(await open_listener(HOST, 0, 1.0, kind), elsewhere=way)
    heard, _ = await heard_at(listener, opening, LineFraming(), b"VERSION:2.0.0\r\n")
    own = "lines of text" if lines else "frames of writeUTF"
    told = f"this port expects {own}, and the text of the ACPC came; programs of the ACPC connect to port 4103"
    assert heard[-1] == f"# {told}"
    (failed,) = opening.lobby.failed_logins.latest
    assert (failed.kind, failed.id, failed.reason) == ("wrong port", None, told)
    assert not opening.lobby.players


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("holdem", "this dealer has no port for programs of the ACPC, which casino serve opens with --acpc-port"),
        ("stud", "programs of the ACPC do not play stud"),
    ],
)
def test_dealer_without_a_port_for_programs_of_the_acpc_says_so(game: str, told: str) -> None:
    assert directions({}, game, None, Speech.ACPC) == f"; {told}"
