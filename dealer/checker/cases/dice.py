"""What dice adds to a check: opponents with numbers of all sizes, and situations in which one answer is right."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random

from dealer.checker.cases.deals import Deal, Part, call, chance_of, compliance_parts
from dealer.checker.cases.game_cases import GameCases
from dealer.checker.cases.judged import Seen, Situation, ToPlay, given_situations, seldom_odd
from dealer.checker.scoring.causes import OTHER_WORDS, QuestionText, first_of
from dealer.checker.scoring.rubric import Line
from protocol.dice import DICE, SIDES, BetSize
from protocol.games.base import Bet
from protocol.games.dice import BET_SIZES, DiceGame, deal
from protocol.wire.messages import GameInfo

#: The line of the rubric about given situations.
PLAY = "situations"

#: How well a program plays.
LINES = (Line(PLAY, 60, "plays the given situations by B, role and die", play=True),)

#: Numbers that opponents have: a tournament has up to 1000 players, and arrays must be large enough for them.
NUMBERS = (0, 1, 7, 31, 99, 100, 255, 256, 999)


def situations() -> list[Situation]:
    """The situations of a check."""
    small, large = BET_SIZES[:2], BET_SIZES[-4:]
    six = "a six never loses at a showdown, and a fold loses the blind"
    return [
        _situation("a six as the first player: bet", six, product(BET_SIZES[::3], [0], [SIDES])),
        _situation("a six as the second player: call", six, product(BET_SIZES[::3], [1], [SIDES])),
        _situation(
            "B is large and the die small, as the second player: fold",
            "a call may lose many chips, to save a blind of two",
            product(large, [1], [1, 2]),
            bets=False,
        ),
        _situation(
            "B is small and the die high, as the second player: call",
            "a call costs one or two chips more than a fold, and wins often enough",
            product(small, [1], [4, 5]),
        ),
        _situation(
            "B is small and the die high, as the first player: bet",
            "a bet costs two or three chips, and wins often enough",
            product(small, [0], [4, 5]),
        ),
    ]


def _situation(name: str, reason: str, turns: Iterable[tuple[int, int, int]], *, bets: bool = True) -> Situation:
    """Questions of a kind to which one answer is right.

    Args:
        name: in words.
        reason: why the answer is right.
        turns: B, role and die of each question.
        bets: whether a bet is right; else a fold.
    """
    questions = list(turns)

    def deal(rng: Random, number: int) -> list[ToPlay]:
        return [partial(_question, rng, *questions[number % len(questions)])]

    verdict = seldom_odd(lambda _, action: isinstance(action, Bet) is bets)
    return Situation(PLAY, name, reason, len(questions), deal, verdict)


def _question(rng: Random, bet: int, second: int, die: int, seen: Callable[[Seen], None]) -> Deal:
    """A hand with one question; the opponent always bets, and shows a die drawn by chance."""
    seat, other = rng.randrange(2), rng.choice(DICE)
    dice = (DICE[die - 1], other) if seat == 0 else (other, DICE[die - 1])
    opener, stack = 1 - seat if second else seat, DiceGame().stack
    hand = deal((BetSize(bet, f"B={bet}"), *dice), (stack, stack), opener, _numbers(rng, seat))
    return Deal(hand, seat, call, watch=lambda turn, action: seen(Seen(turn, action)))


def _numbers(rng: Random, seat: int) -> tuple[int, int]:
    own, opponent = rng.sample(NUMBERS, 2)
    return (own, opponent) if seat == 0 else (opponent, own)


def parts(seed: str, hands: int) -> list[Part]:
    """The parts of a check; ``hands`` is the number of hands of the longest part."""
    *usual, longest = compliance_parts(DiceGame(), seed, hands)
    many = replace(longest, deals=_against_many(longest.deals, chance_of(seed, "opponents")))
    given = given_situations(situations(), seed)
    return [*usual, many, replace(given, deals=_announced(given.deals))]


def _against_many(deals: Iterator[Deal], rng: Random) -> Iterator[Deal]:
    """The same hands against opponents with many numbers, as in a league."""
    for dealt in deals:
        hand = DiceGame().number_players(dealt.hand, _numbers(rng, dealt.seat))  # type: ignore[arg-type]
        yield replace(dealt, hand=hand)


def _announced(deals: Iterator[Deal]) -> Iterator[Deal]:
    """The same hands; before the first one the program is told that a game begins."""
    for number, dealt in enumerate(deals):
        yield dealt if number else replace(dealt, before=GameInfo.about(DiceGame(), dealt.seat, 2))


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


CASES = GameCases(parts, LINES, QuestionText(malformed=malformed), replies="'fold' or 'bet'")
