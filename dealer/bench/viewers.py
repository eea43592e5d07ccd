"""Viewers for measurements: many streams of the page in one process, which read and drop everything."""

import selectors
import socket
import sys

REQUEST = b"GET /events HTTP/1.1\r\nHost: bench\r\n\r\n"

#: How the answer to a viewer begins that is not refused.
BEGINNING = b"HTTP/1.1 200"


def main(host: str, port: int, count: int) -> None:
    """Watch ``count`` times until every stream has ended; a line on standard output says when all have begun.

    No stream waits for another one to begin. One that is refused ends the program, since fewer viewers cost less.
    """
    selector = selectors.DefaultSelector()
    for _ in range(count):
        sock = socket.create_connection((host, port))
        sock.sendall(REQUEST)
        selector.register(sock, selectors.EVENT_READ, sock)
    room, begun = bytearray(1 << 20), set[socket.socket]()
    while selector.get_map():
        for key, _ in selector.select():
            sock = key.data
            size = sock.recv_into(room)
            if sock not in begun:
                if not room.startswith(BEGINNING):
                    sys.exit(f"a viewer was refused: {bytes(room[:size])!r}")
                begun.add(sock)
                if len(begun) == count:
                    print("watching", flush=True)
            if not size:
                selector.unregister(sock)
                sock.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
