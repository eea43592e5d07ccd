"""How a hand of hold'em may go on: boards and opponents' cards drawn by chance, and what a bet wins in them."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from bots.strategies.holdem.preflop import place_of
from protocol.cards import DECK, Card
from protocol.games.holdem_hand import BOARD, STREETS
from protocol.games.poker_strength import card_bits, strength_of_bits

#: Boards that are drawn, and how often the opponents' cards are drawn for each.
BOARDS, DRAWS = 14, 9
#: Boards against one opponent, whose cards take less time to draw.
DUEL_BOARDS = 28
#: Hole cards whose strengths say how good others are on a board.
SAMPLE = 60
#: How often cards are drawn for an opponent until they agree with how it has played.
TRIES = 10
#: How often an opponent plays cards that its rates do not explain.
SURPRISE = 0.1


class Rival(NamedTuple):
    """An opponent that has not folded.

    Attributes:
        stack: chips in front of it.
        owes: chips it has yet to put in to stay, before a raise.
        plays: with which share of its cards it sees a flop.
        bets: with which share of its cards it has bet or called after the flop, or now; 1 if it has not.
        folds: by kind of bet, how often it folds to it.
    """

    stack: int
    owes: int
    plays: float
    bets: float
    folds: Sequence[float]


class Draw(NamedTuple):
    """One way the hand may go on.

    Attributes:
        mine: the own strength at the end.
        strengths: of each rival at the end.
        now: the place of each rival's cards among all cards now, from 0 (worst) to 1.
    """

    mine: int
    strengths: tuple[int, ...]
    now: tuple[float, ...]


@dataclass(slots=True)
class Futures:
    """Ways the hand may go on, in groups that share a board."""

    groups: list[list[Draw]]
    rivals: Sequence[Rival]

    def called(self, chips: int, pot: int, later: int) -> float:
        """What is won on average, less ``chips``, when they are put in and nobody folds or bets more.

        Args:
            chips: put in now.
            pot: before that.
            later: chips that one bet may put in once the board is known; 0 to leave that bet out.
        """
        gain = 0.0
        for group in self.groups:
            gain += sum(_share(draw, range(len(self.rivals))) for draw in group) * (pot + chips) / len(group)
            gain += self._later(group, range(len(self.rivals)), pot + chips, later)
        return gain / len(self.groups) - chips

    def raised(self, chips: int, owed: int, pot: int, size: int) -> float:
        """What is won on average, less ``chips``, when they are put in, of which ``owed`` would have been a call.

        Each rival folds with its worst cards, as often as it folds to bets of that kind, and else calls.
        """
        gain = 0.0
        for group in self.groups:
            together = 0.0
            for draw in group:
                staying = [
                    index
                    for index, rival in enumerate(self.rivals)
                    if not rival.stack or draw.now[index] >= rival.folds[size]
                ]
                if not staying:
                    together += pot
                    continue
                paid = sum(min(self.rivals[index].stack, self.rivals[index].owes + chips - owed) for index in staying)
                most = max(min(self.rivals[index].stack + owed - self.rivals[index].owes, chips) for index in staying)
                together += _share(draw, staying) * (pot + most + paid) - most
            gain += together / len(group)
        return gain / len(self.groups)

    def _later(self, group: Sequence[Draw], staying: Sequence[int], pot: int, stack: int) -> float:
        """What a bet of the pot or of everything adds when the board of ``group`` is known, and is called."""
        if len(self.groups) == 1:
            return 0.0
        best = 0.0
        for chips in (min(pot, stack), stack):
            added = 0.0
            size = 1 if chips <= pot else 2
            for draw in group:
                calls = [index for index in staying if draw.now[index] >= self.rivals[index].folds[size]]
                paid = sum(min(chips, self.rivals[index].stack) for index in calls)
                most = max([min(chips, self.rivals[index].stack) for index in calls], default=0)
                added += _share(draw, calls) * (paid + most) - most if calls else 0.0
            best = max(best, added / len(group))
        return best / 2  # the best of few draws is flattered, and opponents are not asked what they would do


def _share(draw: Draw, rivals: Sequence[int]) -> float:
    """The share of the pot that is won against the rivals at these places."""
    best = max([draw.strengths[index] for index in rivals], default=0)
    if draw.mine != best:
        return float(draw.mine > best)
    return 1 / (1 + sum(draw.strengths[index] == best for index in rivals))


def draw_futures(hole: Sequence[Card], board: Sequence[Card], rivals: Sequence[Rival], rng: Random) -> Futures:
    """Draw boards and rivals' cards that agree with how the rivals have played."""
    known = {*hole, *board}
    unseen = [card for card in DECK if card not in known]
    own, on_board = card_bits(hole), card_bits(board)
    missing = BOARD[STREETS] - len(board)
    ladder = _ladder(unseen, on_board, rng) if board else []
    boards = DUEL_BOARDS if len(rivals) == 1 else BOARDS
    groups = []
    for _ in range(boards if missing else 1):
        rest = rng.sample(unseen, missing)
        final = on_board | card_bits(rest)
        left = [card for card in unseen if card not in rest]
        draws = [
            _draw(own | final, final, on_board, left, ladder, rivals, rng)
            for _ in range(DRAWS if missing else boards * DRAWS)
        ]
        groups.append(draws)
    return Futures(groups, rivals)


def _ladder(unseen: Sequence[Card], on_board: int, rng: Random) -> list[int]:
    """Strengths of some hole cards on the board, in order."""
    holes = [rng.sample(unseen, 2) for _ in range(SAMPLE)]
    return sorted([strength_of_bits(card_bits(hole) | on_board) for hole in holes])


def _draw(
    own: int,
    final: int,
    on_board: int,
    left: Sequence[Card],
    ladder: Sequence[int],
    rivals: Sequence[Rival],
    rng: Random,
) -> Draw:
    strengths, places = [], []
    for rival in rivals:
        place, hole = max(_tries(rival, left, ladder, on_board, rng))[1:]
        left = [card for card in left if card not in hole]
        strengths.append(strength_of_bits(card_bits(hole) | final))
        places.append(place)
    return Draw(strength_of_bits(own), tuple(strengths), tuple(places))


def _tries(
    rival: Rival, left: Sequence[Card], ladder: Sequence[int], on_board: int, rng: Random
) -> Iterator[tuple[float, float, list[Card]]]:
    """Cards for a rival: how well they agree with how it has played (0 is fully), their place now, and the cards.

    Ends with the first that agree.
    """
    surprising = rng.random() < SURPRISE
    for _ in range(TRIES):
        hole = rng.sample(left, 2)
        before = place_of(*hole)
        place = before
        if ladder:
            place = bisect_left(ladder, strength_of_bits(card_bits(hole) | on_board)) / len(ladder)
        fit = min(0.0, before - 1 + rival.plays) + min(0.0, place - 1 + rival.bets)
        yield fit, place, hole
        if not fit or surprising:
            return
