"""A hand of hold'em that others dealt, as its hand history tells: every seat's bets, and only the cards that are known.

Nothing is invented: a card that the history does not tell stays unknown, and where cards that decide a pot are unknown,
who won what is taken from the history itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, get_args

from protocol.cards import UNKNOWN, Card
from protocol.games.base import Pot, Settlement
from protocol.games.holdem_betting import Betting, Limit
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import SEATS, STREETS, HoldemHand

#: The kind of pots whose winners are known only from the history.
NOT_KNOWN = "cards that are not known"

#: The fields of such a deal and of its ``Betting``, as a journal names them.
_OF_BETTING = ("limit", "small_bet", "big_bet", "most_bets")
_NAMES = (*_OF_BETTING, "button", "blinds", "antes", "dead_antes", "mucked", "told")


@dataclass(frozen=True, slots=True)
class RecordedDeal:
    """What is known of such a hand before its first action, as ``deal`` takes it; amounts in chips, by seat.

    Attributes:
        mucked: seats that gave up at the showdown without showing their cards.
        told: chips that each seat won or lost, as the history tells; None if it does not.
    """

    starting: tuple[int, ...]
    betting: Betting
    button: int
    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    dead_antes: bool
    mucked: tuple[int, ...]
    told: tuple[int, ...] | None

    @property
    def facts(self) -> dict[str, Any]:
        """The deal as a journal keeps it; the chips before the hand stand in the record itself."""
        return {name: getattr(self.betting if name in _OF_BETTING else self, name) for name in _NAMES}

    @classmethod
    def from_facts(cls, starting: Sequence[int], facts: Mapping[str, Any]) -> Self:
        """The deal that a journal keeps.

        Raises:
            ValueError: a fact is missing or has another form.
        """
        count = len(starting)
        if count not in SEATS or not _whole(starting, 1):
            raise ValueError(f"stacks: expected {SEATS[0]} to {SEATS[-1]} stacks from 1, got {list(starting)!r}")
        missing = [name for name in _NAMES if name not in facts]
        if missing:
            raise ValueError(f"recorded.{missing[0]} is missing")
        sizes = [facts[name] for name in ("small_bet", "big_bet", "most_bets")]
        if facts["limit"] not in get_args(Limit) or not _whole(sizes, 0) or min(sizes[:2]) < 1:
            raise ValueError(
                f"recorded: expected a limit with its sizes of bets, got {facts['limit']!r} with {sizes!r}"
            )
        _require_list("blinds", facts["blinds"], count, least=None)
        _require_list("antes", facts["antes"], count, least=0)
        if facts["told"] is not None:
            _require_list("told", facts["told"], count, least=None)
        mucked = facts["mucked"]
        seats = [*mucked, facts["button"]] if _is_list(mucked) else [-1]
        if not _whole(seats, 0) or max(seats) >= count:
            raise ValueError(f"recorded: expected seats from 0 to {count - 1} as button and mucked, got {facts!r}")
        if type(facts["dead_antes"]) is not bool:
            raise ValueError(f"recorded.dead_antes: expected true or false, got {facts['dead_antes']!r}")
        return cls(
            tuple(starting),
            Betting(facts["limit"], *sizes),
            facts["button"],
            tuple(facts["blinds"]),
            tuple(facts["antes"]),
            facts["dead_antes"],
            tuple(mucked),
            None if facts["told"] is None else tuple(facts["told"]),
        )

    def deal(self, deck: Sequence[Card]) -> HoldemHand:
        """The hand before its first action; cards of the deck may be unknown."""
        return deal(
            deck,
            self.starting,
            self.betting,
            button=self.button,
            blinds=self.blinds,
            antes=self.antes,
            dead_antes=self.dead_antes,
        )

    def settle(self, hand: HoldemHand) -> tuple[HoldemHand, Settlement]:
        """The hand without those who mucked, and who won what.

        Raises:
            ValueError: the history tells another result than the rules, or nobody can know the result.
        """
        staying = tuple([seat for seat in hand.live if seat not in self.mucked or len(hand.live) == 1])
        decided = len(staying) == 1 or not any(
            card is UNKNOWN for card in (*hand.board, *[card for seat in staying for card in hand.hole(seat)])
        )
        if decided and staying and all(set(seats) & set(staying) for _, seats in hand.public().pots):
            last = hand._replace(live=staying)
            settlement = last.settle()
            if self.told not in (None, settlement.payoffs):
                raise ValueError(f"payoffs: by the rules {settlement.payoffs}, the history tells {self.told}")
            return last, settlement
        if self.told is None:
            raise ValueError("payoffs: the cards that decide them are not known, and the history does not tell them")
        return hand, self._settlement_as_told(hand, self.told)

    def _settlement_as_told(self, hand: HoldemHand, payoffs: tuple[int, ...]) -> Settlement:
        shares = [
            payoff + starting - stack
            for payoff, starting, stack in zip(payoffs, self.starting, hand.stacks, strict=True)
        ]
        gave_up = [share for seat, share in enumerate(shares) if seat not in hand.live or seat in self.mucked]
        if min(shares) < 0 or any(gave_up) or sum(shares) != hand.pot:
            raise ValueError(f"told: {payoffs} cannot be what this hand's pot of {hand.pot} was divided into")
        won = tuple([(seat, share) for seat, share in enumerate(shares) if share])
        pot = Pot(hand.pot, won, "", NOT_KNOWN, shown=False)
        return Settlement(payoffs, tuple(shares), (), pots=(pot,), told_shares=True)


def check_cards(hand: HoldemHand) -> None:
    """Make sure that no known card was dealt twice, and that the board is as long as it can be.

    Raises:
        ValueError: one was, or the number of cards is another.
    """
    known = [card for card in hand.deck if card is not UNKNOWN]
    twice = [card for card in known if known.count(card) > 1]
    if twice:
        raise ValueError(f"deck: {twice[0]} is dealt twice")
    if len(hand.deck) != 2 * len(hand.starting) + STREETS + 1:
        raise ValueError(f"deck: expected two cards a seat and five for the board, got {len(hand.deck)}")


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _whole(numbers: Sequence[object], least: int | None) -> bool:
    return all(type(number) is int and (least is None or number >= least) for number in numbers)


def _require_list(name: str, value: Any, count: int, least: int | None) -> None:
    if not _is_list(value) or len(value) != count or not _whole(value, least):
        raise ValueError(f"recorded.{name}: expected {count} amounts of chips, got {value!r}")
