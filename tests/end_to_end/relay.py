"""A program for a league that is played from elsewhere: it passes its port on, then waits to be let go."""

import socket
import sys

if __name__ == "__main__":
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as sock:
        sock.sendall(sys.argv[2].encode() + b"\n")
        sock.recv(1)
