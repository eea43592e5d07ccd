"""A channel carries messages and sockets in order, also more than leave at once."""

import socket
import sys

import pytest
import trio

from dealer.workers.channel import MOST_SOCKETS, Channel

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot hand sockets over")


async def test_messages_and_sockets_arrive_in_order() -> None:
    ours, theirs = (Channel(sock) for sock in socket.socketpair())
    count, came = MOST_SOCKETS + 5, list[object]()
    ends = [socket.socketpair() for _ in range(count)]
    async with trio.open_nursery() as nursery:

        def take(message: object) -> None:
            came.append(message)
            if isinstance(message, int):
                with theirs.take_socket() as handed:
                    handed.send(b"%d" % message)
            if message == "end":
                nursery.cancel_scope.cancel()

        nursery.start_soon(ours.send_forever)
        nursery.start_soon(theirs.receive_forever, take)
        for number, (one, _) in enumerate(ends):
            ours.post(number, one)
            one.close()  # the message has a duplicate
        ours.post(b"x" * 1_000_000)
        ours.post("end")
    assert came == [*range(count), b"x" * 1_000_000, "end"]
    assert [other.recv(10) for _, other in ends] == [b"%d" % number for number in range(count)]
    for _, other in ends:
        other.close()
    ours.close()
    theirs.close()


async def test_closed_channel_ends_the_other_end() -> None:
    ours, theirs = (Channel(sock) for sock in socket.socketpair())
    ours.close()
    await theirs.receive_forever(lambda _: None)
    theirs.post("nobody hears this")
    await theirs.send_forever()
    theirs.close()
