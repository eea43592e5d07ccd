"""Students' programs for Texas Hold'em with one mistake each, and unusual ones without."""

from random import Random

from tests.bad_bots.programs import Good


class Sound(Good):
    """Calls; a pair makes the least raise, and low cards fold to a large bet."""

    def __init__(self, host: str, port: str) -> None:
        super().__init__(host, port)
        self.questions = 0

    def reply(self, fields: list[str]) -> str:
        self.questions += 1
        stack, pot, owed = map(int, fields[1:4])
        at = fields.index("raise")
        amount = self.choose(fields, stack, pot, owed, int(fields[at + 1]), int(fields[at + 2]))
        return "fold" if amount is None else f"bet:{amount}"

    def choose(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int | None:
        if not self.raising(fields):
            return None if owed > pot else owed
        return self.amount_of_raise(fields, stack, pot, owed, least, most) if least else owed

    def raising(self, fields: list[str]) -> bool:
        return self.questions % 2 == 0

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return least

    @staticmethod
    def put(fields: list[str]) -> list[int]:
        """Chips that each seat has put in on this street."""
        return [int(field.split("/")[2]) for field in fields if "/" in field]


# ---- Without a mistake ---------------------------------------------------------------------------------------


class MostRaiser(Sound):
    """No mistake: the largest raise, always."""

    def raising(self, fields: list[str]) -> bool:
        return True

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return most


class LeastRaiser(Sound):
    """No mistake: the least raise, always."""

    def raising(self, fields: list[str]) -> bool:
        return True


class Caller(Sound):
    """No mistake: never raises, never folds."""

    def choose(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int | None:
        return owed


class Folder(Sound):
    """No mistake: folds always, also where nothing is owed."""

    def choose(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int | None:
        return None


class AnyReply(Sound):
    """No mistake: any legal reply."""

    def __init__(self, host: str, port: str) -> None:
        super().__init__(host, port)
        self.chance = Random(1)

    def choose(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int | None:
        return self.chance.choice([None, owed, self.chance.randint(least, most) if least else owed])


# ---- Amounts -------------------------------------------------------------------------------------------------


class RaisesByTheBlind(Sound):
    """Takes the big blind for the least raise, whatever was raised before."""

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return min(owed + 10, most)


class RaisesAfterAShortAllIn(Sound):
    """Raises what it could if the betting was open, even where the question allows no raise."""

    def choose(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int | None:
        return min(least or owed + 20, stack)


class BetsTheTotal(Sound):
    """Says to how much it raises, and not what it puts in now."""

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return max(self.put(fields)) + (least - owed)


class BetsTheRaiseAlone(Sound):
    """Leaves out what is owed."""

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return least - owed


class RaisesBy200(Sound):
    """Raises by the same, whatever its stack and the limit are."""

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return owed + 200


class OneAboveTheMost(MostRaiser):
    """Bets a chip more than it may."""

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return most + 1


class OneTooMany(Caller):
    """Adds a chip to every call and check."""

    def choose(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int | None:
        return min(owed + 1, stack)


class DoublesEveryBet(Sound):
    """Raises twice the least, also where one size is allowed."""

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return min(2 * least, stack)


class BetsTwiceThePot(Sound):
    """Knows its stack, and no limit of the pot."""

    def raising(self, fields: list[str]) -> bool:
        return True

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return most if most == least else min(max(least, owed + 2 * (pot + owed)), stack)


class AlwaysAllIn(Sound):
    """All chips, in every limit."""

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return stack


class CallsBeyondItsStack(Sound):
    """Computes what is owed from the bets of the others, and forgets that it has fewer chips."""

    def choose(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int | None:
        put = self.put(fields)
        # its own entry is the one with its stack; a wrong guess among equals does not change the amount
        own = next(int(field.split("/")[2]) for field in fields if "/" in field and int(field.split("/")[1]) == stack)
        return max(put) - own if owed == stack else owed


class KeepsAChip(Sound):
    """Never bets its last chip in a raise."""

    def raising(self, fields: list[str]) -> bool:
        return True

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        return min(least, stack - 1)


class ChecksABet(Sound):
    """Checks with low cards, also where something is owed."""

    def choose(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int | None:
        return 0 if not self.raising(fields) else owed


class StaleLeast(Sound):
    """Sends the least raise of the question before."""

    least = 0

    def amount_of_raise(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int:
        stale, self.least = self.least, least
        return stale or least


class OneBlindAlways(Sound):
    """Calls with the big blind, whatever is owed."""

    def choose(self, fields: list[str], stack: int, pot: int, owed: int, least: int, most: int) -> int | None:
        return min(10, stack) if owed else 0


# ---- Reading -------------------------------------------------------------------------------------------------


class FixedPlaces(Sound):
    """Takes the raise from where it stands before the flop."""

    def reply(self, fields: list[str]) -> str:
        int(fields[8])
        return super().reply(fields)


class KnowsNoAllIn(Sound):
    """Has a table of states without one for players all in."""

    def reply(self, fields: list[str]) -> str:
        for field in fields:
            if "/" in field:
                {"live": 1, "folded": 0}[field.split("/")[3]]
        return super().reply(fields)


class SixSeats(Sound):
    """Has room for six players."""

    def reply(self, fields: list[str]) -> str:
        table = [0] * 6
        for seat, chips in enumerate(self.put(fields)):
            table[seat] = chips
        return super().reply(fields)


class OneCharacterRanks(Sound):
    """Takes one character for the rank and one for the suit."""

    def reply(self, fields: list[str]) -> str:
        for card in [*fields[4:6], *fields[7 : fields.index("raise")]]:
            assert card[1] in "SHDC", "no such suit"
        return super().reply(fields)


class KnowsNoTurn(Sound):
    """Has never heard of a third street."""

    def bet(self, fields: list[str]) -> None:
        if fields[0] in {"bet1", "bet2"}:
            super().bet(fields)


class WaitsOnTheButton(Sound):
    """Believes that the button acts last before the flop, heads-up too, and waits for the other."""

    def bet(self, fields: list[str]) -> None:
        put, button = self.put(fields), int(fields[-1])
        first = fields[0] == "bet1" and len(put) == 2 and sorted(put) == [5, 10] and put[button] == 5
        if not first:
            super().bet(fields)


class SilentAtTheOption(Sound):
    """Says nothing where the big blind may raise although all have called."""

    def bet(self, fields: list[str]) -> None:
        if fields[0] != "bet1" or fields[3] != "0":
            super().bet(fields)


# ---- Messages that need no reply -----------------------------------------------------------------------------


class AnswersAfterAllIn(Sound):
    """Checks on streets on which it is all in, where nobody asks: it hears of the end and replies to it."""

    all_in = False

    def reply(self, fields: list[str]) -> str:
        reply = super().reply(fields)
        self.all_in = reply == f"bet:{fields[1]}"
        return reply

    def status(self, text: str) -> None:
        if self.all_in:
            self.write("bet:0")
        self.all_in = False


class NeedsFiveCards(Sound):
    """Takes five cards from every status, also where all others have folded and none is shown."""

    def status(self, text: str) -> None:
        cards = text.split(":")[2:7]
        assert all(card[-1] in "SHDC" for card in cards), "no such suit"


class OneWinner(Sound):
    """Expects one winner of all chips."""

    def status(self, text: str) -> None:
        (winner,) = text.partition("won:")[2].split(":")
        winner.split("=")
