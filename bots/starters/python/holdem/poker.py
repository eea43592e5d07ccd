"""A Texas Hold'em player to start from. Run it with:  python poker.py <address> <port>

It knows how to talk to the dealer, and plays very simply. Everything worth changing is in decide().
"""

import socket
import sys
from io import BufferedReader

ID = "StephenCurry"  # who you are; only the instructor sees it. Put your own here.
AVATAR = "Steph"  # what everybody sees. Put your own here.


# ---- YOUR STRATEGY: change this ------------------------------------------------------------------------------


def decide(
    stack: int, pot: int, owed: int, mine: list[str], board: list[str], least: int, most: int, seats: list[str]
) -> int:
    """Say how many chips to put in now. Less than what is owed means: fold.

    stack: the chips you have left        mine: your two cards, "KS" or "10D"
    pot: the chips on the table           board: the cards that belong to all: none, three, four or five
    owed: the chips a call puts in        least, most: the chips a raise may put in; 0 and 0 if you may not raise
    seats: of each seat "number/chips left/chips put in on this street/state"
    """
    values = [card[:-1] for card in mine]  # "10D" is the value "10" and the suit "D"
    if values[0] == values[1] or set(values) & {card[:-1] for card in board}:  # a pair, perhaps with the board
        return least or owed  # the smallest raise, or a call
    return 0  # nothing to bet on: check if that is free, else fold


# ---- The rest talks to the dealer. It keeps you from breaking the rules; you can leave it alone. -------------


def reply_to(question: str) -> str:
    """Take a bet1 to bet4 apart, ask decide(), and make its answer a legal one."""
    # bet1 : stack : pot : owed : two cards : board : cards ... : raise : least : most : seats : ... : button : seat
    fields = question.split(":")
    try:
        stack, pot, owed = map(int, fields[1:4])
        raises = fields.index("raise", 6)
        least, most = map(int, fields[raises + 1 : raises + 3])
        seats = fields[raises + 4 : fields.index("button", raises)]
        readable = fields[6] == "board" and fields[raises + 3] == "seats" and "" not in fields
    except (ValueError, IndexError):
        readable = False
    if not readable:
        print(f"folded, because this question cannot be read: {question!a:.200}", file=sys.stderr)
        return "fold"
    chips = decide(stack, pot, owed, fields[4:6], fields[7:raises], least, most, seats)
    if chips < owed:
        return "fold"
    if not least or chips < least:
        return f"bet:{owed}"  # too little for a raise: a call, or a check
    return f"bet:{min(chips, most)}"


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
            elif message.startswith(("bet1:", "bet2:", "bet3:", "bet4:")):
                write(connection, reply_to(message))
            elif message.startswith("done:"):
                show(message.removeprefix("done:"))  # why the game is over for you
                return
            # What is left is "game", the rules agreed, and "status": how a hand ended. They get no reply.


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
