"""Blockhead Poker at the seat for a person."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from bots.human.game_seat import CoachPlan, GameSeat
from bots.human.narration import move, told
from bots.human.odds import Chances, count_chances
from bots.human.updates import SeatView, Spot
from bots.human.wire_view import WireTable
from protocol.cards import Card
from protocol.games.base import Bet
from protocol.games.blockhead import CARDS, BlockheadGame, BlockheadTurn, cards_value
from protocol.games.poker_strength import poker_strength
from protocol.games.ranks import of_a_kind

RULES = """\
One card in the hole, two up; bets; a third; bets; a fourth;
bets. A raise is 1 to 10 chips, three raises a street.
Ace 1, faces 10: the largest sum of five cards wins. Equal
cards leave the pot for the next hand. Debts are allowed."""


def in_words(game: BlockheadGame, cards: Sequence[Card]) -> str:
    """What three to five cards are worth."""
    if game.ranks == "poker" and len(cards) < CARDS:
        return of_a_kind(card.rank for card in cards)  # straights and flushes need all five
    return game.describe(cards)


def chances(spot: Spot, rng: Random) -> Chances:
    """The person's chances."""
    strength = poker_strength if spot.game.facts["ranks"] == "poker" else cards_value
    return count_chances(spot, rng, name=SEAT.in_words(spot.game, spot.own), size=CARDS, strength=strength)


class BlockheadWireTable(WireTable):
    """A hand of Blockhead at a dealer's table.

    A turn lists the bets of its street by seat, and the opponents' up cards from the left neighbour on. A seat that
    has folded is missing there, so an opponent is recognised by its first up card on later questions.
    """

    #: Bets of the street that were told already.
    _told = 0

    def _read(self, turn: BlockheadTurn, first: bool) -> list[str]:
        if first:
            self._told = 0
        players = len(turn.others) + 1
        if not self._views:
            self.me = int(self._agreed.get("seat", 0)) if self._agreed.get("players") == str(players) else 0
            self._views = [SeatView(f"seat {seat}", hidden=1) for seat in range(players)]
        known = {view.up[0]: seat for seat, view in enumerate(self._views) if view.up}
        still = {self.me}
        for step, cards in enumerate(turn.others, 1):
            seat = known.get(cards[0], (self.me + step) % len(self._views))
            self._views[seat] = replace(self._views[seat], up=cards)
            still.add(seat)
        self._seat_me(turn, (turn.hole,), turn.up)
        lines = self._read_bets(turn)
        for seat in {*range(len(self._views))} - still:
            self._fold(seat)
        return lines

    def _read_bets(self, turn: BlockheadTurn) -> list[str]:
        """The bets since the last question; nothing where a bet names a seat that is not known."""
        lines, highest, put = [], 0, dict.fromkeys(range(len(self._views)), 0)
        for number, (seat, amount) in enumerate(turn.bets):
            if seat not in put:
                return []
            owed = highest - put[seat]
            put[seat] += amount
            did = move(Bet(amount), owed, highest == 0)
            highest = max(highest, put[seat])
            if number >= self._told and seat != self.me:
                lines.append(told(self._views[seat].name, did, amount))
            self._views[seat] = replace(self._views[seat], note=did)
        self._told = len(turn.bets)
        return lines


def company(seats: int) -> tuple[str, ...]:
    """The bots with which the coach plays hands to their end; ``balance`` is quick between two players only."""
    return ("balance", "tight") if seats == 2 else ("tight", "alpha")


SEAT = GameSeat(RULES, 1, CARDS, in_words, chances, BlockheadWireTable, coach=CoachPlan("balance", company))
