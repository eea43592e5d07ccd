"""Tell the people at a table what a person there would see of a hand, beside their questions."""

from collections.abc import Sequence
from itertools import islice

from msgspec import structs

from dealer.audit.hands import ReplayedHand, play_again
from dealer.ledger.played_hand import PlayedHand
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from dealer.telling.seen_hand import SeenHand, seen_hand
from protocol.events import Acted, AtTable, Dealt, StreetDealt
from protocol.games.game import Game
from protocol.person_events import HandSeen, Seated, SeatSeen, person_text


class PeopleAtHand:
    """Tells people one hand, event by event.

    Whoever comes back on another connection is told the hand from its beginning, before anything else.

    Args:
        players: who are dealt in, by seat. People among them are told, and programs are not.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self._players = players
        self._dealt: Dealt | None = None
        self._texts: list[str] = []  # of the events after the deal
        self._deaf: set[Seat] = set()  # connections that do not read
        self._told: dict[Player, tuple[Seat, int]] = {}  # the connection, and how many of the texts it was told

    def hear(self, event: AtTable) -> None:
        """Tell everybody the next event of the hand."""
        match event:
            case Dealt():
                self._dealt = event
            case StreetDealt() | Acted():
                self._texts.append(person_text(event.public()))
        for player in self._players:
            self.catch_up(player)

    def catch_up(self, player: Player) -> None:
        """Tell a player what was not told yet, and all of it on a new connection.

        Nothing is told to a player who is not dealt in, or is out: whoever is let in again waits for another hand. A
        connection that does not read is told no more of this hand, since nobody could follow it with pieces missing.
        """
        connection = player.seat
        if connection is None or not connection.watches or player not in self._players or self._dealt is None:
            return
        if player.left is not None or connection in self._deaf:
            return
        heard, count = self._told.get(player, (None, 0))
        texts = [*islice(self._texts, count if heard is connection else 0, None)]
        if heard is not connection:
            texts = [*self._beginning(self._dealt, self._players.index(player)), *texts]
        if not all(map(connection.tell_news, texts)):
            self._deaf.add(connection)
        self._told[player] = connection, len(self._texts)

    def _beginning(self, dealt: Dealt, seat: int) -> tuple[str, str]:
        """Who plays, and the deal with the seat's own cards."""
        names = tuple([player.avatar for player in self._players])
        own = tuple([hole if other == seat else () for other, hole in enumerate(dealt.holes or ())])
        return (
            person_text(Seated(dealt.table, dealt.hand, names, seat)),
            person_text(structs.replace(dealt, holes=own)),
        )

    def end(self, played: PlayedHand, game: Game, everybody: Sequence[Player]) -> None:
        """Tell how the hand ended; ``everybody`` plays in the tournament, by number. Call it when it is recorded."""
        steps, _ = play_again(played.deal.begin(game), played.record)
        replayed = ReplayedHand.of(played, steps, everybody)
        for seat, player in enumerate(self._players):
            self.catch_up(player)
            connection, _ = self._told.get(player, (None, 0))
            if connection is not None and connection is player.seat and connection not in self._deaf:
                connection.tell_news(person_text(_seen(seen_hand(replayed, game, seat, end_only=True))))


def _seen(hand: SeenHand) -> HandSeen:
    cards = {told.seat: told for told in hand.told}
    won = {part.seat: part for part in hand.collected}
    seats = []
    for shown in hand.seats:
        told, part = cards.get(shown.seat), won.get(shown.seat)
        seats.append(
            SeatSeen(
                told.cards if told else (),
                told.worth if told else "",
                part.chips if part else 0,
                part.why if part else "",
                shown.after,
            )
        )
    return HandSeen(hand.table, hand.hand, hand.pot, hand.carried, tuple(seats))
