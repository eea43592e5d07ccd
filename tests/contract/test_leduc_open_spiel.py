"""Leduc hold'em beside OpenSpiel's ``leduc_poker``: the same actors, legal actions and payoffs for the same cards."""

from random import Random
from typing import Any

import pyspiel
import pytest

from protocol.cards import Card, Rank, Suit
from protocol.games.base import FOLD, Action, Bet, Hand
from protocol.games.game import Game
from protocol.games.registry import load_game

pytestmark = pytest.mark.usefixtures("_leduc_on_path")


def first_hand(game: Game, chance: Random) -> tuple[Hand, Any, tuple[Any, ...]]:
    """A first or a second hand, in which the other seat begins, by our rules and in OpenSpiel, and its deck."""
    match = game.start(2)
    deck = game.chance.outcome(game.chance.draw(bytes(32), 0, chance.randrange(1, 10**9)))
    if chance.random() < 0.5:
        match = match.record(match.deal(deck).settle())
    hand = match.deal(deck)
    theirs = pyspiel.load_game("leduc_poker", {"starting_player": hand.to_act}).new_initial_state()
    for card in deck[:2]:
        theirs.apply_action(number_of(card))
    return hand, theirs, deck


def number_of(card: Card) -> int:
    """OpenSpiel's number of a card; it counts J J Q Q K K."""
    return 2 * int(card.rank - Rank.JACK) + int(card.suit - Suit.HEARTS)


def numbered(hand: Hand) -> dict[int, Action]:
    """Our legal actions by OpenSpiel's numbers: 0 to fold, 1 to check or call, 2 to bet or raise."""
    legal = hand.legal()
    actions: dict[int, Action] = {0: FOLD} if legal.fold else {}
    actions[1] = Bet(legal.to_call)
    if legal.raises:
        (raised,) = legal.raises
        actions[2] = Bet(raised)
    return actions


def compare(game: Game, chance: Random) -> bool:
    """Play one hand with random actions in both rules; whether there was a showdown."""
    hand, theirs, deck = first_hand(game, chance)
    actions: list[int] = []
    while (seat := hand.to_act) is not None:
        if theirs.is_chance_node():
            theirs.apply_action(number_of(deck[2]))
        assert seat == theirs.current_player(), actions
        ours = numbered(hand)
        assert sorted(ours) == theirs.legal_actions(), actions
        number = chance.choice(list(ours))
        actions.append(number)
        theirs.apply_action(number)
        hand = hand.apply(ours[number])
    assert theirs.is_terminal(), actions
    assert list(hand.settle().payoffs) == theirs.returns(), (actions, deck)
    return len(hand.live) > 1


@pytest.mark.parametrize("hands", [300, pytest.param(10_000, marks=pytest.mark.heavy)])
def test_same_hands_as_open_spiel(hands: int) -> None:
    """Enough of them come to a showdown."""
    game = load_game("leduc")()
    assert sum(compare(game, Random(seed)) for seed in range(hands)) > hands / 4
