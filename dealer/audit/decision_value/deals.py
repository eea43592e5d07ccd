"""Deal the cards that a seat cannot see, so that they fit what the others have done in the hand."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import Any, NamedTuple, Protocol, Self

from dealer.audit.decision_value.situation import Situation
from protocol.cards import Piece
from protocol.games.base import Action, Bet, Hand, Turn
from protocol.installed_bots import load_bot
from protocol.wire.messages import GameInfo

#: How likely an opponent is taken to act otherwise than the bot it is compared with, at each of its actions.
SURPRISE = 0.15

#: How often cards are drawn anew that two seats cannot both have.
_REDRAWS = 30


class NoLongerWanted(Exception):
    """The result is not wanted any more."""


class Bot(Protocol):
    """A bot's strategy, as far as it is needed here."""

    def game_begins(self, info: GameInfo) -> None:
        """Take note of what is played."""

    def decide(self, turn: Any) -> Action:
        """The answer to a question of the game that the bot plays."""


def decide(bot: Bot, turn: Turn) -> Action:
    """The bot's answer, whatever it is."""
    return bot.decide(turn)


class Holding(NamedTuple):
    """What an opponent may be.

    Attributes:
        bot: the place of the bot that it plays like.
        hole: its cards that lie face down.
    """

    bot: int
    hole: tuple[Piece, ...]


class Moment(NamedTuple):
    """A decision that was made.

    Attributes:
        seat: that made it.
        view: what it was told.
        action: what it answered.
    """

    seat: int
    view: Turn
    action: Action | None


@dataclass(frozen=True, slots=True)
class Company:
    """The bots that opponents are compared with, and that play on.

    Attributes:
        makers: by seat, what makes the bots that the seat may play like; its own seat plays on as the first one.
        told: what each seat is told before the hand; empty in games that announce nothing.
        holdings: hole cards of an opponent that are weighed, at most; where there are more, so many random ones.
        ask: asks a bot a question.
        may_give_up: whether the seat in question may also put in no more chips, where that wins more on average.
            Simple bots put in too many with strong cards; but the better plan is found by many deals only.
    """

    makers: Sequence[Sequence[Callable[[Random], Bot]]]
    told: Sequence[GameInfo]
    holdings: int
    ask: Callable[[Any, Turn], Action]
    may_give_up: bool

    @classmethod
    def load(
        cls,
        situation: Situation,
        names: Sequence[Sequence[str]],
        holdings: int,
        ask: Callable[[Any, Turn], Action] = decide,
        *,
        may_give_up: bool = False,
    ) -> Self:
        """The bots with these names, by seat.

        Raises:
            LookupError: one is not installed.
        """
        game, seats = situation.game, len(names)
        told = [GameInfo.about(game, seat, seats) for seat in range(seats)] if game.announced else []
        return cls([[load_bot(name) for name in own] for own in names], told, holdings, ask, may_give_up)

    def bot(self, place: int, seat: int, rng: Random) -> Bot:
        """A new bot, told what is played."""
        bot = self.makers[seat][place](rng)
        if self.told:
            bot.game_begins(self.told[seat])
        return bot


