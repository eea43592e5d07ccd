"""Dice: two players with a hidden die each; the first folds or bets B chips, the second folds or calls.

"The first player bets 1 chip (the small blind); the second player bets 2 chips (the big blind); a random integer B from
the interval [3..18] is chosen and announced to both players; both players secretly roll their own die" (dice
tournament assignment).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from protocol.cards import Piece
from protocol.dice import DICE, SIDES, BetSize, Die, die_name
from protocol.games.base import (
    FOLDED,
    Action,
    Fold,
    IllegalAction,
    Legal,
    Pot,
    PublicHand,
    PublicSeat,
    Settlement,
)
from protocol.games.game import Game, Layout, option
from protocol.games.match import MatchOfHands
from protocol.games.pot import split_evenly
from protocol.shuffle import drawn_number

NAME = "dice"
SEATS = range(2, 3)

#: Chips that the first and the second player put in before they are told B.
BLINDS = (1, 2)

#: Every B: chips that a player has in the pot after a bet.
BET_SIZES = range(3, 19)

DEFAULT_HANDS = 100
DEFAULT_STACK = 1000

#: Why both players get back what they put in.
TIE = "equal dice"

#: What chance decides: B, then the die of each seat.
Roll = tuple[BetSize, Die, Die]

_BET_SIZES = {bet: BetSize(bet, f"B={bet}") for bet in BET_SIZES}


@dataclass(frozen=True, slots=True)
class Dice:
    """The chance of one hand: B and two dice, every outcome as likely as the next.

    With ``n`` the 512-bit number of the hand (see ``protocol.shuffle.drawn_number``), B is 3 more than the remainder of
    ``n`` by 16. The quotient gives the die of seat 0 in the same way, by 6 and from 1, and its quotient that of seat 1.
    """

    def draw(self, seed: bytes, table: int, hand: int, resumption: int = 0) -> bytes:
        """B and the die of each seat, a byte each."""
        rest, bet = divmod(drawn_number(seed, table, hand, resumption), len(BET_SIZES))
        rest, first = divmod(rest, SIDES)
        return bytes([BET_SIZES[bet], 1 + first, 1 + rest % SIDES])

    def outcome(self, drawn: bytes) -> Roll:
        """B and the dice that three bytes stand for.

        Raises:
            ValueError: there are more or fewer, or one is no B or no number of a die.
        """
        if len(drawn) != 3 or drawn[0] not in _BET_SIZES or not all(1 <= pips <= SIDES for pips in drawn[1:]):
            raise ValueError(f"expected B from 3 to 18 and two dice from 1 to 6, got {list(drawn)}")
        return _BET_SIZES[drawn[0]], DICE[drawn[1] - 1], DICE[drawn[2] - 1]

    def unseen(self, seen: Collection[Piece]) -> tuple[Die, ...]:
        """The faces of the one die that is hidden; none is less likely because another die shows it."""
        return DICE


class DiceTurn(NamedTuple):
    """All that the seat to act may know.

    Attributes:
        bet: B, the chips that a player has in the pot after a bet.
        second: 1 for the player with the big blind, who acts after a bet; 0 for the first player.
        die: the own die, which only this seat sees.
        opponent: the number of the opponent in the tournament.
    """

    bet: int
    second: int
    die: int
    opponent: int

    @property
    def street(self) -> int:
        return 1

    @property
    def stack(self) -> None:
        """Not told: chips may go below zero, so that a stack limits nothing."""
        return

    @property
    def pot(self) -> int:
        """The blinds; for the second player the bet of the first instead of its blind."""
        return BLINDS[1] + (self.bet if self.second else BLINDS[0])

    @property
    def owed(self) -> int:
        """What is missing to B."""
        return self.bet - BLINDS[self.second]

    @property
    def own(self) -> tuple[Die, ...]:
        return (DICE[self.die - 1],)

    def legal(self) -> Legal:
        """What may be answered: a fold, or chips up to B."""
        return _LEGAL[self.owed]


#: By the chips owed.
_LEGAL = {owed: Legal(owed, range(0)) for owed in range(BET_SIZES[-1])}


class DiceStatus(NamedTuple):
    """What a player who has not folded is told at the end of a hand.

    Attributes:
        second: 1 for the player with the big blind, 0 for the first player.
        showdown: whether the bet was called; else the opponent has folded.
        die: the opponent's; 0 if it was not shown.
        chips: won, or lost if below zero.
    """

    second: int
    showdown: bool
    die: int
    chips: int

    @property
    def opponents(self) -> tuple[Die, ...]:
        """The opponent's die; empty if it was not shown."""
        return (DICE[self.die - 1],) if self.die else ()

    @property
    def state(self) -> int:
        """The number of the message: 2 or 3 after the opponent's fold, 4 or 5 after a showdown, odd for the second."""
        return 2 + 2 * self.showdown + self.second


