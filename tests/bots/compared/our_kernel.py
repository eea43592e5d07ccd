"""The compiled kernel of hold'em as a contestant. It deals and compares cards; betting has no kernel."""

from collections.abc import Iterator

import numpy as np

from protocol.cards import DECK, parse_card
from protocol.games.kernels.holdem import roll_outs
from tests.bots.compared.contest import ROLLED_OUT, Contestant


def contestants() -> Iterator[Contestant]:
    """Its roll-outs."""
    yield Contestant("casino-day", "kernel", "roll-outs", "calls", _roll_out)


def _roll_out(hands: int) -> None:
    hole = np.array([DECK.index(parse_card(text)) for text in ROLLED_OUT], np.int8)
    roll_outs(hole, np.array([], np.int8), hands, 1)
