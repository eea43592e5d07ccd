"""Viewers for measurements: many streams of the page in one process, which read and drop everything."""

import selectors
import socket
import sys

REQUEST = b"GET /events HTTP/1.1\r\nHost: bench\r\n\r\n"


def main(host: str, port: int, count: int) -> None:
    """Watch ``count`` times until every stream has ended; a line on standard output says when all have begun."""
    selector = selectors.DefaultSelector()
    for _ in range(count):
        sock = socket.create_connection((host, port))
        sock.sendall(REQUEST)
        sock.recv(65536)
        selector.register(sock, selectors.EVENT_READ, sock)
    print("watching", flush=True)
    room = bytearray(1 << 20)
    while selector.get_map():
        for key, _ in selector.select():
            if not key.data.recv_into(room):
                selector.unregister(key.fileobj)
                key.data.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
