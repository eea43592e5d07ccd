"""``python programs.py <name> <host> <port>``: a student's program with one mistake, or an unusual one without.

Plain sockets and nothing of ours, as a student writes them; each class differs from ``Good`` in one thing.
"""

import random
import re
import socket
import sys
import time
from collections.abc import Callable


def usual_amount(stack: int, owed: int, own: list[str]) -> int | None:
    """A pair raises, and three low cards fold to a large bet; None is a fold."""
    values = [card[:-1] for card in own]
    if len(set(values)) < len(values):
        return min(owed + 10, stack)
    return owed if owed <= 10 else None


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
        return usual_amount(stack, owed, own)

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


class HalfCloses(Good):
    """No mistake: it ends its own half of the connection, and itself when the dealer has ended the other."""

    def done(self) -> None:
        self.socket.shutdown(socket.SHUT_WR)
        while self.incoming.read(1):
            pass


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


class CrashesOnItsOwnTens(Good):
    """Takes one character for the value and one for the suit of its own cards, and does not look at others."""

    def reply(self, fields: list[str]) -> str:
        for card in fields[4 : fields.index("up")]:
            assert card[1] in "SHDC", "no such suit"
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


class SendsReplyInTwoMessages(Good):
    """Writes ``bet:`` and the number one after the other, each as a message."""

    def bet(self, fields: list[str]) -> None:
        for part in re.findall("fold|bet:|[0-9]+", self.reply(fields)):
            self.write(part)


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


class PlaysOneHand(Good):
    """Ends after a hand, as if no other followed, a moment after it has read how the hand ended."""

    def status(self, text: str) -> None:
        time.sleep(0.01)
        sys.exit()


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
    """Logs in with another name each time."""

    def name(self) -> str:
        return f"bad-1:Bad {random.SystemRandom().randrange(10**9)}"


class IdOnly(Good):
    """Has no avatar."""

    def name(self) -> str:
        return "bad-1"


class AnswersTwiceNowAndThen(Good):
    """Sends two replies to every thirtieth question, together, so that none passes for that to the next question."""

    asked = 0

    def bet(self, fields: list[str]) -> None:
        self.asked += 1
        more = self.frame("fold") if self.asked % 30 == 0 else b""
        self.socket.sendall(self.frame(self.reply(fields)) + more)


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


def strength(own: list[str]) -> int:
    """3 for three of a kind, 2 for a pair, 1 for a high spade in the hole, else 0."""
    values = [card[:-1] for card in own]
    same = max(values.count(value) for value in values)
    return same if same > 1 else int(own[0][-1] == "S" and own[0][:-1] in ("J", "Q", "K", "A"))


class NeverMoreThanFifteen(Good):
    """Calls large bets with fifteen chips."""

    def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
        amount = super().amount(stack, owed, own)
        return None if amount is None else min(amount, 15)


class ForgetsItsStackWhenRaised(Good):
    """Looks at its stack at the first question of a street only."""

    asked = ""

    def bet(self, fields: list[str]) -> None:
        again, self.asked = fields[0] == self.asked, fields[0]
        super().bet([fields[0], "999" if again else fields[1], *fields[2:]])

    def status(self, text: str) -> None:
        self.asked = ""


class StaleRaise(Good):
    """Raises by three over what was owed at the question before."""

    owed = 0

    def reply(self, fields: list[str]) -> str:
        stale, self.owed = self.owed, int(fields[3])
        return f"bet:{stale + 3}"


class TakesPotForOwed(Good):
    """Reads the fields in another order."""

    def reply(self, fields: list[str]) -> str:
        stack, pot, owed = fields[1:4]
        return super().reply([fields[0], stack, owed, pot, *fields[4:]])

    def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
        return min(owed + 10, stack)


class ReadsTwiceAfterReply(Good):
    """Reads a thank you that does not exist after each of its replies."""

    def bet(self, fields: list[str]) -> None:
        super().bet(fields)
        if self.read().startswith("done"):
            self.done()
            sys.exit()


class ReadsTwiceAfterStatus(Good):
    """Reads the next question after a status, and forgets it."""

    def status(self, text: str) -> None:
        if self.read().startswith("done"):
            self.done()
            sys.exit()


