r"""Golden playthroughs: a file says who sits where with which cards and what they reply, then all that travels.

    # comments, kept
    framing: frames                         or: lines
    ante: 1                                 in stud; in blockhead the opener: 0; in hold'em these four:
    betting: no-limit 10                    the limit and the least bet, which is doubled on turn and river
    blinds: 0 5 10                          by seat
    button: 0
    board: 2C 3D 4H 5S 6C
    roll: 12 4 6                            in dice: B and the dice by seat, with the opener, and
    numbers: 7 3                            of the players in the tournament
    seat: amit:Amit | 500 | 2C AH 3D        name, stack before the hand, cards with the hole card first
    replies: bet:10 fold                    in the order of the questions
    ---
    dealer > amit  \x00\x05login            the bytes; what is not printable ASCII, and a backslash, as \xNN

Run this module to write the files anew after a decision changed, then read the difference by hand.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from protocol.games import blockhead, dice, holdem_deal, stud
from protocol.games.base import Hand, Status
from protocol.games.holdem import HoldemGame
from protocol.wire.codec import decode_action, decode_name
from protocol.wire.framing import LineFraming, UtfFraming
from protocol.wire.messages import Done, GameInfo, Login, Name
from tests.protocol.helpers import ConnectionPair, deck_of

FOLDER = Path(__file__).parents[1] / "playthroughs"
#: The folder of a file is the game it plays.
FILES = sorted(FOLDER.glob("*/*.txt"))

FRAMINGS: dict[str, UtfFraming | LineFraming] = {"frames": UtfFraming(), "lines": LineFraming()}
RULER = "---\n"


@dataclass(frozen=True)
class Script:
    """What a playthrough starts from."""

    framing: UtfFraming | LineFraming
    hand: Hand
    names: list[Name]
    stacks: list[int]
    replies: list[str]
    game: HoldemGame | None


def read_script(text: str) -> Script:
    """The part of a file above the ruler."""
    fields = [line.split(": ", 1) for line in text.partition(RULER)[0].splitlines() if not line.startswith("#")]
    seats = [value.split(" | ") for key, value in fields if key == "seat"]
    one = {key: value for key, value in fields if key != "seat"}
    return Script(
        FRAMINGS[one["framing"]],
        _deal(one, [cards for _, _, cards in seats], [int(stack) for _, stack, _ in seats]),
        [decode_name(name) for name, _, _ in seats],
        [int(stack) for _, stack, _ in seats],
        one.get("replies", "").split(),
        _holdem(one) if "board" in one else None,
    )


def _deal(agreed: dict[str, str], cards: list[str], stacks: list[int]) -> Hand:
    if "roll" in agreed:
        drawn, numbers = bytes(map(int, agreed["roll"].split())), list(map(int, agreed["numbers"].split()))
        assert cards == agreed["roll"].split()[1:]
        return dice.deal(dice.Dice().outcome(drawn), stacks, int(agreed["opener"]), numbers)
    deck = deck_of(*cards, agreed.get("board", ""))
    if "board" in agreed:
        blinds, button = [int(blind) for blind in agreed["blinds"].split()], int(agreed["button"])
        return holdem_deal.deal(deck, stacks, _holdem(agreed).bets, button=button, blinds=blinds)
    if "opener" in agreed:
        return blockhead.deal(deck, stacks, int(agreed["opener"]), carried=int(agreed.get("carried", "0")))
    return stud.deal(deck, stacks, int(agreed["ante"]))


def _holdem(agreed: dict[str, str]) -> HoldemGame:
    limit, bet = agreed["betting"].split()
    small, big = sorted(int(blind) for blind in agreed["blinds"].split())[-2:]
    assert big == int(bet)
    return HoldemGame.from_facts({"betting": limit, "small_blind": small, "big_blind": big})


class Table:
    """Every seat's connection pair, and the lines of what travelled."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.pairs = [ConnectionPair(script.framing) for _ in script.names]
        self.lines: list[str] = []

    def run(self) -> list[str]:
        """Log in, play the hand, say how it ended and good-bye."""
        for seat, name in enumerate(self.script.names):
            self.pairs[seat].tell(Login())
            self.pairs[seat].answer(name)
            self._write(seat)
        short = {blockhead.BlockheadHand: "blockhead", dice.DiceHand: "dice"}.get(type(self.script.hand))
        if short is not None:
            for seat in range(len(self.pairs)):
                self._tell(seat, GameInfo(short, (("seat", str(seat)), ("players", str(len(self.pairs))))))
        if self.script.game:
            for seat in range(len(self.pairs)):
                self._tell(seat, GameInfo.about(self.script.game, seat, len(self.pairs)))
        hand = self._play()
        settlement = hand.settle()
        for seat in range(len(self.pairs)):
            if (status := settlement.statuses()[seat]) is not None:
                self._tell(seat, status)
        for seat, payoff in enumerate(settlement.payoffs):
            stack = self.script.stacks[seat] + payoff
            self._tell(seat, Done(f"you have {stack} chips" if stack else "you have no chips left"))
        return self.lines

    def _play(self) -> Hand:
        hand = self.script.hand
        for reply in self.script.replies:
            assert hand.to_act is not None, f"nobody is asked for {reply}"
            turn = hand.view(hand.to_act)
            action = decode_action(reply, turn)
            self.pairs[hand.to_act].tell(turn)
            self.pairs[hand.to_act].answer(action)
            self._write(hand.to_act)
            hand = hand.apply(action)
        assert hand.to_act is None, f"seat {hand.to_act} is asked once more"
        return hand

    def _tell(self, seat: int, message: Status | Done | GameInfo) -> None:
        self.pairs[seat].tell(message)
        self._write(seat)

    def _write(self, seat: int) -> None:
        """Take what travelled to and from ``seat`` off its wire."""
        bot = self.script.names[seat].id
        for speaker, data in self.pairs[seat].wire:
            way = f"dealer > {bot}" if speaker == "dealer" else f"{bot} > dealer"
            self.lines.append(f"{way}  {escaped(data, 2 if isinstance(self.script.framing, UtfFraming) else 0)}")
        self.pairs[seat].wire.clear()


def escaped(data: bytes, length_bytes: int = 0) -> str:
    r"""Bytes as a person can read them; the first ``length_bytes`` always as ``\xNN``."""
    return "".join(
        chr(byte) if place >= length_bytes and 32 <= byte < 127 and byte != ord("\\") else f"\\x{byte:02x}"
        for place, byte in enumerate(data)
    )


def unescaped(text: str) -> bytes:
    """The bytes that ``escaped`` wrote."""
    return re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes.fromhex(found[1].decode()), text.encode("ascii"))


def played(text: str) -> str:
    """The whole file, as protocol and rules make it today."""
    return text.partition(RULER)[0] + RULER + "".join(f"{line}\n" for line in Table(read_script(text)).run())


if __name__ == "__main__":
    for file in FILES:
        file.write_text(played(file.read_text("utf-8")), "utf-8")
