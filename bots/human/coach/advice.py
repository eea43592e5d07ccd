"""The coach's advice for one decision: what the house's best bot would do, and what each action is worth.

The chips of an action are the mean over many deals of the cards that the person cannot see, with the 95 % interval by
Student's t, unless the game can compute them exactly (dice). ``dealer.audit.decision_value`` deals them so that they
fit what the others did, and plays each action to the end of the hand with the same cards. So differences between
actions have a smaller interval than the chips themselves. The opponents are played by quick house bots, which
``CoachPlan.company`` names.

The coach says that one action is better than another only where their intervals do not overlap, and that it costs no
more than was at stake (see ``pot.at_stake``). With more than 20 big blinds it recommends no raise by more than three
times the pot, not even where the house's best bot would make one.

The intervals tell how exact the estimate is for opponents like those bots, not how much such opponents differ from the
real ones. The house's best bot knows nothing of earlier hands here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from random import Random

from bots.human.answers import nearest_place, pot_raise
from bots.human.game_seat import load_seat
from bots.human.narration import move
from bots.strategy import answer
from dealer.audit.decision_value.deals import Company
from dealer.audit.decision_value.rollouts import chips_by_deal, most_at_stake, never
from dealer.audit.decision_value.situation import Situation
from protocol.estimates.intervals import apart, mean
from protocol.games.base import FOLD, Action, Bet, Turn
from protocol.installed_bots import load_bot
from protocol.plurals import listed, plural
from protocol.wire.messages import GameInfo

#: Raises by these parts of the pot after a call are looked at, beside the least and the most.
PARTS = (0.5, 1.0)

#: Where seats can be all in, the largest raise is looked at if it is at most so many times the pot after a call. Larger
#: ones look too good: simple bots pay them with cards that hardly anybody else would.
MOST_POTS = 3.0

#: With so many big blinds or fewer, the house's best bot may raise by more: all in or fold is good play there.
SHALLOW = 20

#: Deals of one advice, at most and at least.
MOST_DEALS, LEAST_DEALS = 2000, 100

#: Hole cards of an opponent that are weighed, at most; where there are more, so many random ones.
MOST_HOLDINGS = 120

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


class NoCoachError(LookupError):
    """There is no coach for this game; the text says so."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Chips on average.

    Attributes:
        chips: won from the decision on; a loss is below zero.
        error: half the 95 % interval; 0 where the chips are exact, or the same in all deals.
    """

    chips: float
    error: float


@dataclass(frozen=True, slots=True)
class Option:
    """An action that a person may think of.

    Attributes:
        words: the same: ``raise to 10``.
        worth: chips won from now on. A fold is 0, since chips in the pot are lost then.
        cost: how many chips less than the best option, and at most what is at stake. Its error is that of the
            difference.
        equal: whether the 95 % interval of its worth overlaps with that of the best option, or it is the best one.
    """

    action: Action
    words: str
    worth: Estimate
    cost: Estimate
    equal: bool

    @property
    def costs(self) -> bool:
        """Whether the deals show that it costs anything."""
        return not self.equal and self.cost.chips > 0


@dataclass(frozen=True, slots=True)
class Advice:
    """What a person may do, and what it is worth.

    Attributes:
        bot: the name of the house's best bot in this game.
        action: what that bot would do; the nearest option where it would raise too much.
        words: the same: ``call 5``.
        options: the fold if something is owed, the check or call, and raises from small to large; the bot's action is
            among them.
        top: the option that is worth most; it is never a raise that is too large.
        deals: how often the unseen cards were dealt; 0 if the chips are exact.
        company: the names of the bots that played the hands to their end; empty if the chips are exact.
    """

    bot: str
    action: Action
    words: str
    options: tuple[Option, ...]
    top: Option
    deals: int
    company: tuple[str, ...]

    @property
    def equals(self) -> tuple[Option, ...]:
        """The options of which the deals do not show that they are worth less than the best; it is among them."""
        return tuple(option for option in self.options if option.equal)

    @property
    def verdict(self) -> str:
        """What the house's best bot would do, in a sentence; or that several options are equally good."""
        return _equal_line(self.equals) if len(self.equals) > 1 else f"The house's best, {self.bot}: {self.words}."

    def option(self, action: Action) -> Option:
        """The option for ``action``.

        Raises:
            KeyError: it was not looked at; see ``advise``'s ``also``.
        """
        for option in self.options:
            if option.action == action:
                return option
        raise KeyError(action)

    def cost_line(self, action: Action) -> str:
        """What ``action`` costs, or that it is as good as the best; empty if it is the best, or was not looked at."""
        if action not in [option.action for option in self.options]:
            return ""
        option, top = self.option(action), self.top
        if option.equal and option is not top:
            return f"The coach: {_equal_line((option, top))}"
        if not option.costs:
            return ""
        error = f" ± {option.cost.error:.1f}" if option.cost.error else ""
        return f"The coach: {top.words} is worth {option.cost.chips:.1f}{error} chips more than {option.words}."

    @property
    def method(self) -> str:
        """How the chips were found, in a sentence."""
        if not self.deals:
            return f"Chips are exact against an opponent like {self.bot}."
        bots = " and ".join(self.company) if len(self.company) < 3 else ", ".join(self.company)
        return (
            f"{plural(self.deals, 'deal')} that fit what the others did, played on by {bots}; ± is the 95 % interval."
        )


