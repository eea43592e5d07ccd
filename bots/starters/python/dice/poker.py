"""A player of dice to start from. Run it with:  python poker.py <address> <port>

It knows how to talk to the dealer, and plays very simply. Everything worth changing is in decide().
"""

import socket
import sys
from io import BufferedReader

ID = "StephenCurry"  # who you are; only the instructor sees it. Put your own here.
AVATAR = "Steph"  # what everybody sees. Put your own here.


# ---- YOUR STRATEGY: change this ------------------------------------------------------------------------------


def decide(bet: int, second: bool, die: int, opponent: int) -> bool:
    """Say whether to bet; if not, you fold.

    bet: the number B: chips that you have in the pot after a bet, 3 to 18     die: what you have rolled, 1 to 6
    second: whether your opponent has bet, and you have put in 2 chips; else you are the first, and have put in 1
    opponent: the number of your opponent, from 0 to 999; it stays the same, so that you can remember what it does
    """
    return die >= 4


# ---- The rest talks to the dealer. It keeps you from breaking the rules; you can leave it alone. -------------


def reply_to(question: str) -> str:
    """Take a question apart, ask decide(), and say its answer."""
    fields = question.split(":")  # dice : B : 0 if you are first or 1 if second : your die : opponent
    try:
        bet, second, die, opponent = map(int, fields[1:])
    except ValueError:
        print(f"folded, because this question cannot be read: {question!a:.200}", file=sys.stderr)
        return "fold"
    return "bet" if decide(bet, second == 1, die, opponent) else "fold"


def read(incoming: BufferedReader) -> str:
    """Wait for one message: two bytes that say how long it is, then its text. Java calls this readUTF."""
    size = incoming.read(2)
    data = incoming.read(int.from_bytes(size, "big"))
    if len(size) < 2 or len(data) < int.from_bytes(size, "big"):
        sys.exit("the dealer hung up without saying why")
    try:  # Java sends an emoji as two halves, which UTF-16 puts together again
        return data.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeError:
        sys.exit(f"the dealer sent bytes that are no text: {data[:40]!r}")


def write(connection: socket.socket, message: str) -> None:
    """Send one message in the same form. Java calls this writeUTF, and sends an emoji as the two halves of UTF-16."""
    units = message.encode("utf-16-be", "surrogatepass")
    halves = "".join(chr(units[i] * 256 + units[i + 1]) for i in range(0, len(units), 2))
    text = halves.encode("utf-8", "surrogatepass")
    connection.sendall(len(text).to_bytes(2, "big") + text)


def show(text: str) -> None:
    """Print what the dealer said, without characters that a terminal would obey or cannot show."""
    printable = "".join(char if char.isprintable() else "?" for char in text)
    print(printable.encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding))


def play(connection: socket.socket, name: str) -> None:
    """Answer until the dealer says done. Every question gets one reply, within one second."""
    with connection.makefile("rb") as incoming:
        while True:
            message = read(incoming)
            if message == "login":
                write(connection, name)
            elif message.startswith("dice:"):
                write(connection, reply_to(message))
            elif message.startswith("done:"):
                show(message.removeprefix("done:"))  # why the game is over for you
                return
            # What is left is "game", the rules agreed, and "status", which gets no reply, but tells what your last bet
            # led to: status:2:0:2 your opponent folded, status:4:6:-12 it showed a six, and you lost 12 chips.


def main() -> None:
    """Connect and play."""
    if len(sys.argv) < 3 or not sys.argv[2].isdecimal():
        sys.exit(__doc__)
    address, port, *name = sys.argv[1:]  # an id and an avatar may follow, to start several players at once
    try:
        with socket.create_connection((address, int(port))) as connection:
            play(connection, ":".join(name + [ID, AVATAR][len(name) :]))
    except (OSError, OverflowError) as error:
        sys.exit(f"the connection to {address} port {port} failed: {error}")


if __name__ == "__main__":
    main()
