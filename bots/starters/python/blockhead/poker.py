"""A Blockhead Poker player to start from. Run it with:  python poker.py <address> <port>

It knows how to talk to the dealer, and plays very simply. Everything worth changing is in decide().
"""

import socket
import sys
from io import BufferedReader

ID = "StephenCurry"  # who you are; only the instructor sees it. Put your own here.
AVATAR = "Steph"  # what everybody sees. Put your own here.


# ---- YOUR STRATEGY: change this ------------------------------------------------------------------------------


def decide(stack: int, pot: int, owed: int, mine: list[str], others: list[list[str]], most: int) -> int:
    """Say how many chips to put in now. Less than what is owed means: fold.

    stack: the chips you have left; the bank lends you more     mine: your cards, "KS" or "10D"; the first is hidden
    pot: the chips on the table                                 others: of each opponent the cards that lie face up
    owed: the chips you must put in to stay in; 0 if nobody has bet more than you
    most: the largest raise, in chips beyond what is owed; 0 if you may not raise
    """
    worth = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9}  # 10, J, Q and K: 10
    points = sum(worth.get(card[:-1], 10) for card in mine)  # "10D" is the value "10" and the suit "D"
    if points >= 8 * len(mine):
        return owed + most  # high cards: the largest raise, or a call
    return owed if points >= 6 * len(mine) else 0  # a call; or check if that is free, else fold


# ---- The rest talks to the dealer. It keeps you from breaking the rules; you can leave it alone. -------------


def reply_to(question: str) -> str:
    """Take a bet1, bet2 or bet3 apart, ask decide(), and make its answer a legal one."""
    fields = question.split(":")  # bet1 : stack : pot : owed : cards ... : up : cards ... : bets : ... : raise : most
    try:
        stack, pot, owed = map(int, fields[1:4])
        first, bets = fields.index("up", 4), fields.index("bets", 4)
        most = int(fields[-1])
        readable = fields[-2] == "raise" and "" not in fields and first < bets
    except (ValueError, IndexError):
        readable = False
    if not readable:
        print(f"folded, because this question cannot be read: {question!a:.200}", file=sys.stderr)
        return "fold"
    others = [part.strip(":").split(":") for part in ":".join(fields[first:bets]).split("up:")[1:]]
    chips = decide(stack, pot, owed, fields[4:first], others, most)
    if chips < owed and owed:
        return "fold"  # only a bet can be folded to
    return f"bet:{min(max(chips, 0), owed + most)}"


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
            elif message.startswith(("bet1:", "bet2:", "bet3:")):
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