class PrintsOneBranch(Good):
    """Prints what it does with a pair, and sends nothing."""

    def bet(self, fields: list[str]) -> None:
        if strength(fields[4 : fields.index("up")]) > 1:
            print(self.reply(fields), flush=True)
        else:
            super().bet(fields)


class SilentBranch(Good):
    """Has nothing to say when it holds a pair."""

    def bet(self, fields: list[str]) -> None:
        if strength(fields[4 : fields.index("up")]) < 2:
            super().bet(fields)


class CatchesExceptions(Good):
    """Prints an error on tens, and goes on without a reply."""

    def bet(self, fields: list[str]) -> None:
        try:
            {card[-2]: 1 for card in fields[4:]}["0"]
        except KeyError:
            super().bet(fields)
        else:
            print("Exception in parseCard: NumberFormatException", file=sys.stderr, flush=True)


class AnswersOnceAStreet(Good):
    """Thinks that one bet on each street is all."""

    answered = ""

    def bet(self, fields: list[str]) -> None:
        if fields[0] != self.answered:
            self.answered = fields[0]
            super().bet(fields)

    def status(self, text: str) -> None:
        self.answered = ""


class MuchTooSlow(Good):
    """Takes more than three times the limit for every question."""

    def bet(self, fields: list[str]) -> None:
        time.sleep(3.6 * float(sys.argv[4]))
        super().bet(fields)


class CrashesOnBet2(Good):
    """Expects two cards of its own."""

    def reply(self, fields: list[str]) -> str:
        hole, up = fields[4 : fields.index("up")]
        return super().reply([*fields[:4], hole, up, "up"])


class CrashesAfterAFold(Good):
    """Expects two cards of everybody it has seen on the first street."""

    players = 0

    def reply(self, fields: list[str]) -> str:
        shown = fields[fields.index("up") + 1 :]
        if fields[0] == "bet1":
            self.players = len(shown)
        else:
            [shown[2 * player] for player in range(self.players)]
        return super().reply(fields)


class LooksAtTheHighestCard(Good):
    """No mistake: folds if an opponent shows an ace, bets 5 against a king or a queen, else 10."""

    def reply(self, fields: list[str]) -> str:
        up, stack, owed = fields.index("up"), int(fields[1]), int(fields[3])
        own, shown = fields[4:up], fields[up + 1 :]
        others = {card[:-1] for card in shown if card not in own}
        if "A" in others:
            return "fold"
        return f"bet:{min(owed + (5 if others & {'K', 'Q'} else 10), stack)}"


class ComparesHighCards(Good):
    """No mistake: bets with a pair, or with a card above all that the others show; calls 5 with another; else folds."""

    def reply(self, fields: list[str]) -> str:
        up, stack, owed = fields.index("up"), int(fields[1]), int(fields[3])
        own, shown = fields[4:up], fields[up + 1 :]
        order = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
        highest = max((order.index(card[:-1]) for card in shown if card not in own), default=0)
        if strength(own) > 1:
            return f"bet:{min(owed + 10, stack)}"
        if max(order.index(card[:-1]) for card in own) > highest:
            return f"bet:{min(owed + 3, stack)}"
        return f"bet:{owed}" if owed <= 5 else "fold"


class Tight(Good):
    """No mistake: raises with strong cards, calls small bets with fair ones, folds the rest."""

    def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
        if strength(own):
            return min(owed + 10, stack)
        fair = own[0].endswith("S") or any(card[:-1] in ("K", "A") for card in own)
        return owed if owed == 0 or (fair and owed <= 10) else None


class ReadsInSequence(Good):
    """No mistake: no loop over kinds of messages, but one read after the other, as the hand goes."""

    def play(self) -> None:
        self.read()
        self.write(self.name())
        text = self.read()
        while not text.startswith("done"):
            for kind in ("bet1", "bet2"):
                while text.startswith(kind):
                    self.bet(text.split(":"))
                    text = self.read()
            if text.startswith("status"):
                text = self.read()
        self.done()


