"""What is true of every hand and game of Blockhead Poker, and of its text."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cards import DECK, Card
from protocol.games.base import FOLD
from protocol.games.blockhead import BlockheadGame, BlockheadHand, BlockheadTurn, Ranks
from protocol.wire.codec import decode_command, encode
from protocol.wire.messages import GameInfo, ProtocolError
from tests.protocol.strategies import cards, players

ranks: st.SearchStrategy[Ranks] = st.sampled_from(["blockhead", "poker"])


def choices(hand: BlockheadHand, player: Random) -> Iterator[BlockheadHand]:
    """The hand at each of its questions, answered by chance with few folds, and at its end."""
    while hand.to_act is not None:
        yield hand
        actions = [action for action in hand.legal() if action != FOLD or player.random() < 0.3]
        hand = hand.apply(player.choice(actions))
    yield hand


@given(st.integers(2, 6), ranks, players)
def test_chips_are_conserved_over_whole_games(seats: int, ranks: Ranks, player: Random) -> None:
    match = BlockheadGame(ranks=ranks).start(seats)
    while not match.over:
        before = sum(match.stacks) + match.carried
        for hand in choices(match.deal(player.sample(DECK, 52)), player):
            assert sum(hand.stacks) + hand.pot == before
        settlement = hand.settle()
        assert sum(settlement.shares) + settlement.carried == hand.pot
        match = match.record(settlement)
    assert (match.carried, sum(match.stacks)) == (0, 1000 * seats)


@given(st.integers(1, 3), st.integers(-9999, 9999), cards)
def test_a_stack_below_zero_is_told(street: int, stack: int, card: Card) -> None:
    turn = BlockheadTurn(street, stack, 20, 0, card, (card,) * (street + 1), ((card,) * (street + 1),), (), 10)
    assert decode_command(encode(turn), "blockhead") == turn


def test_a_game_is_announced_by_name_and_facts() -> None:
    info = GameInfo("blockhead", (("seat", "0"), ("hands", "20")))
    assert encode(info) == "game:blockhead:seat=0:hands=20"
    assert decode_command("game:blockhead:seat=0:hands=20") == info
    assert info["hands"] == "20"


@pytest.mark.parametrize("text", ["game:", "game:chess", "game:blockhead:seat", "game"])
def test_a_bot_refuses_a_game_it_does_not_know(text: str) -> None:
    with pytest.raises(ProtocolError, match="game needs one of blockhead, dice, holdem, stud"):
        decode_command(text)


@pytest.mark.parametrize(
    "text",
    [
        "bet1:990:20:0:KS:9H:8D:up:JH:QD:bets",
        "bet1:990:20:0:KS:9H:up:JH:QD:bets:raise:10",
        "bet2:990:20:0:KS:9H:8D:up:JH:QD:bets:raise:10",
        "bet1:990:20:0:KS:9H:8D:up:JH:QX:bets:raise:10",
        "bet1:990:20:0:KS:9H:8D:up:JH:QD:bets:0-10:raise:10",
        "bet1:990:20:-1:KS:9H:8D:up:JH:QD:bets:raise:10",
        "bet1:990:20:0:KS:9H:8D:bets:up:JH:QD:raise:10",
        "bet4:990:20:0:KS:9H:8D:up:JH:QD:bets:raise:10",
        "status:won:KS",
        "status:win:KS:show:0:KS",
    ],
)
def test_text_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError):
        decode_command(text, "blockhead")
