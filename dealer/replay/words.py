"""What cards are worth, and what a part of the pot was for, in words."""

from collections.abc import Mapping, Sequence

from protocol.cards import Card, Rank, Suit
from protocol.games.blockhead import BlockheadGame, cards_value
from protocol.games.game import Game
from protocol.games.ranks import five_card_strength, three_card_strength

_RANKS = {rank: rank.name.lower() for rank in Rank}
_POKER = (
    "high card",
    "a pair",
    "two pair",
    "three of a kind",
    "a straight",
    "a flush",
    "a full house",
    "four of a kind",
    "a straight flush",
)
"""By the first byte of ``five_card_strength``."""

LAST_ONE_IN = "the only one left"

Told = Mapping[int, Sequence[Card]]
"""The whole cards of seats, hole card first."""


def worth(game: Game, cards: Sequence[Card]) -> str:
    """What a whole hand of cards is worth at a showdown of this game."""
    if not isinstance(game, BlockheadGame):
        return _three_cards(three_card_strength(cards))
    if game.ranks == "poker":
        return _POKER[five_card_strength(cards) >> 40]
    return f"sum {cards_value(cards)}"


def _three_cards(strength: int) -> str:
    kind, rank = strength >> 12, Rank(strength >> 8 & 15)
    if kind == 0:
        return f"{_RANKS[rank]} high"
    return f"{'three' if kind == 2 else 'a pair of'} {_plural(rank)}"


def _plural(rank: Rank) -> str:
    return "sixes" if rank is Rank.SIX else f"{_RANKS[rank]}s"


def reasons(game: Game, live: Sequence[int], shares: Sequence[int], told: Told, best: int) -> dict[int, str]:
    """Why each seat that collected something did, as far as the cards that are ``told`` show it.

    Args:
        game: what was played.
        live: seats that had not given up.
        shares: chips each seat collected.
        told: see above.
        best: the seat whose cards everybody was told.
    """
    collectors = [seat for seat, share in enumerate(shares) if share]
    if len(live) == 1:
        return dict.fromkeys(collectors, LAST_ONE_IN)
    if isinstance(game, BlockheadGame):
        return dict.fromkeys(collectors, "best cards" if len(collectors) == 1 else "equal best cards")
    if not told.keys() >= set(live):
        return {seat: _from_afar(seat == best) for seat in collectors}
    return {seat: _in_stud(seat, told, live) for seat in collectors}


def _from_afar(is_best: bool) -> str:
    """Stud tells one hand; the other half of a pot shows no card."""
    return "best cards" if is_best else "equal cards or highest spade"


def _in_stud(seat: int, told: Told, live: Sequence[int]) -> str:
    strengths = {other: three_card_strength(told[other]) for other in live}
    best = [other for other in live if strengths[other] == max(strengths.values())]
    spade = max((told[other][0] for other in live if told[other][0].suit is Suit.SPADES), default=None)
    if seat not in best:
        return "highest spade in the hole"
    return ("best cards" if len(best) == 1 else "equal best cards") + (" and highest spade" * (told[seat][0] == spade))
