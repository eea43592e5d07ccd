"""Play a hand to its end from one decision on, after each of several actions, with the same cards for each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bots.human.coach.deals import Company, Dealer, Holding, Moment, Ranges, StoppedError
from bots.human.coach.situation import Situation
from bots.strategies.moves import check_or_fold
from bots.strategy import Strategy, answer
from protocol.games.base import Action, Fold, Hand, Turn
from protocol.wire.messages import GameInfo

#: Random numbers of one deal: every action meets the same ones.
SEED_BITS = 32


def chips_by_deal(
    situation: Situation,
    company: Company,
    actions: Sequence[Action],
    deals: int,
    rng: Random,
    stop: Callable[[], bool],
) -> list[list[float]]:
    """What each action leads to: chips won or lost from the decision on, for each action in each deal.

    A fold is 0: what is in the pot already is lost. Chips of a tied pot that wait for the next hand count in equal
    parts for all seats of the hand.

    After the action the person follows one of two plans, the one that wins more on average over all deals: play on as
    the first bot of the company does, or put in no more chips. Simple bots put in too many with strong cards.

    Args:
        company: the bots that play on.
        actions: legal ones.
        deals: how often the unseen cards are dealt.
        stop: whether the result is not wanted any more.

    Raises:
        StoppedError: it is not.
        StrategyError: a bot failed.
    """
    dealer = Dealer(situation)
    ranges = Ranges(dealer, company, rng, situation.seat, stop)
    plays_on: list[list[float]] = [[] for _ in actions]
    gives_up: list[list[float]] = [[] for _ in actions]
    for _ in range(deals):
        if stop():
            raise StoppedError
        drawn = ranges.draw(rng)
        holes = {seat: holding.hole for seat, holding in drawn.items() if holding.hole}
        deal = _Deal(
            situation.seat, company, drawn, *dealer.replay(dealer.deal(rng, holes)), rng.getrandbits(SEED_BITS)
        )
        for place, action in enumerate(actions):
            first, second = deal.chips(action)
            plays_on[place].append(first)
            gives_up[place].append(second)
    return [max(plans, key=sum) for plans in zip(plays_on, gives_up, strict=True)]


class _GiveUp:
    """The person's second plan: check, and fold to every bet."""

    def game_begins(self, info: GameInfo) -> None:
        """Nothing to know."""

    def decide(self, turn: Turn) -> Action:
        """Put in nothing."""
        return check_or_fold(turn)

    def hand_over(self, status: object) -> None:
        """Nothing to learn."""


@dataclass(frozen=True, slots=True)
class _Deal:
    """One way to deal the unseen cards, at the decision in question.

    Attributes:
        drawn: what the opponents are in this deal.
        hand: with the person to act.
        moments: the decisions before this one.
        seed: of the random numbers, the same for every action.
    """

    me: int
    company: Company
    drawn: Mapping[int, Holding]
    hand: Hand
    moments: Sequence[Moment]
    seed: int

    def chips(self, action: Action) -> tuple[float, float]:
        """What ``action`` leads to with each of the two plans."""
        if isinstance(action, Fold):
            return 0.0, 0.0
        first, asked = self._played(action, gives_up=False)
        return (first, self._played(action, gives_up=True)[0]) if asked else (first, first)

    def _played(self, action: Action, gives_up: bool) -> tuple[float, bool]:
        """Chips from this decision on, and whether the person was asked once more."""
        me, asked = self.me, False
        bots = self._bots(gives_up)
        hand = self.hand.apply(action)
        while (seat := hand.to_act) is not None:
            asked = asked or seat == me
            hand = hand.apply(answer(bots[seat], hand.view(seat)))
        settled = hand.settle()
        end = hand.starting[me] + settled.payoffs[me] + settled.carried / len(hand.starting)
        return end - self.hand.stacks[me], asked

    def _bots(self, gives_up: bool) -> dict[int, Strategy]:
        """The bots of all seats that are still in, which have seen the hand so far."""
        rng = Random(self.seed)
        bots = {seat: self.company.bot(holding.bot, seat, rng) for seat, holding in self.drawn.items()}
        bots[self.me] = _GiveUp() if gives_up else self.company.bot(0, self.me, rng)
        for moment in self.moments:
            if moment.seat in bots:
                answer(bots[moment.seat], moment.view)
        answer(bots[self.me], self.hand.view(self.me))  # so that it counts this question, too
        return bots
