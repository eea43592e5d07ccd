"""A program for dice over TCP, of the standard library alone so that it starts quickly: bets a four or better.

Its flags make it fail in the ways that tests need.
"""

import argparse
import socket
import struct
import time
from pathlib import Path

#: Of this program, to be started.
PROGRAM = Path(__file__)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--heard", type=Path, help="a file for what it is told")
    parser.add_argument("--started", type=Path, help="a file that gets a line at each start")
    parser.add_argument("--at", type=int, default=1, help="the question at which it fails")
    parser.add_argument("--reply", help="what it replies then")
    parser.add_argument("--silent", action="store_true", help="it does not reply then")
    parser.add_argument("--raises", action="store_true", help="it crashes then")
    parser.add_argument("--dies", action="store_true", help="it crashes at the start")
    flags = parser.parse_args()
    if flags.started:
        with flags.started.open("a") as file:
            file.write("started\n")
    if flags.dies:
        raise SystemError("no idea")
    heard, asked = [], 0
    with socket.create_connection((flags.host, flags.port)) as sock, sock.makefile("rb") as stream:

        def say(text: str) -> None:
            sock.sendall(struct.pack(">H", len(text)) + text.encode())

        while head := stream.read(2):
            text = stream.read(struct.unpack(">H", head)[0]).decode()
            heard.append(text)
            verb, *fields = text.split(":")
            if verb == "login":
                say("four:Four")
            elif verb == "dice":
                asked += 1
                fails = asked == flags.at
                if fails and flags.raises:
                    raise SystemError("no idea")
                if fails and flags.silent:
                    time.sleep(1000)
                say(flags.reply if fails and flags.reply else "bet" if int(fields[2]) >= 4 else "fold")
            elif verb == "done":
                break
    if flags.heard:
        flags.heard.write_text("".join(f"{line}\n" for line in heard))


if __name__ == "__main__":
    main()
