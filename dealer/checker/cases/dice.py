"""What dice adds to a check: opponents with numbers of all sizes, and situations in which one answer is right."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random

from dealer.checker.cases.deals import Deal, Part, call, chance_of, compliance_parts
from dealer.checker.cases.game_cases import GameCases
from dealer.checker.scoring.causes import OTHER_WORDS, QuestionText, first_of
from dealer.checker.scoring.findings import Findings, Played
from dealer.checker.scoring.rubric import Line
from protocol.dice import DICE, SIDES, BetSize
from protocol.games.base import Action, Bet, Turn
from protocol.games.dice import BET_SIZES, DiceGame, DiceTurn, deal
from protocol.wire.codec import encode, encode_action
from protocol.wire.messages import GameInfo

#: The line of the rubric about given situations.
PLAY = "situations"

#: How well a program plays.
LINES = (Line(PLAY, 60, "plays the given situations by B, role and die", play=True),)

#: Numbers that opponents have: a tournament has up to 1000 players, and arrays must be large enough for them.
NUMBERS = (0, 1, 7, 31, 99, 100, 255, 256, 999)

#: Times that a program may answer a situation differently: chance is a part of good play.
ODD = 1


@dataclass(slots=True)
class Situation:
    """Questions of a kind to which one answer is right, and what the program answered.

    Attributes:
        name: in words.
        reason: why the answer is right.
        turns: B, role and die of each question.
        bets: whether a bet is right; else a fold.
        seen: questions with replies that are not right.
        answered: questions with a legal reply.
    """

    name: str
    reason: str
    turns: Sequence[tuple[int, int, int]]
    bets: bool
    seen: list[str] = field(default_factory=list)
    answered: int = 0

    def watch(self, turn: Turn, action: Action | None) -> None:
        """Note the reply to a question."""
        if action is None:
            return
        self.answered += 1
        if isinstance(action, Bet) is not self.bets:
            self.seen.append(f"{encode(turn)} -> {encode_action(action, turn)}")

    def write_down(self, findings: Findings) -> None:
        """Add to the findings how it was played."""
        if self.answered < len(self.turns):
            why = (f"it answered {self.answered} of {len(self.turns)} of these questions",)
            findings.played.append(Played(PLAY, self.name, None, self.reason, why))
            return
        good = len(self.seen) <= ODD
        findings.played.append(Played(PLAY, self.name, good, self.reason, tuple(self.seen)))

    def deals(self, rng: Random) -> Iterator[Deal]:
        """A hand for each question; the opponent always bets, and shows a die drawn by chance."""
        for bet, second, die in self.turns:
            seat, other = rng.randrange(2), rng.choice(DICE)
            dice = (DICE[die - 1], other) if seat == 0 else (other, DICE[die - 1])
            opener = 1 - seat if second else seat
            roll = (BetSize(bet, f"B={bet}"), *dice)
            stack = DiceGame().stack
            yield Deal(deal(roll, (stack, stack), opener, _numbers(rng, seat)), seat, call, watch=self.watch)


def situations() -> tuple[Situation, ...]:
    """The situations of a check, not played yet."""
    small, large = BET_SIZES[:2], BET_SIZES[-4:]
    return (
        Situation(
            "a six as the first player: bet",
            "a six never loses at a showdown, and a fold loses the blind",
            list(product(BET_SIZES[::3], [0], [SIDES])),
            bets=True,
        ),
        Situation(
            "a six as the second player: call",
            "a six never loses at a showdown, and a fold loses the blind",
            list(product(BET_SIZES[::3], [1], [SIDES])),
            bets=True,
        ),
        Situation(
            "B is large and the die small, as the second player: fold",
            "a call may lose many chips, to save a blind of two",
            list(product(large, [1], [1, 2])),
            bets=False,
        ),
        Situation(
            "B is small and the die high, as the second player: call",
            "a call costs one or two chips more than a fold, and wins often enough",
            list(product(small, [1], [4, 5])),
            bets=True,
        ),
        Situation(
            "B is small and the die high, as the first player: bet",
            "a bet costs two or three chips, and wins often enough",
            list(product(small, [0], [4, 5])),
            bets=True,
        ),
    )


def _numbers(rng: Random, seat: int) -> tuple[int, int]:
    own, opponent = rng.sample(NUMBERS, 2)
    return (own, opponent) if seat == 0 else (opponent, own)


def parts(seed: str, hands: int) -> list[Part]:
    """The parts of a check; ``hands`` is the number of hands of the longest part."""
    *usual, longest = compliance_parts(DiceGame(), seed, hands)
    many = replace(longest, deals=_against_many(longest.deals, chance_of(seed, "opponents")))
    return [*usual, many, _given_situations(seed)]


def _against_many(deals: Iterator[Deal], rng: Random) -> Iterator[Deal]:
    """The same hands against opponents with many numbers, as in a league."""
    for dealt in deals:
        hand = DiceGame().number_players(dealt.hand, _numbers(rng, dealt.seat))  # type: ignore[arg-type]
        yield replace(dealt, hand=hand)


def _given_situations(seed: str) -> Part:
    judged, rng = situations(), chance_of(seed, "situations")
    hands = [dealt for situation in judged for dealt in situation.deals(rng)]
    rng.shuffle(hands)
    hands[0].before = GameInfo.about(DiceGame(), hands[0].seat, 2)
    return Part("given situations", iter(hands), len(hands), "the tournament is over", judged=judged)


def kinds_of_turn(turn: DiceTurn) -> Iterator[str]:
    """What is special about a question."""
    yield "second player" if turn.second else "first player"
    yield "B above 10" if turn.bet > 10 else "B up to 10"
    if turn.opponent >= 100:
        yield "a large number of an opponent"


def malformed(text: str) -> str:
    """What a reply that cannot be read usually comes from; empty where its form says nothing."""
    word = text.strip().lower()
    return first_of(
        [
            (not word, "the reply is empty"),
            (word in ("bet", "fold") and text != text.strip(), "a blank or a line end is sent along with the reply"),
            (word in ("bet", "fold"), "write 'bet' and 'fold' in lower case"),
            (re.match(r"bet\b", word), "behind bet stands nothing: B says how many chips it is"),
            (re.match(r"fold\b", word), "nothing may stand behind fold"),
            (word in ("0", "1"), "the answer is a word: bet or fold"),
            (re.match(r"(call|see)\b", word), "a call is bet, too"),
            (OTHER_WORDS.fullmatch(word), "the only words are bet and fold"),
        ]
    )


CASES = GameCases(parts, LINES, kinds_of_turn, QuestionText(malformed=malformed), replies="'fold' or 'bet'")
