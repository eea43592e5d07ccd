"""What the dealer itself tells players of a hand whose worker has died: how it ended, or that it is void.

Their seats are here again. What a program knows already of that hand, it was told by the worker.
"""

from collections.abc import Iterable, Sequence

from dealer.audit.hands import play_so_far, with_hands_after
from dealer.ledger.deal import Deal
from dealer.ledger.played_hand import PlayedHand
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from dealer.settings import Settings
from dealer.tournament.following import FollowedHand
from protocol.games.base import FOLD, Action, Hand


def tell_results(
    settings: Settings, played: PlayedHand, players: Sequence[Player], seats: Sequence[Seat | None]
) -> None:
    """Tell the players of a finished hand how it ended.

    Args:
        settings: of the tournament.
        played: the hand; what its settlement does not tell follows from its record.
        players: who were dealt in, by seat.
        seats: their connections when the hand ended. Who has come back since on another one is told nothing; who left
            because of this hand is still told, before the reason for that.
    """
    steps, last = play_so_far(played.deal.begin(settings.game), played.record)
    settlement = last.settle()
    whole = played._replace(settlement=settlement)
    acts = [(step.seat, step.action or FOLD, hand) for step, hand in with_hands_after(steps, last)]
    followed = _followed(settings, played.deal, players, acts)
    told = enumerate(zip(players, seats, settlement.statuses(), strict=True))
    for seat, (player, connection, status) in told:
        if connection is not None and player.seat in (connection, None) and not connection.said_done:
            if followed is not None:
                followed.tell_end(whole, seat, connection)
            if status is not None:
                connection.tell(status)


def tell_void(settings: Settings, deal: Deal, players: Sequence[Player]) -> None:
    """Tell the players of a hand that does not count that it is over: programs count on it.

    Programs that are told every action see all seats fold.
    """
    hand = deal.begin(settings.game)
    statuses = settings.game.void_statuses(hand)
    acts: list[tuple[int, Action, Hand]] = []
    while (seat := hand.to_act) is not None:
        hand = hand.concede()
        acts.append((seat, FOLD, hand))
    followed = _followed(settings, deal, players, acts)
    for seat, (player, status) in enumerate(zip(players, statuses, strict=True)):
        if player.seat is not None:
            if followed is not None:
                followed.tell_void(seat, player.seat)
            if status is not None:
                player.seat.tell(status)


def _followed(
    settings: Settings, deal: Deal, players: Sequence[Player], acts: Iterable[tuple[int, Action, Hand]]
) -> FollowedHand | None:
    """The hand as programs of the ACPC are told it, after these actions; None where there are no such programs."""
    if settings.acpc is None:
        return None
    followed = FollowedHand(settings.game, deal, deal.begin(settings.game), players)
    for seat, action, after in acts:
        followed.act(seat, action, after)
    return followed
