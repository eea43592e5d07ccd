"""The player of poker.py for the dealer's other port, where a message is a line: python poker_lines.py <address> <port>

Any language that can read and write lines of text can do this; see decide() in poker.py for a longer explanation.
"""

import socket
import sys
from contextlib import suppress

ID = "ada-l"
AVATAR = "Ada"
LONGEST = 65_536  # characters of a line; a dealer sends far less


def decide(question: str) -> str:
    """Change this: with a pair bet all you may, else check if that is free, else fold."""
    fields = question.split(":")  # bet1 : stack : pot : owed : your cards ... : up : everybody's cards ...
    up = 0
    with suppress(ValueError):  # if it is not what it should be, up stays 0
        stack, _pot, owed = map(int, fields[1:4])
        up = fields.index("up", 4)
    if not up or "" in fields:
        print(f"folded, because this question cannot be read: {question!a:.200}", file=sys.stderr)
        return "fold"
    values = [card[:-1] for card in fields[4:up]]
    if len(set(values)) < len(values) and owed <= stack:
        return f"bet:{min(owed + 10, stack)}"
    return "fold" if owed else "bet:0"


def play(connection: socket.socket, name: str) -> None:
    """Answer until the dealer says done."""
    lines = connection.makefile(encoding="utf-8", errors="replace")
    while line := lines.readline(LONGEST):
        message = line.rstrip("\n")
        if message == line:
            sys.exit("the dealer sent a line without an end")
        if message.startswith("done:"):
            said = "".join(char if char.isprintable() else "?" for char in message.removeprefix("done:"))
            print(said.encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding))
            return
        if message == "login":
            connection.sendall(name.encode(errors="replace") + b"\n")
        elif message.startswith(("bet1:", "bet2:")):
            connection.sendall(decide(message).encode() + b"\n")
    sys.exit("the dealer hung up without saying why")


if len(sys.argv) < 3 or not sys.argv[2].isdecimal():
    sys.exit(__doc__)
address, port, *names = sys.argv[1:]
try:
    with socket.create_connection((address, int(port))) as connection:
        play(connection, ":".join(names + [ID, AVATAR][len(names) :]))
except (OSError, OverflowError) as error:
    sys.exit(f"the connection to {address} port {port} failed: {error}")
