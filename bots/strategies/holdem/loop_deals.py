"""Cards that chance deals for the rest of a hand, which agree with how the opponents have played."""

from collections.abc import Iterator, Sequence
from random import Random

from bots.strategies.holdem.chances import RIVER
from bots.strategies.holdem.loop_playouts import LUCK, Deal
from bots.strategies.holdem.reads import Ladder, Pool
from protocol.cards import DECK, Card
from protocol.games.holdem_hand import BOARD
from protocol.games.poker_strength import card_bits, strength_of_bits

#: How many cards of the pool say what a place is worth on a board that chance dealt.
RUNGS = 30
#: How often others' cards are drawn before any cards do that nobody else holds.
TRIES = 6


class _Runout:
    """The rest of the board as chance deals it, with what cards are worth on each street of it."""

    def __init__(self, pool: Pool, board: Sequence[Card], rest: Sequence[Card], street: int) -> None:
        cards = (*board, *rest)
        self.final = card_bits(cards)
        self._pool = pool
        self._boards = [card_bits(cards[: BOARD[number]]) for number in range(street + 1, RIVER + 1)]
        dealt = card_bits(rest)
        rungs = [hole for hole, free in zip(pool.holes, pool.free, strict=True) if free and not hole & dealt][:RUNGS]
        self._ladders = [Ladder([strength_of_bits(hole | bits) for hole in rungs]) for bits in self._boards]
        self._known: dict[int, tuple[list[int], int]] = {}

    def worth(self, hole: int, now: int) -> tuple[list[int], int]:
        """The steps of cards from street to street, of which the first is ``now``, and their strength at the end."""
        strengths = [strength_of_bits(hole | bits) for bits in self._boards]
        steps = [ladder.step(strength) for ladder, strength in zip(self._ladders, strengths, strict=True)]
        return [now, *steps], strengths[-1] if strengths else strength_of_bits(hole | self.final)

    def worth_in_pool(self, place: int) -> tuple[list[int], int]:
        """The same for cards of the pool, which is remembered."""
        found = self._known.get(place)
        if found is None:
            found = self._known[place] = self.worth(self._pool.holes[place], self._pool.steps[place])
        return found


class Dealing:
    """Deals cards again and again at one question.

    Args:
        pool: the cards that others may hold.
        hole: the own cards.
        board: the cards on the board.
        street: under way.
        rng: draws the cards.
    """

    def __init__(self, pool: Pool, hole: Sequence[Card], board: Sequence[Card], street: int, rng: Random) -> None:
        self._pool, self._board, self._street, self._rng = pool, board, street, rng
        self._own = card_bits(hole)
        self._unseen = [card for card in DECK if card not in hole and card not in board]

    def deals(self, draws: Sequence[Iterator[tuple[int, int]] | None], count: int) -> Iterator[Deal]:
        """So many deals that share the rest of the board.

        Args:
            draws: by player, kinds and places in the pool as they are drawn; None for the own place.
            count: how many deals.
        """
        street, pool, chance = self._street, self._pool, self._rng.random
        rest = self._rng.sample(self._unseen, BOARD[RIVER] - len(self._board))
        runout = _Runout(pool, self._board, rest, street)
        mine = runout.worth(self._own, pool.own_step)
        for _ in range(count):
            used, kinds, worths = self._own | runout.final, [], []
            for drawn in draws:
                kind, worth = 0, mine
                if drawn is not None:
                    kind, place = self._free_cards(drawn, used)
                    used |= pool.holes[place]
                    worth = runout.worth_in_pool(place)
                kinds.append(kind)
                worths.append(worth)
            steps = [()] * street + list(zip(*[steps for steps, _ in worths], strict=True))
            luck = [chance() for _ in range(LUCK)]
            yield Deal(kinds, steps, [strength for _, strength in worths], luck)

    def _free_cards(self, drawn: Iterator[tuple[int, int]], used: int) -> tuple[int, int]:
        """The next kind and place in the pool whose cards nobody else holds."""
        holes = self._pool.holes
        kind, place = next(drawn)
        for _ in range(TRIES):
            if not holes[place] & used:
                return kind, place
            kind, place = next(drawn)
        return kind, self._rng.choice([place for place, hole in enumerate(holes) if not hole & used])