class EchoesAndExplains(Good):
    """No mistake: prints every message, what it thinks, and its reply."""

    def read(self) -> str:
        text = super().read()
        print("Received:", text)
        return text

    def write(self, text: str) -> None:
        print("Stack: 5", "should I fold?", text, sep="\n")
        super().write(text)


# Programs that differ in one expression.


def deciding(amount: Callable[[int, int, list[str]], int | None]) -> type[Good]:
    """A program that decides in another way: from its stack, what it owes and its own cards; None is a fold."""

    class Decides(Good):
        def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
            return amount(stack, owed, own)

    return Decides


def framing(frame: Callable[[str], bytes]) -> type[Good]:
    """A program that sends other bytes for a text."""

    class Frames(Good):
        def frame(self, text: str) -> bytes:
            return frame(text)

    return Frames


#: Sends lines.
BareLine = framing(lambda text: text.encode() + b"\n")
#: Sends text without its length.
BareText = framing(lambda text: text.encode())
#: Sends a length of four bytes.
IntLength = framing(lambda text: len(text).to_bytes(4, "big") + text.encode())
#: Sends the length the wrong way round.
LittleEndian = framing(lambda text: len(text).to_bytes(2, "little") + text.encode())

#: Always raises by ten.
BetsBeyondItsStack = deciding(lambda stack, owed, own: owed + 10)
#: With a pair on a short stack, bets three chips more than it has.
ThreeTooManyWithAPair = deciding(
    lambda stack, owed, own: min(owed + 10, stack + 3) if strength(own) == 2 else usual_amount(stack, owed, own)
)
#: Raises by eleven with three of a kind.
ElevenWithThreeOfAKind = deciding(
    lambda stack, owed, own: min(owed + 11, stack) if strength(own) == 3 else usual_amount(stack, owed, own)
)
#: Bets all it has with three of a kind.
AllInWithThreeOfAKind = deciding(
    lambda stack, owed, own: stack if strength(own) == 3 else usual_amount(stack, owed, own)
)
#: Takes its stack for one chip more than it is, on the second street.
OneTooManyOnStreet2 = deciding(lambda stack, owed, own: usual_amount(stack + (len(own) == 3), owed, own))
#: Opens with five chips and a high spade, even with fewer.
OpensWithFive = deciding(
    lambda stack, owed, own: 5 if owed == 0 and strength(own) == 1 else usual_amount(stack, owed, own)
)
#: Raises by one where its whole stack is owed.
RaisesWithItsLastChip = deciding(lambda stack, owed, own: owed + 1 if stack == owed else usual_amount(stack, owed, own))
#: Compares with the wrong number: nine more than is owed pass for ten more.
NineIsEnoughForTen = deciding(
    lambda stack, owed, own: owed + 10 if stack == owed + 9 and strength(own) > 1 else usual_amount(stack, owed, own)
)
#: Raises by fifteen with a high spade on the second street.
FifteenForASpadeOnStreet2 = deciding(
    lambda stack, owed, own: (
        min(owed + 15, stack) if len(own) == 3 and strength(own) == 1 else usual_amount(stack, owed, own)
    )
)
#: Keeps five chips back, and subtracts them from a short stack.
BelowZero = deciding(lambda stack, owed, own: min(owed, stack - 5))
#: Bets five whatever is owed.
AlwaysFive = deciding(lambda stack, owed, own: 5)
#: No mistake: calls, with any cards.
AlwaysCalls = deciding(lambda stack, owed, own: owed)
#: No mistake: folds without a pair, even where nothing is owed.
FoldsOften = deciding(lambda stack, owed, own: min(owed + 10, stack) if strength(own) > 1 else None)
#: No mistake: a fold is always legal.
FoldsAlways = deciding(lambda stack, owed, own: None)
#: No mistake: always raises by as much as the rules allow.
Maniac = deciding(lambda stack, owed, own: min(owed + 10, stack))
#: No mistake: plays by chance.
Bluffs = deciding(lambda stack, owed, own: random.choice([None, owed, min(owed + random.randint(0, 10), stack)]))


if __name__ == "__main__":
    _, name, host, port, *_more = sys.argv
    globals()[name](host, port).play()
