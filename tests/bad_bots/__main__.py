"""``python -m tests.bad_bots <name> <host> <port>``: one misbehaving program, to try on a dealer."""

import sys

import trio

from tests.bad_bots import logins, manners, replies
from tests.bad_bots.peer import Peer


async def _main(name: str, host: str, port: str) -> None:
    (module,) = (module for module in (replies, manners, logins) if hasattr(module, name))
    peer = Peer(await trio.open_tcp_stream(host, int(port)))
    try:
        await getattr(module, name)(peer)
    finally:
        print(*peer.heard, sep="\n", file=sys.stderr)


if __name__ == "__main__":
    _, who, where, door = sys.argv
    trio.run(_main, who, where, door)