class Redeal:
    """Deals a hand of which some cards are known, from the start to the decision in question."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        game, seats = situation.game, len(situation.ups)
        pieces = game.chance.outcome(game.chance.draw(b"", 0, 1))
        layout: Any = game.layout(range(len(pieces)), seats)
        self._hole = [places[:hidden] for places, hidden in zip(layout.seats, situation.hidden, strict=True)]
        known = dict(zip(layout.seats[situation.seat], situation.own, strict=False))
        known |= dict(zip(layout.board, situation.board, strict=False))
        for places, hidden, up in zip(layout.seats, situation.hidden, situation.ups, strict=True):
            known |= dict(zip(places[hidden:], up, strict=False))
        self._known: Mapping[int, Piece] = known
        self.unseen: Sequence[Piece] = game.chance.unseen(known.values())
        self._places = range(len(pieces))
        self._free = [place for place in self._places if place not in known]

    def deal(self, holes: Mapping[int, tuple[Piece, ...]], rng: Random | None = None) -> Hand:
        """The hand before its first action.

        Args:
            holes: cards that seats have face down.
            rng: decides where all other unseen cards lie; None where that does not matter.
        """
        outcome = dict(self._known)
        for seat, cards in holes.items():
            outcome |= dict(zip(self._hole[seat], cards, strict=True))
        taken = {piece for cards in holes.values() for piece in cards}
        rest = [piece for piece in self.unseen if piece not in taken] if taken else list(self.unseen)
        if rng is not None:
            rng.shuffle(rest)
        outcome |= zip([place for place in self._free if place not in outcome], rest, strict=False)
        return self._situation.match.deal([outcome[place] for place in self._places])

    def replay(self, hand: Hand, seats: Collection[int]) -> tuple[Hand, list[Moment]]:
        """The hand at the decision in question, and the decisions of ``seats`` before it."""
        moments = []
        for action in self._situation.actions:
            seat = hand.to_act
            assert seat is not None
            if seat in seats:
                moments.append(Moment(seat, hand.view(seat), action))
            hand = hand.concede() if action is None else hand.apply(action)
        return hand, moments

    def weighs_all(self, most: int) -> bool:
        """Whether all cards that a seat may have face down are weighed, and not some random ones."""
        return all(comb(len(self.unseen), len(hole)) <= most for hole in self._hole)

    def holdings(self, seat: int, most: int, rng: Random) -> list[tuple[Piece, ...]]:
        """The cards that ``seat`` may have face down; ``most`` random ones where there are more."""
        count = len(self._hole[seat])
        if comb(len(self.unseen), count) <= most:
            return list(combinations(self.unseen, count))
        return [tuple(rng.sample(self.unseen, count)) for _ in range(most)]


class Ranges:
    """What each opponent that is still in may be, and how likely that is after what it has done.

    Bayes' rule: at first all hole cards and all bots of the company are as likely. Each action that the bot with those
    cards would not have chosen (fold, call or raise; sizes are not compared) makes it ``SURPRISE`` times as likely.

    Args:
        redeal: of the hand.
        company: what opponents are compared with.
        rng: for cards, and for bots that draw lots.
        me: whose decision it is.
        stop: whether the result is not wanted any more.

    Raises:
        NoLongerWanted: it is not.
    """

    def __init__(self, redeal: Redeal, company: Company, rng: Random, me: int, stop: Callable[[], bool]) -> None:
        hand, moments = redeal.replay(redeal.deal({}), range(len(company.makers)))
        self.seats = [seat for seat in hand.live if seat != me]
        self._holdings: dict[int, list[Holding]] = {}
        self._weights: dict[int, list[float]] = {}
        for seat in self.seats:
            holdings, weights = [], []
            acted = any(moment.seat == seat for moment in moments)
            for hole in redeal.holdings(seat, company.holdings, rng):
                if stop():
                    raise NoLongerWanted
                seen = redeal.replay(redeal.deal({seat: hole}), (seat,))[1] if acted else []
                for place in range(len(company.makers[seat])):
                    holdings.append(Holding(place, hole))
                    weights.append(likelihood(company.bot(place, seat, rng), seen, company.ask))
            self._holdings[seat], self._weights[seat] = holdings, weights

    def draw(self, rng: Random) -> dict[int, Holding]:
        """What each opponent has and plays like, so that no card is drawn twice."""
        drawn: dict[int, Holding] = {}
        for _ in range(_REDRAWS):
            drawn = {seat: rng.choices(self._holdings[seat], self._weights[seat])[0] for seat in self.seats}
            cards = [card for holding in drawn.values() for card in holding.hole]
            if len(set(cards)) == len(cards):
                return drawn
        return _without_doubles(drawn)


def _without_doubles(drawn: Mapping[int, Holding]) -> dict[int, Holding]:
    """The holdings of the first seats that have no card twice; the others get random cards."""
    kept: dict[int, Holding] = {}
    taken: set[Piece] = set()
    for seat, holding in drawn.items():
        clash = not taken.isdisjoint(holding.hole)
        kept[seat] = Holding(holding.bot, ()) if clash else holding
        taken |= set(kept[seat].hole)
    return kept


def likelihood(bot: Bot, seen: Sequence[Moment], ask: Callable[[Any, Turn], Action]) -> float:
    """How likely a player like ``bot`` is to answer as was seen; 1 if it does so each time."""
    chance = 1.0
    for moment in seen:
        if kind(ask(bot, moment.view), moment.view.owed) != kind(moment.action, moment.view.owed):
            chance *= SURPRISE
    return chance


def kind(action: Action | None, owed: int) -> str:
    """What sort of action it is; None is a hand that the dealer gave up for a seat."""
    if not isinstance(action, Bet):
        return "fold"
    return "raise" if action.amount > owed else "call"
