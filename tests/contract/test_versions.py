"""Hands of every game, played once more with another version in one seat."""

from random import Random
from typing import Any

import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.audit.hands import ReplayedHand
from dealer.versions.answerer import Answerer
from dealer.versions.second_hand import PlayedAgain, SecondHand, actions_of
from protocol.games.base import Action, Bet, Turn
from protocol.games.game import Game
from tests.contract.test_replays import played
from tests.dealer.versions.scripted import Scripted

chances = st.integers(0, 2**32).map(Random)

few = settings(max_examples=20)


def by_chance(chance: Random) -> Any:
    def decide(turn: Turn) -> Action:
        return chance.choice(list(turn.legal())[:4])

    return decide


def play_again(hand: ReplayedHand, seat: int, version: Scripted, stand_in: Scripted) -> PlayedAgain:
    async def stands_in(_: int) -> Answerer:
        return stand_in

    return trio.run(SecondHand(hand, seat, version, stands_in).play)


@few
@given(chance=chances)
def test_same_answers_give_the_same_hand(game: Game, chance: Random) -> None:
    hand = played(game, chance)
    seat = chance.randrange(len(hand.players))
    own = iter([step.action for step in hand.steps if step.seat == seat])
    nobody = Scripted(lambda _: Bet(-1))
    again = play_again(hand, seat, Scripted(lambda _: next(own) or Bet(0)), nobody)
    assert again.first_change is None
    assert again.again.settlement == hand.settlement
    assert (nobody.asked, again.faults, again.by_stand_ins) == ([], (), 0)
    assert again.by_version + again.from_record == len(hand.steps)


@few
@given(chance=chances)
def test_others_do_as_recorded_until_they_see_something_else(game: Game, chance: Random) -> None:
    hand = played(game, chance)
    seat = chance.randrange(len(hand.players))
    version, stand_in = Scripted(by_chance(chance)), Scripted(by_chance(chance))
    again = play_again(hand, seat, version, stand_in)
    assert again.faults == ()
    left = [sum(one.settlement.payoffs) + one.settlement.carried for one in (hand, again.again)]
    assert left[0] == left[1]
    assert len(version.asked) == again.by_version
    known = {other: [step for step in hand.steps if step.seat == other] for other in range(len(hand.players))}
    strayed = set()
    for step in again.again.steps:
        if step.seat == seat:
            continue
        asked = step.before.view(step.seat)
        as_recorded = step.seat not in strayed and known[step.seat] and known[step.seat][0].before.view(step.seat)
        if as_recorded == asked:
            assert known[step.seat].pop(0).action == step.action
        else:
            strayed.add(step.seat)
            assert asked in stand_in.asked
    if again.first_change is not None:
        first = actions_of(again.again)[again.first_change]
        assert first[0] == seat  # nobody else is the first to do something else
