"""Tell the programs of the ACPC at a table everything that happens there, action by action."""

from collections.abc import Sequence

from dealer.ledger.deal import Deal
from dealer.ledger.played_hand import PlayedHand
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from protocol.games.base import Action, Hand
from protocol.games.game import Game
from protocol.wire.acpc import HandText
from protocol.wire.text import load_text


class FollowedHand:
    """One hand, and the players who are dealt in; those whose programs follow it are told each of its states.

    Args:
        game: what is played, which must have a text for programs of the ACPC.
        deal: of the hand.
        hand: before its first action.
        players: who are dealt in, by seat.
    """

    def __init__(self, game: Game, deal: Deal, hand: Hand, players: Sequence[Player]) -> None:
        text = load_text(game.name).acpc
        assert text is not None, f"{game.name} has no text for programs of the ACPC"
        self._text = HandText(text, text.sized(game), hand, deal.number - 1, len(deal.match.stacks))
        self._players = players

    def act(self, seat: int, action: Action, after: Hand) -> None:
        """Note an action, which ``tell`` then tells."""
        self._text.act(seat, action, after)

    def tell(self) -> None:
        """Tell everybody who follows how the hand stands. It is sent with the next question, or soon after."""
        for seat, player in enumerate(self._players):
            connection = player.seat
            if connection is not None and connection.follows:
                connection.tell(self._text.shown(seat))

    def tell_end(self, played: PlayedHand, seat: int, connection: Seat) -> None:
        """Tell one player how the hand ended, if its program follows hands."""
        if connection.follows:
            shown = [other for other, _ in played.settlement.shown]
            connection.tell(self._text.shown_at_end(seat, shown))
