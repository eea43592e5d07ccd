"""The player of poker.py for the dealer's other port, where a message is a line: python poker_lines.py <address> <port>

Any language that can read and write lines of text can do this; see decide() in poker.py for a longer explanation.
"""

import socket
import sys

ID = "ada-l"
AVATAR = "Ada"


def decide(question: str) -> str:
    """Change this: with a pair bet all you may, else check if that is free, else fold."""
    fields = question.split(":")  # bet1 : stack : pot : owed : your cards ... : up : everybody's cards ...
    stack, owed = int(fields[1]), int(fields[3])
    values = [card[:-1] for card in fields[4 : fields.index("up")]]
    if len(set(values)) < len(values) and owed <= stack:
        return f"bet:{min(owed + 10, stack)}"
    return "fold" if owed else "bet:0"


if len(sys.argv) < 3:
    sys.exit(__doc__)
address, port, *name = sys.argv[1:]
with socket.create_connection((address, int(port))) as connection, connection.makefile(encoding="utf-8") as lines:
    for line in lines:
        message = line.rstrip("\n")
        if message.startswith("done:"):
            print(message.removeprefix("done:"))
            sys.exit()
        if message == "login":
            connection.sendall(":".join(name + [ID, AVATAR][len(name) :]).encode() + b"\n")
        elif message.startswith("bet"):
            connection.sendall(decide(message).encode() + b"\n")
sys.exit("the dealer hung up without saying why")
