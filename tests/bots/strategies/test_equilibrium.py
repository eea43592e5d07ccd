"""The table of fixed-limit hold'em: its tree, its buckets, and how a player finds its place in it."""

from random import Random

import pytest

from bots.strategies.holdem.equilibrium import Equilibrium
from bots.strategies.holdem.equity import Equity
from bots.strategies.holdem.limit_cards import opening_bucket
from bots.strategies.holdem.limit_player import LimitPlayer
from bots.strategies.holdem.limit_table import LEVELS, load
from bots.strategies.holdem.limit_tree import BUCKETS, RIVER, Betting, Node, path, rows, tree
from protocol.games.base import Action, Fold
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_hand import HoldemHand
from protocol.games.holdem_turn import HoldemTurn
from protocol.shuffle import shuffled_deck
from protocol.wire.messages import GameInfo

GAME = HoldemGame(betting="fixed-limit", reset_stacks=1)
#: Decisions of one street that begins without a bet, and ways in which it ends without a fold; before the flop fewer.
DECISIONS, ENDS, OPENING_DECISIONS, OPENING_ENDS = 10, 9, 8, 7


class Noting(LimitPlayer):
    """Keeps the decision at which it was asked last."""

    node: Node | None = None

    def _node(self, turn: HoldemTurn) -> Node | None:
        self.node = super()._node(turn)
        return self.node


def test_tree_has_all_decisions_of_fixed_limit() -> None:
    streets = [sum(node.street == street for node in tree().values()) for street in range(4)]
    ways = OPENING_ENDS
    assert streets == [OPENING_DECISIONS, *(ways * ENDS**street * DECISIONS for street in range(3))]
    assert rows() == sum(BUCKETS[node.street] for node in tree().values())
    assert len(load()["moves"]) == rows(RIVER) == min(node.row for node in tree().values() if node.street == RIVER)


def test_path_leads_to_the_next_street() -> None:
    for betting, node in tree().items():
        if betting[-1] == (False, 0):
            at: Betting | None = ((False, 0),)
            for passed, move in path(betting[:-1]):
                assert passed.betting == at
                at = (None, passed.after_call, passed.after_raise)[move]
            assert at == betting
            assert node.street == len(betting) - 1


def test_opening_buckets_are_the_169_kinds_of_two_cards() -> None:
    kinds = {opening_bucket(first, second) for first in range(52) for second in range(first)}
    assert kinds == set(range(169))
    assert opening_bucket(51, 50) != opening_bucket(51, 47)


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


def test_shares_of_a_row_add_up_to_one_at_most() -> None:
    assert all((byte >> 4) + (byte & 15) <= LEVELS for byte in set(load()["moves"]))


def test_first_raise_is_never_folded_to_with_aces_and_mostly_with_the_worst_cards() -> None:
    raised = tree()[((False, 1),)].row
    moves = load()["moves"]
    assert moves[raised + opening_bucket(51, 50)] >> 4 == 0
    assert moves[raised + opening_bucket(20, 1)] >> 4 >= LEVELS / 2


@pytest.mark.parametrize(("game", "players"), [(HoldemGame(), 2), (GAME, 3)])
def test_other_games_are_played_as_equity_plays_them(game: HoldemGame, players: int) -> None:
    turn = game.start(players).deal(shuffled_deck(b"other", 0, 0)).view(0)
    bot = Equilibrium(Random(5))
    bot.game_begins(GameInfo.about(game, 0, players))
    assert bot.decide(turn) == Equity(Random(5)).decide(turn)
    assert bot.rng.random() != Random(5).random()  # it has dealt cards, as the table never does


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