class DiceHand(NamedTuple):
    """One hand.

    Attributes:
        roll: B and the dice, by seat.
        starting: chips before the blinds, by seat.
        put: chips in the pot, by seat.
        opener: the seat of the first player.
        numbers: of the players in the tournament, by seat.
        live: the seats that have not folded.
        acted: how many players have acted.
    """

    roll: Roll
    starting: tuple[int, ...]
    put: tuple[int, int]
    opener: int
    numbers: tuple[int, ...]
    live: tuple[int, ...] = (0, 1)
    acted: int = 0

    @property
    def to_act(self) -> int | None:
        """The seat that must choose now, or None when the hand is over."""
        if len(self.live) == 1 or self.acted == 2:
            return None
        return 1 - self.opener if self.acted else self.opener

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips in front of each seat; may be below zero."""
        return self.starting[0] - self.put[0], self.starting[1] - self.put[1]

    @property
    def pot(self) -> int:
        """Chips put in by both."""
        return sum(self.put)

    @property
    def number(self) -> int:
        """The street; there is only one."""
        return 1

    def legal(self) -> Legal:
        seat = self.to_act
        assert seat is not None
        return _LEGAL[self.roll[0].chips - self.put[seat]]

    def view(self, seat: int) -> DiceTurn:
        """B, the role, the own die, and who the opponent is."""
        second = int(seat != self.opener)
        return DiceTurn(self.roll[0].chips, second, self._die(seat).pips, self.numbers[1 - seat])

    def apply(self, action: Action) -> Self:
        """Raises:
        IllegalAction: a bet of more or fewer chips than are missing to B.
        """
        legal = self.legal()
        if isinstance(action, Fold):
            return self.concede()
        if action.amount != legal.to_call:
            raise IllegalAction(
                f"you bet {action.amount}, but {legal.to_call} chips are missing to B: bet {legal.to_call}, or fold"
            )
        bet = self.roll[0].chips
        put = (bet, self.put[1]) if self.to_act == 0 else (self.put[0], bet)
        return self._replace(put=put, acted=self.acted + 1)

    def concede(self) -> Self:
        seat = self.to_act
        assert seat is not None
        return self._replace(live=(1 - seat,))

    def public(self) -> PublicHand:
        """B lies on the table, and the first player has the button, as in other games for two."""
        seats = tuple(
            PublicSeat(stack, put, seat in self.live, (), 1)
            for seat, (stack, put) in enumerate(zip(self.stacks, self.put, strict=True))
        )
        pots = ((self.pot, self.live),)
        return PublicHand(1, self.pot, pots, self.roll[:1], seats, self.opener, self.to_act)

    def hole(self, seat: int) -> tuple[Die, ...]:
        """The die of ``seat``, which lies under its cup."""
        return (self._die(seat),)

    def _die(self, seat: int) -> Die:
        return self.roll[2] if seat else self.roll[1]

    def settle(self) -> Settlement:
        """The player who is left, or the higher die; equal dice give both their chips back."""
        showdown = len(self.live) > 1
        best = max(self._die(seat).pips for seat in self.live)
        winners = [seat for seat in self.live if self._die(seat).pips == best]
        split = split_evenly(self.pot, winners)
        shares = (split.get(0, 0), split.get(1, 0))
        payoffs = (shares[0] - self.put[0], shares[1] - self.put[1])
        tied = len(winners) > 1
        why = TIE if tied else _in_words(best) if showdown else FOLDED
        pot = Pot(self.pot, tuple(split.items()), why, f"{TIE}: {_in_words(best)}" if tied else why, showdown)
        shown = tuple((seat, self.hole(seat)) for seat in self.live) if showdown else ()
        told = tuple(self._status(seat, payoffs[seat]) if seat in self.live else None for seat in (0, 1))
        cards = self.hole(winners[0]) if showdown else ()
        return Settlement(payoffs, shares, cards, tied, 0, shown, (pot,), told=told)

    def _status(self, seat: int, chips: int) -> DiceStatus:
        showdown = len(self.live) > 1
        return DiceStatus(int(seat != self.opener), showdown, self._die(1 - seat).pips if showdown else 0, chips)


def _in_words(pips: int) -> str:
    return f"a {die_name(pips)}"


def deal(roll: Roll, stacks: Sequence[int], opener: int = 0, numbers: Sequence[int] = (0, 1)) -> DiceHand:
    """The hand after the blinds and the rolls, ``opener`` to act.

    Args:
        roll: B and the dice, by seat.
        stacks: chips of both seats before the blinds; may be below zero.
        opener: the seat of the first player, who has the small blind.
        numbers: of the players in the tournament, by seat.

    Raises:
        ValueError: there are not two seats.
    """
    if len(stacks) not in SEATS:
        raise ValueError(f"dice needs {SEATS[0]} seats, got {len(stacks)}")
    put = (BLINDS[1], BLINDS[0]) if opener else BLINDS
    return DiceHand(roll, tuple(stacks), put, opener, tuple(numbers))


@dataclass(frozen=True, slots=True)
class DiceMatch(MatchOfHands):
    """A number of hands between two players, who take turns as the first player."""

    def deal(self, outcome: Roll) -> DiceHand:
        """The next hand; seat 0 is the first player of the first hand."""
        stacks = [self.stacks[player] for player in self.seated]
        return deal(outcome, stacks, self.played % len(self.seated), self.seated)


@dataclass(frozen=True, slots=True)
class DiceGame(Game):
    """What is agreed about games of dice."""

    stack: int = option(DEFAULT_STACK, "Chips everybody starts with.")
    hands: int = option(DEFAULT_HANDS, "Hands to play, unless one player has won before.")

    name: ClassVar = NAME
    title: ClassVar = "Dice"
    seats: ClassVar = SEATS
    in_games: ClassVar = True
    piece: ClassVar = "die"
    pieces: ClassVar = "die"
    hidden: ClassVar = "under its cup"
    chance: ClassVar = Dice()
    constants: ClassVar = {"small_blind": BLINDS[0], "big_blind": BLINDS[1]}
    kinds: ClassVar = (FOLDED, *map(_in_words, range(2, SIDES + 1)), TIE)

    def start(self, players: int) -> DiceMatch:
        return DiceMatch((self.stack,) * players, tuple(range(players)), hands=self.hands)

    @property
    def fee(self) -> str:
        return f"the blind of {BLINDS[0]} or {BLINDS[1]}"

    def number_players(self, hand: DiceHand, numbers: Sequence[int]) -> DiceHand:
        """A question names the opponent by its number."""
        return hand._replace(numbers=tuple(numbers))

    def layout(self, outcome: Roll, seats: int) -> Layout:
        """A die for each seat, and B for both."""
        return Layout((outcome[1:2], outcome[2:3]), outcome[:1])

    def describe(self, cards: Sequence[Die]) -> str:
        """The die, which comes first."""
        return _in_words(cards[0].pips)
