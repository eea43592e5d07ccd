"""One table: deal a hand, ask whose turn it is, settle, tell everybody."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import structlog

from dealer.faults import Fault, FaultKind, SeatLost
from dealer.journal import FOLDED, Journal
from dealer.player import Player
from protocol.games.base import Action, Bet, Hand, IllegalAction, Settlement
from protocol.games.match import Match
from protocol.shuffle import shuffled_deck

log = structlog.get_logger()


@dataclass(slots=True)
class HandRecord:
    """What happened in the hand under way, as the journal will tell it."""

    actions: list[tuple[int, int, int | None]] = field(default_factory=list)
    faults: list[tuple[int, str, str]] = field(default_factory=list)


class PlayedHand(NamedTuple):
    """A finished hand: who was dealt in by seat, the actions as the journal tells them, and how it was settled."""

    players: list[Player]
    actions: list[tuple[int, int, int | None]]
    pot: int
    settlement: Settlement


class Table:
    """Players around a match, and the decks they get.

    Attributes:
        hand_number: of the hand under way, or of the last one; the first hand is 1.
        stacks_before: chips of every player before that hand.
        observe: called with every hand once it is recorded; None if nobody looks.

    Args:
        number: of the table, from 0.
        match: who is dealt in with how many chips, in the order of ``players``.
        players: everybody who sat down here.
        seed: of the tournament.
        journal: where every hand is written before anyone hears its result.
        throw_out: called at once with a player whose last life a fault took.
    """

    def __init__(
        self,
        number: int,
        match: Match,
        players: list[Player],
        seed: bytes,
        journal: Journal,
        throw_out: Callable[[Player, str], None],
    ) -> None:
        self.number = number
        self.match = match
        self.players = players
        self.hand_number = 0
        self.stacks_before = match.stacks
        self._seed = seed
        self._journal = journal
        self._throw_out = throw_out
        self.observe: Callable[[PlayedHand], None] | None = None

    async def play_hand(self) -> None:
        """One hand from ante to payoff: played, recorded, and only then told."""
        self.hand_number += 1
        self.stacks_before = self.match.stacks
        seated = [self.players[index] for index in self.match.seated]
        hand = self.match.deal(shuffled_deck(self._seed, self.number, self.hand_number))
        record = HandRecord()
        while (seat := hand.to_act) is not None:
            hand = await self._decide(hand, seat, seated[seat], record)
        settlement = hand.settle()
        self._journal.record(
            "hand",
            table=self.number,
            hand=self.hand_number,
            players=self.match.seated,
            stacks=hand.starting,
            actions=record.actions,
            faults=record.faults,
            payoffs=settlement.payoffs,
        )
        self.match = self.match.record(settlement)
        if self.observe:
            self.observe(PlayedHand(seated, record.actions, hand.pot, settlement))
        for player, status in zip(seated, settlement.statuses(), strict=True):
            player.hands_won += status.won
            if player.left is None:
                player.seat.tell(status)

    async def _decide(self, hand: Hand, seat: int, player: Player, record: HandRecord) -> Hand:
        """The hand after the player's answer, or after a fold if no acceptable answer came."""
        if player.left is None:
            try:
                action = await player.seat.ask(hand.view(seat))
                after = hand.apply(action)
            except SeatLost as lost:
                self._fault(player, seat, lost.fault, lost.connected, record)
            except IllegalAction as illegal:
                self._fault(player, seat, Fault(FaultKind.ILLEGAL, str(illegal)), True, record)
            else:
                seconds = player.seat.reply_seconds
                player.reply_times.add(seconds)
                record.actions.append((seat, _chips(action), int(seconds * 1e6)))
                return after
        record.actions.append((seat, FOLDED, None))
        return hand.concede()

    def _fault(self, player: Player, seat: int, fault: Fault, connected: bool, record: HandRecord) -> None:
        player.faults.append(fault)
        player.lives -= 1
        record.faults.append((seat, fault.kind.value, fault.reason))
        log.warning("fault", player=player.id, avatar=player.avatar, kind=fault.kind.value, reason=fault.reason)
        if player.lives <= 0 or not connected:
            self._throw_out(player, fault.reason)


def _chips(action: Action) -> int:
    return action.amount if isinstance(action, Bet) else FOLDED
