"""Deal the cards that a person cannot see, so that they fit what the others have done in the hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import Any, NamedTuple

from bots.human.coach.situation import Situation
from bots.strategy import Maker, Strategy, answer
from protocol.cards import Piece
from protocol.games.base import Action, Bet, Hand, Turn
from protocol.wire.messages import GameInfo

#: Hole cards of an opponent that are weighed, at most; where there are more, so many random ones.
MOST_HOLDINGS = 120

#: How likely an opponent is taken to act otherwise than the bot it is compared with, at each of its actions.
SURPRISE = 0.15

#: How often cards are drawn anew that two seats cannot both have.
_REDRAWS = 30


class StoppedError(Exception):
    """The advice is not wanted any more."""


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
    action: Action


@dataclass(frozen=True, slots=True)
class Company:
    """The bots that opponents are compared with, and that play on.

    Attributes:
        told: what each seat is told before the hand; empty in games that announce nothing.
    """

    makers: Sequence[Maker]
    told: Sequence[GameInfo]

    def bot(self, place: int, seat: int, rng: Random) -> Strategy:
        """A new bot, told what is played."""
        strategy = self.makers[place](rng)
        if self.told:
            strategy.game_begins(self.told[seat])
        return strategy


class Dealer:
    """Deals a hand of which some cards are known, from the start to the decision in question."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        game, seats = situation.game, len(situation.ups)
        self._pieces: Sequence[Piece] = game.chance.outcome(game.chance.draw(b"", 0, 1))
        layout: Any = game.layout(range(len(self._pieces)), seats)
        self._hole = [places[:hidden] for places, hidden in zip(layout.seats, situation.hidden, strict=True)]
        known = dict(zip(layout.seats[situation.seat], situation.own, strict=False))
        known |= dict(zip(layout.board, situation.board, strict=False))
        for places, hidden, up in zip(layout.seats, situation.hidden, situation.ups, strict=True):
            known |= dict(zip(places[hidden:], up, strict=False))
        self._known: Mapping[int, Piece] = known
        seen = set(known.values())
        self.unseen = [piece for piece in self._pieces if piece not in seen]
        self._free = [place for place in range(len(self._pieces)) if place not in known]

    def deal(self, rng: Random, holes: Mapping[int, tuple[Piece, ...]]) -> Hand:
        """The hand before its first action.

        Args:
            rng: decides where all other unseen cards lie.
            holes: cards that seats have face down.
        """
        outcome = dict(self._known)
        for seat, cards in holes.items():
            outcome |= dict(zip(self._hole[seat], cards, strict=True))
        taken = {piece for cards in holes.values() for piece in cards}
        rest = [piece for piece in self.unseen if piece not in taken] if taken else list(self.unseen)
        rng.shuffle(rest)
        outcome |= zip([place for place in self._free if place not in outcome], rest, strict=True)
        return self._situation.match.deal([outcome[place] for place in range(len(self._pieces))])

    def replay(self, hand: Hand) -> tuple[Hand, list[Moment]]:
        """The hand at the decision in question, and all decisions before it."""
        moments = []
        for action in self._situation.actions:
            seat = hand.to_act
            assert seat is not None
            moments.append(Moment(seat, hand.view(seat), action))
            hand = hand.apply(action)
        return hand, moments

    def holdings(self, seat: int, rng: Random) -> list[tuple[Piece, ...]]:
        """The cards that ``seat`` may have face down; random ones where there are too many."""
        count = len(self._hole[seat])
        if comb(len(self.unseen), count) <= MOST_HOLDINGS:
            return list(combinations(self.unseen, count))
        return [tuple(rng.sample(self.unseen, count)) for _ in range(MOST_HOLDINGS)]


class Ranges:
    """What each opponent that is still in may be, and how likely that is after what it has done.

    Bayes' rule: at first all hole cards and all bots of the company are as likely. Each action that the bot with those
    cards would not have chosen (fold, call or raise; sizes are not compared) makes it ``SURPRISE`` times as likely.

    Args:
        dealer: of the hand.
        company: what opponents are compared with.
        rng: for cards, and for bots that draw lots.
        stop: whether the advice is not wanted any more.

    Raises:
        StoppedError: it is not.
    """

    def __init__(self, dealer: Dealer, company: Company, rng: Random, me: int, stop: Callable[[], bool]) -> None:
        hand, moments = dealer.replay(dealer.deal(rng, {}))
        self.seats = [seat for seat in hand.live if seat != me]
        self._holdings: dict[int, list[Holding]] = {}
        self._weights: dict[int, list[float]] = {}
        for seat in self.seats:
            holdings, weights = [], []
            acted = any(moment.seat == seat for moment in moments)
            for hole in dealer.holdings(seat, rng):
                if stop():
                    raise StoppedError
                seen = _decisions(dealer, seat, hole, rng) if acted else []
                for place in range(len(company.makers)):
                    holdings.append(Holding(place, hole))
                    weights.append(likelihood(company.bot(place, seat, rng), seen))
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


def _decisions(dealer: Dealer, seat: int, hole: tuple[Piece, ...], rng: Random) -> list[Moment]:
    """What ``seat`` was told and answered, if it has ``hole``."""
    _, moments = dealer.replay(dealer.deal(rng, {seat: hole}))
    return [moment for moment in moments if moment.seat == seat]


def likelihood(bot: Strategy, seen: Sequence[Moment]) -> float:
    """How likely a player like ``bot`` is to answer as was seen; 1 if it does so each time."""
    chance = 1.0
    for moment in seen:
        if kind(answer(bot, moment.view), moment.view.owed) != kind(moment.action, moment.view.owed):
            chance *= SURPRISE
    return chance


def kind(action: Action, owed: int) -> str:
    """What sort of action it is."""
    if not isinstance(action, Bet):
        return "fold"
    return "raise" if action.amount > owed else "call"
