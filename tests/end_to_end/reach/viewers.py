"""Viewers of the page in one process, which read and drop everything: of the leader's table, or each of one table."""

import selectors
import socket
import sys
import time

REQUEST = "GET /events{query} HTTP/1.1\r\nHost: reach\r\n\r\n"

#: The status of a stream that was not refused.
BEGINNING = b"HTTP/1.1 200"


def main(port: int, count: int, tables: int) -> None:
    """Watch until every stream has ended. Says when all have begun, and then each second how many bytes came in it.

    Args:
        port: of the page.
        count: of viewers.
        tables: that they watch in turns; 0 for the leader's table.
    """
    selector = selectors.DefaultSelector()
    for number in range(count):
        query = f"?table={number % tables}" if tables else ""
        sock = socket.create_connection(("127.0.0.1", port))
        sock.sendall(REQUEST.format(query=query).encode())
        selector.register(sock, selectors.EVENT_READ, sock)
    room, begun, came, told = bytearray(1 << 20), set[socket.socket](), 0, time.monotonic()
    while selector.get_map():
        for key, _ in selector.select(1.0):
            sock = key.data
            size = sock.recv_into(room)
            if sock not in begun:
                begun.add(sock)
                if not room.startswith(BEGINNING):
                    sys.exit(f"a viewer was refused: {bytes(room[:size])!r}")
                if len(begun) == count:
                    print("watching", flush=True)
            came += size
            if not size:
                selector.unregister(sock)
                sock.close()
        if time.monotonic() >= told + 1:
            if len(begun) == count:
                print(came, flush=True)
            came, told = 0, time.monotonic()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
