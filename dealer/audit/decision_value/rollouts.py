"""Play a hand to its end from one decision on, after each of several actions, with the same cards for each.

Three things are left out, which limits what the figures mean. The bots that play on know nothing of earlier hands. Real
opponents may differ from them. And chips count, not places.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from dealer.audit.decision_value.deals import Bot, Company, Holding, Moment, NoLongerWanted, Ranges, Redeal
from dealer.audit.decision_value.situation import Situation
from protocol.games.base import FOLD, Action, Bet, Fold, Hand, Turn
from protocol.games.pot import at_stake
from protocol.wire.messages import GameInfo

T = TypeVar("T")
Measured = TypeVar("Measured")

#: Random numbers of one deal: every action meets the same ones.
SEED_BITS = 32

#: Candidates of a search that are measured a second time.
FINALISTS = 6


def never() -> bool:
    """The answer of who does not want to stop a search."""
    return False


def chips_by_deal(
    situation: Situation,
    company: Company,
    actions: Sequence[Action],
    deals: int,
    rng: Random,
    stop: Callable[[], bool] = never,
) -> list[list[float]]:
    """What each action leads to: chips won or lost from the decision on, for each action in each deal.

    A fold is 0: what is in the pot already is lost. Chips of a tied pot that wait for the next hand count in equal
    parts for all seats of the hand.

    After the action the seat plays on as the first of its bots does, or puts in no more chips (see
    ``Company.may_give_up``), whichever wins more on average over all deals.

    Args:
        situation: the decision.
        company: the bots that play on.
        actions: legal ones.
        deals: how often the unseen cards are dealt.
        rng: decides all chance.
        stop: whether the result is not wanted any more.

    Raises:
        NoLongerWanted: it is not.
    """
    redeal = Redeal(situation)
    ranges = Ranges(redeal, company, rng, situation.seat, stop)
    plays_on: list[list[float]] = [[] for _ in actions]
    gives_up: list[list[float]] = [[] for _ in actions]
    for _ in range(deals):
        if stop():
            raise NoLongerWanted
        drawn = ranges.draw(rng)
        holes = {seat: holding.hole for seat, holding in drawn.items() if holding.hole}
        replayed = redeal.replay(redeal.deal(holes, rng), {*drawn, situation.seat})
        deal = _Deal(situation.seat, company, drawn, *replayed, rng.getrandbits(SEED_BITS))
        for place, action in enumerate(actions):
            first, second = deal.chips(action)
            plays_on[place].append(first)
            gives_up[place].append(second)
    return [max(plans, key=sum) for plans in zip(plays_on, gives_up, strict=True)]


def most_at_stake(situation: Situation, one: Action, other: Action) -> int:
    """Chips at stake in the choice between two actions, which may not be said to cost more; see ``at_stake``."""
    return at_stake(situation.questions[-1].pot, situation.reach, one, other)


class _GiveUp:
    """The second plan: check, and fold to every bet."""

    def game_begins(self, info: GameInfo) -> None:
        """Nothing to know."""

    def decide(self, turn: Turn) -> Action:
        """Put in nothing."""
        return FOLD if turn.owed else Bet(0)


@dataclass(frozen=True, slots=True)
class _Deal:
    """One way to deal the unseen cards, at the decision in question.

    Attributes:
        drawn: what the opponents are in this deal.
        hand: with the seat in question to act.
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
        if not asked or not self.company.may_give_up:
            return first, first
        return first, self._played(action, gives_up=True)[0]

    def _played(self, action: Action, gives_up: bool) -> tuple[float, bool]:
        """Chips from this decision on, and whether the seat was asked once more."""
        me, ask, asked = self.me, self.company.ask, False
        bots = self._bots(gives_up)
        hand = self.hand.apply(action)
        while (seat := hand.to_act) is not None:
            asked = asked or seat == me
            hand = hand.apply(ask(bots[seat], hand.view(seat)))
        settled = hand.settle()
        end = hand.starting[me] + settled.payoffs[me] + settled.carried / len(hand.starting)
        return end - self.hand.stacks[me], asked

    def _bots(self, gives_up: bool) -> dict[int, Bot]:
        """The bots of all seats that are still in, which have seen the hand so far."""
        rng, ask = Random(self.seed), self.company.ask
        bots = {seat: self.company.bot(holding.bot, seat, rng) for seat, holding in self.drawn.items()}
        bots[self.me] = _GiveUp() if gives_up else self.company.bot(0, self.me, rng)
        for moment in self.moments:
            if moment.seat in bots:
                ask(bots[moment.seat], moment.view)
        ask(bots[self.me], self.hand.view(self.me))  # so that it counts this question, too
        return bots


def dearest(
    candidates: Sequence[T],
    measure: Callable[[Sequence[T], str], Iterable[Measured]],
    cost: Callable[[Measured], float],
    on_progress: Callable[[int, int], object],
) -> list[Measured]:
    """The dearest of many decisions, the dearest first.

    All are measured roughly, and the ``FINALISTS`` that look dearest again with other deals. Only the second
    measurement counts: the dearest of many estimates are too high, because they were chosen for being high.

    Args:
        candidates: what is searched.
        measure: measures some of them, in order; it is told ``"rough"`` the first time and ``"good"`` the second.
        cost: of what was measured.
        on_progress: told how many measurements are done, and how many there are.
    """
    total = len(candidates) + min(FINALISTS, len(candidates))
    done = 0

    def measured(some: Sequence[T], effort: str) -> list[Measured]:
        nonlocal done
        results = []
        for result in measure(some, effort):
            results.append(result)
            done += 1
            on_progress(done, total)
        return results

    on_progress(0, total)
    rough = measured(candidates, "rough")
    order = sorted(range(len(candidates)), key=lambda place: -cost(rough[place]))
    return sorted(measured([candidates[place] for place in order[:FINALISTS]], "good"), key=cost, reverse=True)
