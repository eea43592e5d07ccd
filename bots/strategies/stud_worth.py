"""What staying in a hand and raising are worth, in chips, from what is believed of the rivals.

A share of the pot is not enough to go by, because the pot grows most when a rival is strong. So each decision is judged
twice: against the rivals' cards as they are believed to be, and *under pressure*, against the cards with which the most
dangerous rival would raise again, weighed by how often it would.
"""

from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from bots.strategies.stud_chances import Holding, Outcome, outcomes, staying
from bots.strategies.stud_rival import Rival
from bots.strategies.stud_street_one import Kinds
from protocol.games.stud import MAX_RAISE, StudTurn

#: A raise must bring back this many times its chips: who stays after it holds more than who was there before it.
RAISE_MARGIN = 1.1

#: Chips of further raises that are reckoned with on a street, at most: then a hand that is not good enough is folded.
MOST_TOLL = 40

#: A rival's card counts under pressure as if it raised this much more often.
CALM = 0.02

#: How much certain chips are worth more than uncertain ones where stacks are kept: relative risk aversion, 1 for log.
RISK_AVERSION = 1.0


class Worth(NamedTuple):
    """What can be done, against folding and against calling.

    Attributes:
        stay: chips that calling is worth more than folding.
        raising: whether a raise is worth more than a call.
    """

    stay: float
    raising: bool


class _Pressure(NamedTuple):
    """The raises that rivals are expected to make on one street.

    Attributes:
        chips: that they cost.
        ahead: of each rival by kind of card: see ``Rival.raises_ahead``.
        means: of each rival over all cards.
    """

    chips: float
    ahead: list[Kinds]
    means: list[float]


def worth(turn: StudTurn, rivals: Sequence[Rival], unseen: Kinds, *, kept: bool) -> Worth:
    """Judge a question.

    Args:
        rivals: who may still be in.
        unseen: cards left by kind.
        kept: whether stacks are kept from hand to hand, so that lost chips are missed.
    """
    holdings = [rival.holding() for rival in rivals]
    company = sum(staying(holding, unseen) for holding in holdings)
    ways = outcomes(turn.own, holdings, unseen)
    share = _share(ways)
    promising = share * (company + 1) > RAISE_MARGIN
    if not (turn.owed or promising):
        return Worth(0.0, raising=False)
    now = _pressure(turn, rivals, holdings, unseen, street_over=False)
    later = _pressure(turn, rivals, holdings, unseen, street_over=True) if turn.street == 1 else None
    if not promising and _stay(turn, ways, ways, company, now, later) <= 0:
        return Worth(-1.0, raising=False)
    hard = outcomes(turn.own, _pressed(holdings, now, later), unseen)
    stay = _stay(turn, ways, hard, company, now, later)
    value = min(share, _share(hard)) * (company + 1)
    raised = min(MAX_RAISE, turn.stack - turn.owed)
    gain = raised * (value - RAISE_MARGIN)
    if kept:
        pot = _pot(turn, company)
        risk = RISK_AVERSION / 2 * share * (1 - share) / (turn.stack + share * pot)
        stay -= risk * pot * pot
        gain -= risk * ((pot + raised * (company + 1)) ** 2 - pot**2)
    return Worth(stay, gain > 0)


def _pressure(
    turn: StudTurn, rivals: Sequence[Rival], holdings: Sequence[Holding], unseen: Kinds, *, street_over: bool
) -> _Pressure:
    ahead = [rival.raises_ahead(street_over=street_over) for rival in rivals]
    means = [
        sum(map(mul, unseen, row)) / sum(map(mul, unseen, holding.held))
        for row, holding in zip(ahead, holdings, strict=True)
    ]
    return _Pressure(min(MAX_RAISE * sum(means), MOST_TOLL, max(0, turn.stack - turn.owed)), ahead, means)


def _pressed(holdings: Sequence[Holding], now: _Pressure, later: _Pressure | None) -> list[Holding]:
    """The holdings, that of the most dangerous rival weighed by the raises it would make."""
    pressures = [now] if later is None else [now, later]
    means = [sum(each) for each in zip(*(pressure.means for pressure in pressures), strict=True)]
    worst = means.index(max(means))
    up, held, stays = holdings[worst]
    rows = [pressure.ahead[worst] for pressure in pressures]
    weights = [CALM * card + sum(raises) for card, *raises in zip(held, *rows, strict=True)]
    return [*holdings[:worst], Holding(up, weights, stays), *holdings[worst + 1 :]]


def _stay(
    turn: StudTurn,
    ways: Sequence[Outcome],
    hard: Sequence[Outcome],
    company: float,
    now: _Pressure,
    later: _Pressure | None,
) -> float:
    """Chips that calling is worth more than folding: after the next card, a hand that has become bad is folded."""
    toll, pot = later.chips if later else 0.0, _pot(turn, company)
    rest = sum(
        way.chance * max(0.0, way.share * pot + toll * (bad.share * (company + 1) - 1))
        for way, bad in zip(ways, hard, strict=True)
    )
    return rest - turn.owed + now.chips * (_share(hard) * (company + 1) - 1)


def _pot(turn: StudTurn, company: float) -> float:
    """The pot when what is owed is paid: by us, and by half of the others who stay besides the one who raised."""
    return turn.pot + turn.owed * (1 + max(0.0, company - 1) / 2)


def _share(ways: Sequence[Outcome]) -> float:
    return sum(way.chance * way.share for way in ways)
