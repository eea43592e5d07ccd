"""Chances against the rules themselves: every deal of the unseen cards is settled by the game, and counted."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import get_args

import pytest

from bots.human import odds
from bots.human.game_seat import load_seat
from bots.human.odds import Chances
from bots.human.updates import Spot
from protocol.cards import DECK, Card, parse_cards
from protocol.games import blockhead, stud
from protocol.games.base import Bet, Hand
from protocol.games.ranks import three_card_strength

STUD = stud.StudGame()
PAIR_OF_TENS = Spot(
    STUD, parse_cards("KS 10D 10S"), (parse_cards("2C 3C"), parse_cards("KH KD")), parse_cards("AS"), 24, 6
)


def chances(spot: Spot, rng: Random) -> Chances:
    return load_seat(spot.game.name).chances(spot, rng)


def unseen(spot: Spot) -> list[Card]:
    seen = {*spot.own, *spot.gone, *(card for up in spot.others for card in up)}
    return [card for card in DECK if card not in seen]


def settled_stud(spot: Spot) -> Iterator[tuple[Hand, Sequence[Card]]]:
    """Every deal of the opponents' hole cards, checked through to the end."""
    for holes in permutations(unseen(spot), len(spot.others)):
        cards = [*spot.own]
        for hole, up in zip(holes, spot.others, strict=True):
            cards += [hole, *up]
        rest = [card for card in DECK if card not in cards]
        hand = stud.deal([*cards, *rest], [100] * (1 + len(spot.others)), ante=30)
        while hand.to_act is not None:
            hand = hand.apply(Bet(0))
        yield hand, holes


def test_chances_of_stud_equal_settled_deals() -> None:
    deals = shares = best = spades = 0
    for hand, holes in settled_stud(PAIR_OF_TENS):
        deals += 1
        shares += hand.settle().shares[0]
        mine = three_card_strength(PAIR_OF_TENS.own)
        pairs = zip(holes, PAIR_OF_TENS.others, strict=True)
        best += all(three_card_strength((hole, *up)) < mine for hole, up in pairs)
        spades += max([PAIR_OF_TENS.own[0], *(hole for hole in holes if hole.text[-1] == "S")]) == PAIR_OF_TENS.own[0]
    counted = chances(PAIR_OF_TENS, Random(1))
    assert counted.best == pytest.approx(best / deals)
    assert counted.side == pytest.approx(spades / deals)
    assert counted.share == pytest.approx(shares / deals / 90)
    assert (counted.error, counted.tied, counted.name) == (0, 0, "a pair of tens")
    assert counted.price == pytest.approx(6 / 30)


def test_chances_with_a_tie_and_no_spade() -> None:
    spot = Spot(STUD, parse_cards("KH 10D 9C"), (parse_cards("10H 9D"),))
    shares = [hand.settle().shares[0] / hand.pot for hand, _ in settled_stud(spot)]
    counted = chances(spot, Random(1))
    assert counted.tied == pytest.approx(3 / 47)  # kings in the hole of the other
    assert counted.share == pytest.approx(sum(shares) / len(shares))


@pytest.mark.parametrize("ranks", get_args(blockhead.Ranks))
def test_chances_of_blockhead_equal_settled_deals(ranks: blockhead.Ranks) -> None:
    game = blockhead.BlockheadGame(ranks=ranks)
    spot = Spot(game, parse_cards("KS 10D 3C 4C 5C"), (parse_cards("2C 9H 9D 8D"),))
    deals = shares = 0.0
    for (hole,) in permutations(unseen(spot), 1):
        cards = [*spot.own, hole, *spot.others[0]]
        rest = [card for card in DECK if card not in cards]
        hand = blockhead.deal([*cards, *rest], [100, 100], last=True, ranks=ranks)
        while hand.to_act is not None:
            hand = hand.apply(Bet(0))
        deals += 1
        shares += hand.settle().shares[0] / hand.pot
    counted = chances(spot, Random(1))
    assert counted.share == pytest.approx(shares / deals)
    assert counted.side is None


def test_drawn_deals_are_close_to_exact_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    spot = Spot(STUD, parse_cards("KS 10D"), (parse_cards("2C"),))
    exact = chances(spot, Random(1))
    assert exact.error == 0
    monkeypatch.setattr(odds, "EXACT_DEALS", 0)
    drawn = chances(spot, Random(1))
    assert drawn.error > 0
    assert drawn.best == pytest.approx(exact.best, abs=0.02)
    assert drawn.side == pytest.approx(exact.side, abs=0.02)
    assert drawn.share == pytest.approx(exact.share, abs=0.02)


def test_folded_cards_are_out_of_the_deck() -> None:
    spot = Spot(STUD, parse_cards("KS 10D 10S"), (parse_cards("2C 3C"),))
    assert chances(spot, Random(1)).side == pytest.approx(46 / 47)  # only the ace of spades is higher
    without = Spot(STUD, spot.own, spot.others, parse_cards("AS"))
    assert chances(without, Random(1)).side == 1
