"""``python programs.py <name> <host> <port>``: a student's program with one mistake, for the checker.

Plain sockets and nothing of ours, as a student writes them; each class differs from ``Good`` in one thing.
"""

import random
import socket
import sys
import time


class Good:
    """Calls; a pair raises, and three low cards fold to a large bet."""

    def __init__(self, host: str, port: str) -> None:
        self.socket = self.connect(host, int(port))
        self.incoming = self.socket.makefile("rb")

    def connect(self, host: str, port: int) -> socket.socket:
        connection = socket.create_connection((host, port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def read(self) -> str:
        length = int.from_bytes(self.incoming.read(2), "big")
        message = self.incoming.read(length)
        if not message:
            sys.exit("the dealer hung up")
        return message.decode()

    def frame(self, text: str) -> bytes:
        data = text.encode()
        return len(data).to_bytes(2, "big") + data

    def write(self, text: str) -> None:
        self.socket.sendall(self.frame(text))

    def name(self) -> str:
        return "bad-1:Bad"

    def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
        values = [card[:-1] for card in own]
        if len(set(values)) < len(values):
            return min(owed + 10, stack)
        return owed if owed <= 10 else None

    def reply(self, fields: list[str]) -> str:
        amount = self.amount(int(fields[1]), int(fields[3]), fields[4 : fields.index("up")])
        return "fold" if amount is None else f"bet:{amount}"

    def bet(self, fields: list[str]) -> None:
        self.write(self.reply(fields))

    def status(self, text: str) -> None:
        pass

    def done(self) -> None:
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def play(self) -> None:
        while not (text := self.read()).startswith("done"):
            if text == "login":
                self.write(self.name())
            elif text.startswith("bet"):
                self.bet(text.split(":"))
            elif text.startswith("status"):
                self.status(text)
        self.done()


class SendsInPieces(Good):
    """No mistake: a byte at a time is allowed."""

    def write(self, text: str) -> None:
        for byte in self.frame(text):
            self.socket.sendall(bytes([byte]))


class PrintsALot(Good):
    """No mistake: what it prints is its own affair."""

    def status(self, text: str) -> None:
        print("bet:5 or fold?", text * 1000)
        print("trouble: none", file=sys.stderr)


class PrintsWithoutEnd(Good):
    """No mistake, as long as it answers in time."""

    def status(self, text: str) -> None:
        for _ in range(200):
            print("thinking " * 500)


class KnowsNoBet2(Good):
    """Has never heard of a second street."""

    def bet(self, fields: list[str]) -> None:
        if fields[0] == "bet1":
            super().bet(fields)


class ParsesUp(Good):
    """Takes every field behind the numbers for a card."""

    def reply(self, fields: list[str]) -> str:
        for card in fields[4:]:
            if card[:-1] not in ("J", "Q", "K", "A"):
                int(card[:-1])
        return f"bet:{fields[3]}"


class CrashesOnTens(Good):
    """Takes one character for the value and one for the suit."""

    def reply(self, fields: list[str]) -> str:
        for card in fields[4:]:
            assert card == "up" or card[1] in "SHDC", "no such suit"
        return super().reply(fields)


class CrashesOnManyPlayers(Good):
    """Has room for twelve players."""

    def reply(self, fields: list[str]) -> str:
        table = [""] * 12
        step = 2 if fields[0] == "bet2" else 1
        for place, card in enumerate(fields[fields.index("up") + 1 :: step]):
            table[place] = card
        return super().reply(fields)


class StaleBet(Good):
    """Reads the question after it has made up its mind."""

    owed = 0

    def reply(self, fields: list[str]) -> str:
        stale, self.owed = self.owed, int(fields[3])
        return f"bet:{stale}"


class AnswersStatus(Good):
    """Says thanks for the news."""

    def status(self, text: str) -> None:
        self.write("ok")


class AnswersDone(Good):
    """Says goodbye."""

    def done(self) -> None:
        self.write("bye")
        super().done()


class ReadsOneTooMany(Good):
    """Reads a welcome that does not exist."""

    def play(self) -> None:
        self.read()
        self.write(self.name())
        self.read()
        super().play()


class ReadsAhead(Good):
    """Answers a question when it has read the message behind it."""

    def bet(self, fields: list[str]) -> None:
        reply = self.reply(fields)
        behind = self.read()
        self.write(reply)
        if behind.startswith("bet"):
            self.bet(behind.split(":"))


class BareLine(Good):
    """Sends lines."""

    def frame(self, text: str) -> bytes:
        return text.encode() + b"\n"


class BareText(Good):
    """Sends text without its length."""

    def frame(self, text: str) -> bytes:
        return text.encode()


class IntLength(Good):
    """Sends a length of four bytes."""

    def frame(self, text: str) -> bytes:
        return len(text).to_bytes(4, "big") + text.encode()


class LittleEndian(Good):
    """Sends the length the wrong way round."""

    def frame(self, text: str) -> bytes:
        return len(text).to_bytes(2, "little") + text.encode()


class CountsCharacters(Good):
    """Counts characters where bytes are due."""

    def name(self) -> str:
        return "bad-1:Zoë"

    def frame(self, text: str) -> bytes:
        return len(text).to_bytes(2, "big") + text.encode()


class PrintsReplies(Good):
    """Tells its terminal what the dealer should hear."""

    def bet(self, fields: list[str]) -> None:
        print(self.reply(fields), flush=True)


class SaysNothing(Good):
    """Thinks for ever."""

    def bet(self, fields: list[str]) -> None:
        time.sleep(1000)


class AnswersTwice(Good):
    """Sends every reply twice."""

    def bet(self, fields: list[str]) -> None:
        super().bet(fields)
        super().bet(fields)


class TooSlow(Good):
    """Takes a second and a half for the first question of street 2."""

    slow = True

    def bet(self, fields: list[str]) -> None:
        if fields[0] == "bet2" and self.slow:
            self.slow = False
            time.sleep(float(sys.argv[4]))
        super().bet(fields)


class BetsTheTotal(Good):
    """Says the total of the street."""

    put = 0
    street = ""

    def reply(self, fields: list[str]) -> str:
        if fields[0] != self.street or fields[3] == "0":
            self.put, self.street = 0, fields[0]
        owed, stack = int(fields[3]), int(fields[1])
        now = min(owed + 5, stack)
        self.put += now
        return f"bet:{self.put}"

    def status(self, text: str) -> None:
        self.street = ""


class BetsBeyondItsStack(Good):
    """Always raises by ten."""

    def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
        return owed + 10


class BetsTheRaiseAlone(Good):
    """Leaves what is owed out of the number."""

    asked = 0

    def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
        self.asked += 1
        return min(3 + self.asked % 5, max(stack - owed, 0))


class Shouts(Good):
    """Writes in capitals."""

    def reply(self, fields: list[str]) -> str:
        return super().reply(fields).upper()


class Doubles(Good):
    """Computes with a point."""

    def reply(self, fields: list[str]) -> str:
        return f"bet:{float(fields[3])}"


class SendsLineEnds(Good):
    """Keeps the line end inside the message."""

    def reply(self, fields: list[str]) -> str:
        return super().reply(fields) + "\n"


class CrashesOnStatus(Good):
    """Cannot read the news."""

    def status(self, text: str) -> None:
        raise ValueError("what is a " + text[:6] + "?")


class CrashesOnLosing(Good):
    """Cannot lose without having been asked."""

    asked = 0

    def bet(self, fields: list[str]) -> None:
        self.asked += 1
        super().bet(fields)

    def status(self, text: str) -> None:
        if "lose" in text:
            print(1 // self.asked)
        self.asked = 0


class CrashesOnDone(Good):
    """Does not know done."""

    def done(self) -> None:
        raise ValueError("unknown command")


class StaysAfterDone(Good):
    """Waits for more."""

    def done(self) -> None:
        time.sleep(1000)


class KeepsRunning(Good):
    """Closes its socket, and does not end."""

    def done(self) -> None:
        super().done()
        time.sleep(1000)


class ChangesItsName(Good):
    """Is somebody else each time."""

    def name(self) -> str:
        return f"bad-1:Bad {random.SystemRandom().randrange(10**9)}"


class IdOnly(Good):
    """Has no avatar."""

    def name(self) -> str:
        return "bad-1"


class ConnectsTwice(Good):
    """Makes a connection it forgets."""

    def connect(self, host: str, port: int) -> socket.socket:
        self.forgotten = socket.create_connection((host, port))
        time.sleep(0.1)
        return super().connect(host, port)


class EndsAtOnce(Good):
    """Ends without a connection."""

    def connect(self, host: str, port: int) -> socket.socket:
        raise IndexError("list index out of range")


class NeverConnects(Good):
    """Waits for something else."""

    def connect(self, host: str, port: int) -> socket.socket:
        time.sleep(1000)
        sys.exit()


if __name__ == "__main__":
    _, name, host, port, *_more = sys.argv
    globals()[name](host, port).play()
