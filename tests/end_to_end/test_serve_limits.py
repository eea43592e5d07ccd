"""``casino serve`` and its limits: flags, what the host reads, and names that do harm unless they are escaped."""

import os
import subprocess

import pytest
import trio

from protocol.wire.framing import LineFraming
from tests.bad_bots.peer import Peer
from tests.end_to_end.casino import casino, run, start
from tests.end_to_end.hosted import SERVE, finish, open_peer


@pytest.mark.skipif(os.name != "posix", reason="needs more than one loopback address")
async def test_refused_connection_is_told_why_and_host_sees_it() -> None:
    async with start(*SERVE, "--seats", "2", "--per-address", "1", stdin=subprocess.DEVNULL) as running:
        port, line_port = await running.port("address 127.0.0.1"), await running.port("lines of text")
        async with open_peer(port, "a:A") as a:
            await running.line_with("+ A (1 here)")
            async with await trio.open_tcp_stream("127.0.0.1", line_port) as stream:
                peer = Peer(stream, LineFraming())
                await peer.hear_out()
            assert peer.heard == ["done:your address has 1 connections open, as many as it may; close one first"]
            await running.complaint_with('event="turned away" address=127.0.0.1 reason="your address has 1')
            async with await trio.open_tcp_stream("127.0.0.1", port, local_address="127.0.0.2") as stream:
                b = Peer(stream)
                await b.log_in("b:B")
                await finish(running, a, b)


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--connections", "0"),
        ("--per-address", "-1"),
        ("--connects", "0"),
        ("--login-limit", "0"),
    ],
)
async def test_a_limit_that_nobody_could_keep_is_bad_usage(flag: str, value: str) -> None:
    outcome = await run(*SERVE, flag, value)
    assert outcome.code == 2
    assert flag in outcome.err


@pytest.mark.skipif(os.name != "posix", reason="only there descriptors are limited")
async def test_few_descriptors_allow_fewer_connections() -> None:
    command = ["sh", "-c", 'ulimit -n 150; exec "$@"', "sh", *casino(*SERVE, "--seats", "2")]
    async with start(command=command, stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        await running.complaint_with('event="fewer connections" connections=22 wanted=512')
        await running.complaint_with("the system lets this process open 150 files; raise that with ulimit -n")
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            await finish(running, a, b)


@pytest.mark.skipif(os.name != "posix", reason="only there descriptors are limited")
async def test_soft_limit_of_descriptors_is_raised() -> None:
    command = ["sh", "-c", 'ulimit -Sn 64; exec "$@"', "sh", *casino(*SERVE, "--seats", "2")]
    async with start(command=command, stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            await finish(running, a, b)
        assert b"fewer connections" not in running.err


STRANGE = ("[bold red]Bo[/bold red]", "<img src=x onerror=alert(1)>", ":smile: $(id) %s {0}", "'; DROP TABLE a; --")


async def test_strange_avatar_is_shown_unchanged() -> None:
    words = (*SERVE, "--seats", "2", "--log-level", "info")
    for first, second in zip(STRANGE[::2], STRANGE[1::2], strict=True):
        async with start(*words, stdin=subprocess.DEVNULL) as running:
            port = await running.port()
            async with open_peer(port, f"a:{first}") as a:
                await running.line_with(f"+ {first} (1 here)")
                async with open_peer(port, f"b:{second}") as b:
                    await finish(running, a, b)
            await running.complaint_with(f'avatar="{first}"')
            standings = "\n".join(running.out).split("Standings")[1]
            assert first[:5] in standings
            assert second[:4] in standings


UNPRINTABLE = ("\x1b[2J", "\x1b]0;owned\x07", "a\u202eb", "a\x00b", "a\nb", "\x9b2J", "\u2066a", "\u200ba")


async def test_unprintable_avatar_is_refused_and_not_repeated() -> None:
    words = (*SERVE, "--seats", "2", "--log-level", "debug")
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        for text in UNPRINTABLE:
            for name in (f"a:x{text}x", f"{text}:A", f"{text} without a colon", text * 20):
                async with open_peer(port, name) as peer:
                    await peer.hear_out()
                    assert peer.done is not None
                    assert peer.done.isprintable()
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            await finish(running, a, b)
    said = "\n".join(running.out) + running.err.decode()
    assert not [char for char in said if not char.isprintable() and char != "\n"]
    assert "owned" not in "\n".join(running.out)
