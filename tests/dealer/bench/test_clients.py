"""The clients of ``casino bench`` know whose turn it is without the rules; here the rules check them."""

from dealer.bench.measure import ACPC_TO_ACT
from protocol.cards import DECK
from protocol.games.base import Bet
from protocol.games.holdem import HoldemGame
from protocol.wire.acpc import HandText
from protocol.wire.text import load_text


def test_who_acts_in_a_heads_up_hand_in_which_everybody_calls() -> None:
    game = HoldemGame(betting="fixed-limit", acpc=1, reset_stacks=1)
    hand = game.start(2).deal(DECK)
    acpc = load_text("holdem").acpc
    assert acpc is not None
    text = HandText(acpc, False, hand, 0, 2)
    to_act = {}
    while (seat := hand.to_act) is not None:
        to_act[text.betting.encode()] = str(text.seats_by_position.index(seat)).encode()
        after = hand.apply(Bet(hand.view(seat).owed))
        text.act(seat, Bet(hand.view(seat).owed), after)
        hand = after
    assert to_act == ACPC_TO_ACT
