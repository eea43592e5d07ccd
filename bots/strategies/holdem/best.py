"""``holdem``: draws how the hand may go on, and takes what wins most against opponents as they play."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from bots.strategies.holdem.futures import Rival, draw_futures
from bots.strategies.holdem.preflop import class_of, places
from bots.strategies.holdem.push_fold import push_or_fold
from bots.strategies.holdem.seating import Seating
from bots.strategies.moves import call, check_or_fold, raise_by
from bots.strategy import Simple
from protocol.games.base import FOLD, Action, Bet, Status
from protocol.games.holdem import NAME as HOLDEM
from protocol.games.holdem_turn import HoldemTurn
from protocol.wire.messages import GameInfo

if TYPE_CHECKING:
    from bots.strategies.holdem.ring_player import RingPlayer


#: Where a bet is no more than the first part of the pot it is small, up to the second it is medium, beyond large.
SMALL, MEDIUM = 0.5, 1.5
SIZES = 3


def size_of(bet: int, pot: int) -> int:
    """The kind of a bet of so many chips into a pot: 0 for a small one, 1 for a medium one, 2 for a large one."""
    return (bet > SMALL * pot) + (bet > MEDIUM * pot)


@dataclass(slots=True)
class Rate:
    """How often something happens, from what was seen and a guess before that.

    Attributes:
        guess: the rate before anything was seen.
        weight: how many times of seeing the guess counts for.
        seen: how often it could have happened.
        happened: how often it did.
    """

    guess: float
    weight: float = 4.0
    seen: int = 0
    happened: int = 0

    def add(self, happened: bool) -> None:
        """Take one more time into account."""
        self.seen += 1
        self.happened += happened

    @property
    def value(self) -> float:
        """The rate, from 0 to 1."""
        return self.estimate(self.guess)

    def estimate(self, guess: float) -> float:
        """The rate with another guess."""
        return (self.happened + self.weight * guess) / (self.seen + self.weight)


def _fold_rates() -> list[Rate]:
    return [Rate(guess) for guess in (0.35, 0.45, 0.55)]


@dataclass(slots=True)
class Opponent:
    """One opponent.

    Attributes:
        plays: how often it sees a flop.
        bets: how often it bets or raises on a street, by whether that is after the flop.
        folds: how often it folds to a bet, by whether that is after the flop and by the kind of the bet.
    """

    plays: Rate = field(default_factory=lambda: Rate(0.45))
    bets: tuple[Rate, Rate] = field(default_factory=lambda: (Rate(0.2), Rate(0.3)))
    folds: tuple[Sequence[Rate], Sequence[Rate]] = field(default_factory=lambda: (_fold_rates(), _fold_rates()))

    def fold_rate(self, later: bool, size: int) -> float:
        """How often it folds to a bet of a kind; what was seen of the other kinds counts for the guess.

        Args:
            later: whether this is after the flop.
            size: the kind of the bet.
        """
        rates = self.folds[later]
        own = rates[size]
        shift = sum(rate.seen * (rate.value - rate.guess) for rate in rates) / (sum(rate.seen for rate in rates) + 4)
        return own.estimate(min(0.95, max(0.02, own.guess + shift)))


#: Raises that are looked at, in parts of the pot after a call, beside the least and the most.
PARTS = (0.5, 1.0, 2.0)
#: How much more a raise must win for each chip, since opponents may raise it again.
CAUTION = 0.03
#: Big blinds of the shorter stack, at most, with which two players go all in or fold.
PUSH_DEPTH = 12


def _simulating() -> Any:
    """``ring_player``, which imports numba; that takes a while, and lists of bots do without."""
    return import_module("bots.strategies.holdem.ring_player")


class Holdem(Simple):
    """Counts how often each opponent plays on, bets and folds, and bets by what that is worth.

    Between two players with few chips it goes all in or folds as the equilibrium does. Where betting goes in loops, and
    at no-limit tables of three players or more, it simulates the rest of the hand (``ring_player``).
    """

    games = (HOLDEM,)
    default_in: ClassVar = {HOLDEM: 1}
    level = "hard"
    source = "the house's own: counted habits, drawn cards, and an exact equilibrium of push or fold"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        # now, since the first question must be answered as soon as any other
        places()
        _simulating().get_ready()
        self._opponents: dict[int, Opponent] = {}
        self._seating = Seating(True)
        self._simulated: RingPlayer | None = None
        self._in_loops = False
        self._seat = 0
        self._pushes = False
        self._limited = False
        self._big_blind = 0
        self._begin_hand()

    def game_begins(self, info: GameInfo) -> None:
        """Begin with the stacks and blinds of a game; the opponents are new ones."""
        super().game_begins(info)
        facts = dict(info.facts)
        self._seat = int(facts.get("seat", 0))
        self._big_blind = int(facts.get("big_blind", 0))
        self._pushes = facts.get("betting") == "no-limit" and self._big_blind > 0
        self._limited = facts.get("betting") == "fixed-limit"
        self._opponents = {}
        self._seating = Seating(facts.get("reset_stacks", "0") == "0")
        loops = int(facts.get("loops", 0)) if self._limited else 0
        self._simulated, self._in_loops = None, loops > 0
        if loops:
            self._simulated = _simulating().RingPlayer((0, 0), int(facts["bet"]), self.rng, loops)
        elif self._pushes and not int(facts.get("straddle", 0)):
            blinds = int(facts.get("small_blind", 0)), self._big_blind
            self._simulated = _simulating().RingPlayer(blinds, self._big_blind, self.rng)
        self._begin_hand()

    def _begin_hand(self) -> None:
        self._streets: set[tuple[int, int]] = set()
        self._bettors: set[tuple[int, int]] = set()
        #: The shares of its cards, before the flop and after it, with which a seat has called own bets.
        self._called: dict[tuple[bool, int], float] = {}
        self._acted = 0
        self._asked: tuple[bool, int, tuple[int, ...]] | None = None

    def _opponent(self, seat: int) -> Opponent:
        return self._opponents.setdefault(self._seating.player(seat), Opponent())

    def hand_over(self, status: Status) -> None:
        """Count what the opponents did in the hand."""
        shown = {seat for seat, _ in status.shown}
        if shown or status.won:
            self._answered(shown)
        for street, seat in self._streets:
            self._opponent(seat).bets[street > 1].add((street, seat) in self._bettors)
        if self._simulated:
            self._simulated.hand_over(status)
        self._seating.hand_over(status)
        self._begin_hand()

    def decide(self, turn: HoldemTurn) -> Action:
        """Take the action that wins most on average."""
        self._find_own_seat(turn)
        self._seating.question(turn, self._seat)
        if not self._in_loops:
            self._watch(turn)
        if self._simulated and (self._in_loops or sum(view.state != "out" for view in turn.seats) > 2):
            return self._simulated.decide(turn, self._seat, self._seating.player)
        action = self._push_or_fold(turn) or self._best(turn)
        self._acted = turn.street
        if isinstance(action, Bet) and action.amount > turn.owed:
            size = size_of(action.amount - turn.owed, turn.pot + turn.owed)
            live = tuple(seat for seat, view in enumerate(turn.seats) if view.state == "live" and seat != self._seat)
            self._asked = (turn.street > 1, size, live)
        return action

    def _find_own_seat(self, turn: HoldemTurn) -> None:
        """The own seat, which changes when players leave: a seat with the own stack that owes what is owed."""
        highest = max(seat.put for seat in turn.seats)
        fits = [
            number
            for number, seat in enumerate(turn.seats)
            if (seat.stack, seat.state) == (turn.stack, "live") and min(highest - seat.put, seat.stack) == turn.owed
        ]
        if fits and self._seat not in fits:
            self._seat = fits[0]

    def _answered(self, staying: set[int]) -> None:
        """Count who folded to the last own bet."""
        if self._asked is not None:
            later, size, seats = self._asked
            for seat in seats:
                called = 1 - self._opponent(seat).fold_rate(later, size)
                self._called[later, seat] = min(called, self._called.get((later, seat), 1.0))
                self._opponent(seat).folds[later][size].add(seat not in staying)
            self._asked = None

    def _watch(self, turn: HoldemTurn) -> None:
        """Count what has been done since the last question."""
        staying = {seat for seat, view in enumerate(turn.seats) if view.state in ("live", "allin")}
        self._answered(staying)
        if turn.street > 1 and not any(street > 1 for street, _ in self._streets):
            for seat, view in enumerate(turn.seats):
                if seat != self._seat and view.state != "out":
                    self._opponent(seat).plays.add(seat in staying)
        counted = staying if turn.street > 1 else {seat for seat, view in enumerate(turn.seats) if view.state != "out"}
        self._streets |= {(turn.street, seat) for seat in counted if seat != self._seat}
        bettor = self._bettor(turn)
        if bettor is not None:
            self._bettors.add((turn.street, bettor))

    def _bettor(self, turn: HoldemTurn) -> int | None:
        """The seat that seems to have bet or raised last on this street; None if nobody has."""
        highest, count = max(seat.put for seat in turn.seats), len(turn.seats)
        if not turn.owed or highest <= (self._big_blind if turn.street == 1 else 0):
            return None
        first = self._seat + 1 if self._acted == turn.street else turn.button + 1 + 2 * (turn.street == 1)
        order = [(first + step) % count for step in range(count)]
        return next((seat for seat in order if turn.seats[seat].put == highest and seat != self._seat), None)

    def _push_or_fold(self, turn: HoldemTurn) -> Action | None:
        """What the equilibrium of push or fold does; None where it does not apply."""
        dealt = [(seat, view) for seat, view in enumerate(turn.seats) if view.state != "out"]
        if not self._pushes or turn.street > 1 or len(dealt) != 2 or self._acted:
            return None
        depth = min(view.stack + view.put for _, view in dealt) / self._big_blind
        if not 1 <= depth <= PUSH_DEPTH:
            return None
        pushes, calls = push_or_fold(class_of(*turn.hole), depth)
        if turn.owed and not turn.least:
            return call(turn) if self.rng.random() < calls else FOLD
        if turn.seats[self._seat].put < self._big_blind:
            return raise_by(turn, turn.stack) if self.rng.random() < pushes else check_or_fold(turn)
        return None

    def _rivals(self, turn: HoldemTurn) -> list[Rival]:
        highest, later = max(seat.put for seat in turn.seats), turn.street > 1
        rivals = []
        for seat, view in enumerate(turn.seats):
            if seat == self._seat or view.state not in ("live", "allin"):
                continue
            habits = self._opponent(seat)
            before, after = self._shares(seat)
            folds = [habits.fold_rate(later, size) for size in range(SIZES)]
            owes = min(highest - view.put, view.stack)
            plays, bets = (min(habits.plays.value, before), after) if later else (1.0, before)
            rivals.append(Rival(view.stack, owes, plays, bets, folds))
        return rivals

    def _shares(self, seat: int) -> tuple[float, float]:
        """With which share of its cards a seat plays as it has in this hand, before the flop and after it."""
        bets = self._opponent(seat).bets
        shares = [self._called.get((later, seat), 1.0) for later in (False, True)]
        for street, bettor in self._bettors:
            if bettor == seat:
                shares[street > 1] = min(shares[street > 1], bets[street > 1].value)
        return shares[0], shares[1]

    def _best(self, turn: HoldemTurn) -> Action:
        futures = draw_futures(turn.hole, turn.board, self._rivals(turn), self.rng)
        # in fixed limit a raise does not use up later bets: counting them for the call alone would make it too good
        best = futures.called(turn.owed, turn.pot, 0 if self._limited else turn.stack - turn.owed)
        action = call(turn)
        if best < 0 and turn.owed:
            action, best = FOLD, 0.0
        for chips in self._raises(turn):
            size = size_of(chips - turn.owed, turn.pot + turn.owed)
            gain = futures.raised(chips, turn.owed, turn.pot, size) - CAUTION * chips
            if gain > best:
                action, best = Bet(chips), gain
        return action

    def _raises(self, turn: HoldemTurn) -> list[int]:
        """Chips of the raises that are looked at, from small to large."""
        raises = turn.legal().raises
        if not raises:
            return []
        sizes = [turn.owed + int(part * (turn.pot + turn.owed)) for part in PARTS]
        return sorted({raises[0], raises[-1], *[chips for chips in sizes if chips in raises]})