def equally_good(options: Sequence[Option]) -> str:
    """``These two are equally good``, without their names."""
    return f"These {_COUNTS[len(options)]} are equally good"


def _equal_line(options: Sequence[Option]) -> str:
    return f"{equally_good(options)}: {listed([option.words for option in options])}."


def advise(
    situation: Situation,
    seed: str,
    *,
    also: Sequence[Action] = (),
    effort: float = 1.0,
    stop: Callable[[], bool] = never,
) -> Advice:
    """The advice for the person, who is to act. The same arguments give the same advice.

    It takes about half a second of processor time, so call it in a thread or a process of its own.

    Args:
        situation: what the person knows.
        seed: all chance follows from it.
        also: more actions to look at, such as the one that was chosen; legal ones.
        effort: how many times as many deals to play as usual.
        stop: asked all the time, from the thread that computes; once it returns True, the advice is not wanted.

    Raises:
        NoLongerWanted: ``stop`` returned True.
        NoCoachError: there is no coach for this game.
        StrategyError: a bot failed.
    """
    game_seat = load_seat(situation.game.name)
    plan = game_seat.coach
    if plan is None:
        raise NoCoachError(f"there is no coach for {situation.game.title}")
    turn = situation.questions[-1]
    most_pots = inf if plan.depth is None else MOST_POTS
    most_raise = most_pots if plan.depth and plan.depth(situation) > SHALLOW else inf
    chosen = house_action(situation, plan.best, seed)
    if too_large(turn, chosen, most_raise):
        chosen = sensible(turn, (), most_pots)[-1]
    actions = sensible(turn, (chosen, *also), most_pots)
    company = plan.company(len(situation.ups))
    if plan.exact is not None:
        worth, deals = plan.exact(situation), 0
        results = [[worth[action]] for action in actions]
    else:
        deals = round(effort * min(max(plan.hands // (len(actions) * situation.live), LEAST_DEALS), MOST_DEALS))
        bots = Company.load(situation, [company] * len(situation.ups), MOST_HOLDINGS, answer, may_give_up=True)
        results = chips_by_deal(situation, bots, actions, deals, Random(seed), stop)
    pay_word = game_seat.pay_word(turn)
    words = {action: action_words(action, situation, pay_word) for action in actions}
    best = max(
        [place for place, action in enumerate(actions) if not too_large(turn, action, most_raise)],
        key=lambda place: sum(results[place]),
    )
    options = _options(words, results, best, situation)
    return Advice(plan.best, chosen, words[chosen], options, options[best], deals, company)


def too_large(turn: Turn, action: Action, most_pots: float) -> bool:
    """Whether ``action`` raises by more than so many times the pot after a call."""
    return isinstance(action, Bet) and action.amount - turn.owed > most_pots * (turn.pot + turn.owed)


def sensible(turn: Turn, also: Sequence[Action], most_pots: float = inf) -> list[Action]:
    """The fold if something is owed, the check or call, raises as keys offer them, and ``also``; each once, by size.

    Args:
        turn: the question.
        also: more actions.
        most_pots: raises by more than so many times the pot after a call are left out, but for those in ``also``.
    """
    legal = turn.legal()
    actions: list[Action] = [FOLD] if (legal.fold and turn.owed) or FOLD in also else []
    amounts = {action.amount for action in also if isinstance(action, Bet)}
    if legal.call:
        amounts.add(legal.to_call)
    if legal.raises:
        parts = [legal.raises[nearest_place(legal.raises, pot_raise(turn, part))] for part in PARTS]
        looked_at = (legal.raises[0], *parts, legal.raises[-1])
        amounts |= {amount for amount in looked_at if not too_large(turn, Bet(amount), most_pots)}
    return [*actions, *map(Bet, sorted(amounts))]


def house_action(situation: Situation, bot: str, seed: str) -> Action:
    """What a new house bot does that has seen the hand so far with the person's cards.

    Raises:
        StrategyError: it failed.
        LookupError: there is no such bot.
    """
    strategy = load_bot(bot)(Random(seed))
    if situation.game.announced:
        strategy.game_begins(GameInfo.about(situation.game, situation.seat, len(situation.ups)))
    for turn in situation.questions[:-1]:
        answer(strategy, turn)
    return answer(strategy, situation.questions[-1])


def action_words(action: Action, situation: Situation, pay_word: str) -> str:
    """An action at the open question in words: ``raise to 10``, ``all in 480``."""
    turn = situation.questions[-1]
    if isinstance(action, Bet) and action.amount == turn.stack and action.amount > turn.owed:
        return f"all in {action.amount}"
    return move(action, turn.owed, situation.put if situation.opened else None, pay_word)


def _options(
    words: Mapping[Action, str], results: Sequence[Sequence[float]], best: int, situation: Situation
) -> tuple[Option, ...]:
    """The options, from what each action led to in each deal; ``best`` is the place of the best one."""
    actions, most = list(words), results[best]
    options = []
    for place, (action, result) in enumerate(zip(actions, results, strict=True)):
        cost = _estimate([top - chips for top, chips in zip(most, result, strict=True)])
        cost = replace(cost, chips=min(cost.chips, most_at_stake(situation, action, actions[best])))
        equal = place == best or not apart(most, result)
        options.append(Option(action, words[action], _estimate(result), cost, equal))
    return tuple(options)


def _estimate(sample: Sequence[float]) -> Estimate:
    found = mean(sample)
    assert found is not None
    error = found.high - found.value
    return Estimate(found.value, error if isfinite(error) else 0.0)
