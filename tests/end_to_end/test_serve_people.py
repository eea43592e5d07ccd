"""``casino serve --people``: a port with its own time limit."""

import subprocess
from pathlib import Path

import pytest
import trio

from dealer.cli.flags import HostFlags
from dealer.settings import OpenPorts
from tests.end_to_end.casino import run, start
from tests.end_to_end.hosted import first_asked, fold_to_the_end, held_ports, open_peer

HERE = ("--host", "127.0.0.1", "--port", "0", "--line-port", "0")


async def test_people_and_programs_have_separate_time_limits() -> None:
    words = ("serve", "stud", *HERE, "--people", "0.1", "--people-port", "0", "--limit", "0.5", "--no-journal")
    async with start(*words, "--seats", "3", "--login-limit", "30", stdin=subprocess.DEVNULL) as running:
        port, people = await running.port("address 127.0.0.1"), await running.port("people at")
        async with (
            open_peer(port, "program:Program") as program,
            open_peer(people, "person:Person") as person,
            open_peer(people, "c:C") as other,  # has time enough to fold
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(fold_to_the_end, other)
            nursery.start_soon(program.hear_out)
            await person.hear_out()
        assert (await running.ended()).code == 0
    assert "every reply is due within 0.5 s" in (program.done or "")
    assert "every reply is due within 6 s" in (person.done or "")


async def test_resumed_dealer_listens_again(tmp_path: Path) -> None:
    journal = tmp_path / "people.journal"
    words = ("serve", "stud", "--host", "127.0.0.1", "--limit", "30", "--journal", journal, "--seats", "2")
    with held_ports("--port", "--line-port", "--people-port") as ports:
        async with start(*words, *ports, stdin=subprocess.DEVNULL) as running:
            port, people = await running.port("address 127.0.0.1"), await running.port("people at")
            assert "with 3 min a reply" in await running.line_with("people at")
            async with open_peer(port, "a:A") as a, open_peer(people, "b:B") as b:
                await first_asked(a, b)
                running.process.kill()
                await running.process.wait()
        async with start("resume", journal, stdin=subprocess.DEVNULL) as resumed:
            assert await resumed.port("people at") == people
            assert "with 3 min a reply" in await resumed.line_with("people at")


@pytest.mark.parametrize(
    ("flags", "ports"),
    [
        (HostFlags(), OpenPorts("0.0.0.0", 4000, 4001)),
        (HostFlags(people=5), OpenPorts("0.0.0.0", 4000, 4001, 4002, 300)),
        (HostFlags(people_port=0), OpenPorts("0.0.0.0", 4000, 4001, 0, 180)),
    ],
)
def test_either_flag_opens_the_port(flags: HostFlags, ports: OpenPorts) -> None:
    assert flags.ports == ports


async def test_each_listener_needs_its_own_port() -> None:
    outcome = await run("serve", "stud", "--port", "0", "--line-port", "4711", "--people-port", "4711")
    assert outcome.code == 2
    assert outcome.complaint == ["casino: --line-port and --people-port are both 4711; each needs its own port"]
