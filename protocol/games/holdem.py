"""Texas Hold'em: what is agreed before the first hand, who posts the blinds, and the presets of two hold'em systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self, get_args

from protocol.cards import Card, Suit
from protocol.games.base import FOLDED, Hand, Settlement
from protocol.games.game import CHIPS_A_HAND, Game, Layout, option, switch
from protocol.games.holdem_betting import MOST_BETS, MOST_SPENT, Betting, Limit
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import BOARD, SEATS, STREETS, HoldemHand
from protocol.games.holdem_history import RecordedDeal, check_cards
from protocol.games.match import Match
from protocol.games.poker_strength import poker_strength
from protocol.games.ranks import FIVE_CARD_KINDS, five_cards_in_words
from protocol.games.run_out import RunOut
from protocol.games.stakes import Stakes, level_factor
from protocol.shuffle import recorded_cards


@dataclass(frozen=True, slots=True)
class Blinds:
    """Chips asked before a hand. A player with a chip is always dealt in: it posts what it has.

    Attributes:
        big: the big blind; 0 for games without blinds.
        ante: from every seat, before the blinds.
        big_blind_ante: from the seat with the big blind alone, for all.
        straddle: from the seat left of the big blind, as one more blind; not with two players.
    """

    small: int
    big: int
    ante: int = 0
    big_blind_ante: int = 0
    straddle: int = 0

    @property
    def text(self) -> str:
        parts = [f"blinds of {self.small} and {self.big}"] if self.big else []
        parts += [f"an ante of {self.ante}"] if self.ante else []
        parts += [f"a big blind's ante of {self.big_blind_ante}"] if self.big_blind_ante else []
        parts += [f"a straddle of {self.straddle}"] if self.straddle else []
        return " and ".join(parts) or "no blinds"

    @property
    def facts(self) -> dict[str, int]:
        facts = {"small_blind": self.small, "big_blind": self.big} if self.big else {}
        others = {"ante": self.ante, "big_blind_ante": self.big_blind_ante, "straddle": self.straddle}
        return facts | {name: chips for name, chips in others.items() if chips}

    def at_level(self, level: int) -> Self:
        """Levels count from 1."""
        factor = level_factor(level)
        return replace(
            self,
            small=self.small * factor,
            big=self.big * factor,
            ante=self.ante * factor,
            big_blind_ante=self.big_blind_ante * factor,
            straddle=self.straddle * factor,
        )

    def payable(self, stacks: Sequence[int]) -> Self:
        """As they are, since a player posts what it has."""
        return self

    def smallest(self) -> Self:
        """As they are, since a player with one chip is dealt in."""
        return self

    def posted(self, seats: int, small: int | None, big: int) -> list[int]:
        """Chips that each of so many seats posts as its first bet.

        Args:
            seats: dealt in.
            small: the seat with the small blind; None where its player has left.
            big: the seat with the big blind.
        """
        posted = [0] * seats
        posted[big] = self.big
        if small is not None:
            posted[small] = self.small
        if self.straddle and seats > 2:
            posted[(big + 1) % seats] = self.straddle
        return posted

    def antes(self, seats: int, big: int) -> list[int]:
        """Chips that each of so many seats puts into the pot before the blinds."""
        antes = [self.ante] * seats
        antes[big] += self.big_blind_ante
        return antes


def place_of(player: int) -> int:
    """The place of a player who sits at the table."""
    return 2 * player


class Positions(NamedTuple):
    """The places of button, small blind and big blind in one hand."""

    button: int
    small: int
    big: int

    @classmethod
    def first(cls, seated: Sequence[int]) -> Self:
        """The places in the first hand: with two players the one with the button posts the small blind."""
        small = seated[1] if len(seated) > 2 else seated[0]
        big = seated[2] if len(seated) > 2 else seated[1]
        return cls(place_of(seated[0]), place_of(small), place_of(big))

    def next(self, seated: Sequence[int]) -> Self:
        """The places in the next hand, between the players ``seated`` then, of whom there are at least two."""
        big = next((player for player in seated if place_of(player) > self.big), seated[0])
        if len(seated) == 2:
            other = seated[0] if big == seated[1] else seated[1]
            return self.__class__(place_of(other), place_of(other), place_of(big))
        small, button = self.big, self.small
        if button == place_of(big):
            # After a hand of two players the same one would have button and big blind: a newcomer takes the button.
            others = [player for player in seated if player != big and place_of(player) != small]
            button = place_of(before(small, others))
        return self.__class__(button, small, place_of(big))

    def next_in_order(self, seated: Sequence[int]) -> Self:
        """The places in the next hand where no place stays empty: the big blind moves on, and before it sit the others.

        Between two players of more who began, the big blind has the button, and so the small blind acts first on all
        streets.
        """
        order = sorted(seated)
        big = next((index for index, player in enumerate(order) if place_of(player) > self.big), 0)
        return self.__class__(*[place_of(order[(big - back) % len(order)]) for back in (2, 1, 0)])

    def without(self, player: int) -> Self:
        """The places after a player has gone and all behind it have moved up by one."""
        gone = place_of(player)
        return self.__class__(*[place - 1 if place == gone else place - 2 if place > gone else place for place in self])

    def skipped_by_blinds(self, player: int) -> bool:
        """Whether a player who sits down now would come between the button and the small blind of the next hand."""
        place = place_of(player)
        if self.small < self.big:
            return self.small < place < self.big
        return place > self.small or place < self.big


def before(place: int, players: Sequence[int]) -> int:
    """The last of ``players``, in seat order, who sits at ``place`` or before it."""
    return next((player for player in reversed(players) if place_of(player) <= place), players[-1])


NAME = "holdem"


class ForcedBets(NamedTuple):
    """What is asked before the cards of a hand, by seat, as ``holdem_deal.deal`` takes it."""

    button: int
    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    dead_antes: bool


# The same players have the same positions again every few hands, so they need not be worked out anew. Each is asked for
# before the hand and at its end.
@lru_cache
def _positions_after(last: tuple[int, ...] | None, seated: tuple[int, ...], in_order: bool) -> Positions:
    """Button and blinds of the next hand between the players ``seated``; see ``HoldemMatch`` for the others."""
    if last is None:
        return Positions.first(seated)
    positions = Positions(*last)
    return positions.next_in_order(seated) if in_order else positions.next(seated)


@lru_cache
def _forced_bets(seated: tuple[int, ...], positions: Positions, blinds: Blinds) -> ForcedBets:
    """What the players ``seated`` are asked before the cards."""
    by_place = {place_of(player): seat for seat, player in enumerate(seated)}
    small, big = by_place.get(positions.small), by_place[positions.big]
    button = by_place.get(positions.button)
    if button is None:  # it lies where nobody sits any more
        button = seated.index(before(positions.button, seated))
    return ForcedBets(
        button,
        tuple(blinds.posted(len(seated), small, big)),
        tuple(blinds.antes(len(seated), big)),
        blinds.big_blind_ante > 0,
    )


@dataclass(frozen=True, slots=True)
class HoldemMatch(Match):
    """Hands of hold'em until one player has all chips.

    Attributes:
        betting: how much may be bet.
        blinds: what is posted before the cards.
        last: the places of button and blinds in the last hand; None before the first.
        equal_stack: chips that everybody begins each hand with; 0 to play on with the chips won.
        keeps_order: whether the button and both blinds always move to players who are there, and the small blind acts
            first on all later streets unless the match began with two players.
        recorded: the next hand, if it is one that others dealt; None if it is dealt here.
    """

    betting: Betting = Betting("no-limit", 10, 10)
    blinds: Blinds = Blinds(5, 10)
    last: tuple[int, ...] | None = None
    equal_stack: int = 0
    keeps_order: bool = False
    recorded: RecordedDeal | None = None

    @property
    def imported(self) -> bool:
        return self.recorded is not None

    def deal(self, deck: Sequence[Card]) -> HoldemHand:
        """The next hand between the players seated."""
        if self.recorded is not None:
            return self.recorded.deal(deck)
        stacks = [self.equal_stack or self.stacks[player] for player in self.seated]
        forced = self.forced_bets()
        return deal(
            deck,
            stacks,
            self.betting,
            button=forced.button,
            blinds=forced.blinds,
            antes=forced.antes,
            dead_antes=forced.dead_antes,
        )

    def forced_bets(self) -> ForcedBets:
        """What is asked before the cards of the next hand."""
        if self.recorded is not None:
            told = self.recorded
            return ForcedBets(told.button, told.blinds, told.antes, told.dead_antes)
        return _forced_bets(self.seated, self._positions(), self.blinds)

    def _positions(self) -> Positions:
        return _positions_after(self.last, self.seated, self.keeps_order and len(self.stacks) > 2)

    def can_play(self, stack: int) -> bool:
        """Whether there is a chip left; with equal stacks in each hand, always."""
        return stack > 0 or self.equal_stack > 0

    def record(self, settlement: Settlement) -> Self:
        """The match after a hand; players who waited for it are taken in as if they came now."""
        if self.recorded is not None:
            return Match.record(self, settlement)
        after = replace(self, **self._after(settlement), waiting=(), last=tuple(self._positions()))
        # A journal does not tell whether a player came before a hand for which it waited, or during it. So both must
        # lead to the same next hand.
        for player in self.waiting:
            after = after._taken_in(player)
        return after

    def join(self, stack: int) -> Self:
        """A player who comes between button and small blind waits for a hand."""
        player = len(self.stacks)
        return replace(self, stacks=(*self.stacks, stack))._taken_in(player)

    def _taken_in(self, player: int) -> Self:
        """The match with a player who has sat down dealt in next, or waiting."""
        if self.last is not None and len(self.seated) >= 2 and Positions(*self.last).skipped_by_blinds(player):
            return replace(self, waiting=(*self.waiting, player))
        return replace(self, seated=tuple(sorted((*self.seated, player))))

    def without(self, player: int) -> Self:
        after = Match.without(self, player)
        return replace(after, waiting=tuple(other for other in self.waiting if other != player))._never_alone()

    def release(self, player: int) -> Self:
        after = Match.release(self, player)
        waiting = tuple(other - (other > player) for other in self.waiting if other != player)
        last = tuple(Positions(*self.last).without(player)) if self.last else None
        return replace(after, waiting=waiting, last=last)._never_alone()

    def _never_alone(self) -> Self:
        """The match with its waiting players dealt in, if too few are left without them."""
        if len(self.seated) > 1 or not self.waiting:
            return self
        return replace(self, seated=tuple(sorted((*self.seated, *self.waiting))), waiting=())

    def charge(self, stakes: Stakes) -> Self:
        """Bets are sized by the big blind, where there is one."""
        if not isinstance(stakes, Blinds):
            raise ValueError(f"hold'em is played for blinds, not for {stakes.text}")  # noqa: TRY004 - a wrong value of a right sort
        betting = self.betting
        if stakes.big:
            betting = replace(betting, small_bet=stakes.big, big_bet=2 * stakes.big)
        return replace(self, blinds=stakes, betting=betting)


#: What the two hold'em systems of the sources agree on; their options replace the usual ones.
PRESETS: Mapping[str, Mapping[str, int | str]] = {
    "none": {},
    # "We support anywhere from 2-8 players"; each starts with 5000 chips, there are no blinds.
    "cornell": {"stack": 5000, "small_blind": 0, "big_blind": 0, "bet": 1},
    # "høyner vi med 25$": every raise is 25, and betting stops after a number of loops.
    "royale": {"stack": 1000, "small_blind": 0, "big_blind": 0, "bet": 25, "loops": 3, "betting": "fixed-limit"},
}
#: Hands of a tournament, if nothing else is agreed.
USUAL_HANDS = 200
#: Hands of a tournament in the presets: "25 games"; and until one player is left. The bound is for players who never
#: put in a chip: without blinds they would play for ever.
PRESET_HANDS = {"royale": 25, "cornell": 10_000}
#: Players at a table of the presets: "anywhere from 2-8 players", and a table of seven.
PRESET_SEATS = {"cornell": range(2, 9), "royale": range(2, 8)}
#: Names of the suits in the presets: those of Cornell Hold'em are people of computer science at Cornell.
PRESET_SUITS: Mapping[str, Mapping[Suit, str]] = {
    "cornell": {
        Suit.SPADES: "Clarkson",
        Suit.HEARTS: "Gries",
        Suit.DIAMONDS: "Dijkstra",
        Suit.CLUBS: "George",
    }
}


@dataclass(frozen=True, slots=True)
class HoldemGame(Game):
    """What is agreed about a tournament of hold'em."""

    preset: str = option(
        "none", "The usual options of a hold'em system: its stacks, blinds and limits.", choices=tuple(PRESETS)
    )
    stack: int = option(1000, "Chips everybody starts with.")
    betting: Limit = option("no-limit", "What bounds a bet: the stack, the pot, or one size.", choices=get_args(Limit))
    small_blind: int = option(5, "Chips of the small blind.", least=0)
    big_blind: int = option(10, "Chips of the big blind, the least bet; 0 for a game without blinds.", least=0)
    ante: int = option(0, "Chips everybody puts in before each hand.", least=0)
    big_blind_ante: int = option(0, "Chips of an ante that the big blind pays for all.", least=0)
    straddle: int = option(0, "Chips that the seat left of the big blind posts; 0 for none.", least=0)
    bet: int = option(0, "Chips of the least bet in a game without blinds; 0 for the big blind.", least=0)
    loops: int = option(0, "How often each seat is asked on a street, at most; 0 until all bets are equal.", least=0)
    reset_stacks: int = switch("Begin every hand with equal stacks, and count what is won apart.")
    acpc: int = switch("Play as programs of the ACPC expect: no dead button. Needs --reset-stacks.")

    name: ClassVar = NAME
    title: ClassVar = "Texas Hold'em"
    seats: ClassVar = SEATS
    kinds: ClassVar = (FOLDED, *FIVE_CARD_KINDS)
    streets: ClassVar = ("pre-flop", "flop", "turn", "river")

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """A preset comes before the usual options, and what ``facts`` names before the preset."""
        named = facts.get("preset", "none")
        preset = PRESETS.get(named, {}) if isinstance(named, str) else {}  # the check refuses what is no text
        return super(HoldemGame, cls).from_facts({**preset, **facts})

    def check(self) -> None:
        Game.check(self)  # super() does not work in a dataclass with slots
        if not self.big_blind and not self.bet:
            raise ValueError("big_blind: a game without blinds needs a least bet; give one with --bet")
        if self.small_blind > self.big_blind:
            raise ValueError(f"small_blind: expected at most the big blind of {self.big_blind}, got {self.small_blind}")
        if self.straddle and self.straddle < 2 * self.big_blind:
            raise ValueError(
                f"straddle: expected at least twice the big blind of {self.big_blind}, got {self.straddle}"
            )
        if self.ante and self.big_blind_ante:
            raise ValueError("ante: either everybody pays one or the big blind pays for all; give one of the two")
        if self.big_blind and self.loops:
            raise ValueError("loops: betting in loops has no blinds; give --big-blind 0 and --bet")
        if self.acpc:
            self._check_acpc()

    def _check_acpc(self) -> None:
        """Make sure that programs of the Annual Computer Poker Competition can be told the hands.

        Raises:
            ValueError: their protocol has no words for an option.
        """
        known = "programs of the ACPC"
        if not self.reset_stacks:
            raise ValueError(f"acpc: {known} begin each hand with equal stacks; give --reset-stacks as well")
        if self.betting == "pot-limit":
            raise ValueError(f"betting: {known} know no-limit and fixed-limit, not pot-limit")
        if not self.big_blind:
            raise ValueError(f"big_blind: {known} know no game without blinds, such as the presets")
        if self.bet not in (0, self.big_blind):
            raise ValueError(f"bet: {known} count on bets of the big blind, {self.big_blind}; leave out --bet")
        for name in ("ante", "big_blind_ante", "straddle"):
            if getattr(self, name):
                raise ValueError(f"{name}: {known} are told of no antes and straddles; leave it out")
        if self.stack < self.big_blind:
            raise ValueError(f"stack: {known} need at least the big blind of {self.big_blind}, got {self.stack}")
        most = MOST_SPENT * self.big_blind
        if self.betting == "fixed-limit" and self.stack < most:
            raise ValueError(f"stack: in fixed limit {known} count on chips for every bet, {most}; got {self.stack}")
        if self.stack == self.small_blind:  # heads-up, their own code waits without end for somebody to act
            raise ValueError(f"stack: {known} need more than the small blind of {self.small_blind}, got {self.stack}")

    @property
    def bets(self) -> Betting:
        """How much may be bet."""
        bet = self.bet or self.big_blind
        limited = self.betting == "fixed-limit" and not self.loops
        return Betting(self.betting, bet, bet if self.loops else 2 * bet, MOST_BETS if limited else 0, self.loops)

    @property
    def hands(self) -> int:
        """Where nobody goes out, nothing is played until one player is left."""
        hands = PRESET_HANDS.get(self.preset, USUAL_HANDS)
        return min(hands, USUAL_HANDS) if self.reset_stacks else hands

    @property
    def unit(self) -> tuple[str, float]:
        """Big blinds, as poker players count; chips where there are only antes."""
        return ("big blinds in 100 hands", 100 / self.big_blind) if self.big_blind else CHIPS_A_HAND

    @property
    def table_seats(self) -> range:
        return PRESET_SEATS.get(self.preset, self.seats)

    @property
    def suits(self) -> Mapping[Suit, str]:
        return PRESET_SUITS.get(self.preset, {})

    def start(self, players: int) -> HoldemMatch:
        """All players seated with equal stacks."""
        return HoldemMatch(
            (self.stack,) * players,
            tuple(range(players)),
            betting=self.bets,
            blinds=self.stakes,
            equal_stack=self.stack if self.reset_stacks else 0,
            keeps_order=bool(self.acpc),
        )

    @property
    def stakes(self) -> Blinds:
        return Blinds(self.small_blind, self.big_blind, self.ante, self.big_blind_ante, self.straddle)

    @property
    def fee(self) -> str:
        return self.stakes.text

    def layout(self, outcome: Sequence[Card], seats: int) -> Layout:
        """Two cards a seat, and the board behind them."""
        board = tuple(outcome[2 * seats : 2 * seats + BOARD[STREETS]])
        return Layout(tuple(tuple(outcome[2 * seat : 2 * seat + 2]) for seat in range(seats)), board)

    def run_out(self, hand: Hand, street: int) -> RunOut | None:
        assert isinstance(hand, HoldemHand)
        return hand.run_out(street)

    def recorded_match(
        self, match: Match, seated: Sequence[int], stacks: Sequence[int], facts: Mapping[str, Any]
    ) -> HoldemMatch:
        assert isinstance(match, HoldemMatch)
        told = RecordedDeal.from_facts(stacks, facts)
        straddle = max(told.blinds) if sum(blind > 0 for blind in told.blinds) > 2 else 0
        blinds = replace(match.blinds, straddle=straddle)
        return replace(match, seated=tuple(seated), betting=told.betting, blinds=blinds, recorded=told)

    def recorded_hand(self, match: Match, deck: bytes) -> HoldemHand:
        assert isinstance(match, HoldemMatch)
        return match.deal(recorded_cards(deck))

    def settle_recorded(self, match: Match, hand: Hand) -> tuple[Hand, Settlement]:
        assert isinstance(match, HoldemMatch)
        assert isinstance(hand, HoldemHand)
        assert match.recorded is not None
        check_cards(hand)
        return match.recorded.settle(hand)

    def describe(self, cards: Sequence[Card]) -> str:
        return five_cards_in_words(poker_strength(cards))
