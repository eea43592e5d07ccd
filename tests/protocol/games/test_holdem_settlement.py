"""Who is told of a win and who of a tie, where a hand of hold'em has one pot or more."""

import pytest

from protocol.cards import parse_cards
from protocol.games.holdem_settlement import Pots, Showdown

HOLES = {0: parse_cards("AS AH"), 1: parse_cards("AD AC"), 2: parse_cards("KS KH")}
BOARD = parse_cards("2C 7D 9H JS 3D")


@pytest.mark.parametrize(
    ("pots", "ties", "shares"),
    [
        (((30, (0, 2)),), (), (30, 0, 0)),
        (((30, (0, 1, 2)),), (0, 1), (15, 15, 0)),
        (((30, (0, 1, 2)), (20, (1, 2))), (0,), (15, 35, 0)),
        (((31, (0, 1, 2)), (20, (0, 1))), (0, 1), (25, 26, 0)),
    ],
)
def test_seats_with_parts_of_pots_only_are_told_of_a_tie(
    pots: Pots, ties: tuple[int, ...], shares: tuple[int, ...]
) -> None:
    settlement = Showdown(HOLES, BOARD, pots, 1, None).settlement((100, 100, 100), (50, 50, 50))
    assert settlement.ties == ties
    assert settlement.shares == shares
    assert settlement.payoffs == tuple(share - 50 for share in shares)
