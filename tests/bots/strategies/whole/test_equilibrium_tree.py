"""The table of fixed-limit hold'em: its tree, its buckets, and how a player finds its place in it."""

from random import Random

from bots.strategies.holdem.equilibrium import Equilibrium
from bots.strategies.holdem.limit_player import LimitPlayer
from bots.strategies.holdem.limit_tree import Betting, Node, tree
from protocol.games.base import Action, Fold
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_hand import HoldemHand
from protocol.games.holdem_turn import HoldemTurn
from protocol.wire.messages import GameInfo
from tests.bots.strategies.test_equilibrium import GAME
from tests.protocol.helpers import shuffled_deck


class Noting(LimitPlayer):
    """Keeps the decision at which it was asked last."""

    node: Node | None = None

    def _node(self, turn: HoldemTurn) -> Node | None:
        self.node = super()._node(turn)
        return self.node


def after(hand: HoldemHand, betting: Betting, action: Action) -> Betting:
    """The betting after an action, by the tree."""
    node = tree()[betting]
    raised = not isinstance(action, Fold) and action.amount in hand.legal().raises
    return node.after_raise if raised else node.after_call or ()


def test_player_knows_its_place_in_the_tree_and_the_tree_its_chips() -> None:
    players = [Noting(Random(1)), Noting(Random(2))]
    match = GAME.start(2)
    for number in range(30):
        hand = match.deal(shuffled_deck(b"tree", 0, number))
        betting: Betting = ((False, 0),)
        while (seat := hand.to_act) is not None:
            action = players[seat].decide(hand.view(seat))
            node = tree()[betting]
            assert players[seat].node == node
            assert node.first_acts == ((seat == hand.button) == (hand.number == 1))
            assert 1000 - hand.stacks[seat] == 10 * node.loss or not node.owes
            assert node.may_raise == bool(hand.legal().raises)
            assert node.owes == bool(hand.legal().to_call)
            betting = after(hand, betting, action)
            hand = hand.apply(action)
        settlement = hand.settle()
        for player, status in zip(players, settlement.statuses(), strict=True):
            player.hand_over(status)
        match = match.record(settlement)


def test_short_stacks_are_played_to_the_end() -> None:
    for stack in (5, 9, 10, 23, 47, 95):
        game = HoldemGame(betting="fixed-limit", stack=stack, reset_stacks=1)
        bots = [Equilibrium(Random(1)), Equilibrium(Random(2))]
        for place, bot in enumerate(bots):
            bot.game_begins(GameInfo.about(game, place, 2))
        for number in range(40):
            hand = game.start(2).deal(shuffled_deck(b"short", stack, number))
            while (seat := hand.to_act) is not None:
                hand = hand.apply(bots[seat].decide(hand.view(seat)))
            for bot, status in zip(bots, hand.settle().statuses(), strict=True):
                bot.hand_over(status)
