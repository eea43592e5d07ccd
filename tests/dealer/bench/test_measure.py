"""The clients of ``casino bench``, which act without the rules, and its samples on a machine that stands still."""

from itertools import chain, repeat

import pytest

from dealer.bench import measure
from dealer.errors import CasinoError
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
    assert to_act == measure.ACPC_TO_ACT


@pytest.mark.usefixtures("autojump_clock")
async def test_sample_without_a_decision_is_made_longer() -> None:
    counts = chain([7, 7, 7], repeat(9))
    sample = await measure._sample(lambda: next(counts), 0.7)
    assert sample.decisions_per_second > 0


@pytest.mark.usefixtures("autojump_clock")
async def test_bench_without_any_decision_ends_in_words() -> None:
    with pytest.raises(CasinoError, match=r"no decision was made in 7 s"):
        await measure._sample(lambda: 7, 0.7)
