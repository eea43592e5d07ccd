"""Check a journal's presence: players act only while connected, leave only for a reason, and return only if let in."""

from collections.abc import Callable, Collection, Sequence

from dealer.audit.hands import Step, expect, require
from dealer.faults import Fault, FaultKind
from dealer.lobby.player import Player


class PresenceCheck:
    """Knows who is away, and whom the host removed or let in again. Its checks raise ValueError.

    Attributes:
        let_in: players who were let in again and have no seat yet, in the order of the host's words.
    """

    def __init__(self) -> None:
        #: Whether the dealer was started again and has played no hand since: absent players leave at that moment.
        self._resumed = False
        self._away: set[Player] = set()
        self._seen_away: dict[Player, int] = {}
        self._removed: dict[Player, str] = {}
        self.let_in: dict[Player, None] = {}
        self._hurried = False

    def away(self, player: Player, hand: int) -> None:
        """Note that a player lost its connection in a hand."""
        require(player not in self._away, f"{player.id!r} is away already")
        self._seen_away[player] = hand
        self._away.add(player)

    def back(self, player: Player, hand: int) -> None:
        """Note that a player came back in a hand."""
        self._seen_away[player] = hand
        self._away.discard(player)

    def is_away(self, player: Player) -> bool:
        """Whether a player lost its connection and has not come back."""
        return player in self._away

    def remove(self, player: Player, reason: str) -> None:
        """Note that the host removed a player."""
        self._removed[player] = reason

    def expect_again(self, player: Player) -> None:
        """Note that the host lets a player in again."""
        require(player.left is not None, f"{player.id!r} is still in, and cannot be let in again")
        self.let_in[player] = None

    def sit_down(self, player: Player) -> None:
        """Note that a player whom the host has let in is in the tournament again."""
        require(player in self.let_in, f"{player.id!r} was not let in again by the host")
        del self.let_in[player]
        self._removed.pop(player, None)
        self._seen_away.pop(player, None)
        self._away.discard(player)

    @property
    def not_yet_gone(self) -> dict[Player, str]:
        """Players the host removed, with the reason, who have not left yet."""
        return {player: reason for player, reason in self._removed.items() if player.left is None}

    def hurry(self) -> None:
        """Note that the dealer stops, and folds without a fault for players who think for long."""
        self._hurried = True

    def resume(self) -> None:
        """Note that the dealer was started again. It records all players who are away anew."""
        self._resumed = True
        self._hurried = False
        self._away.clear()

    def check_steps(self, players: Sequence[Player], steps: Sequence[Step], hand: int) -> None:
        """Check that the dealer acted only for faults and for absent players, and that no absent player answered.

        A player is absent who left in an earlier hand or for its last fault in this one, or is away. A dealer that
        stops acts for slow players, too.
        """
        self._resumed = False
        last_faults = {step.seat: place for place, step in enumerate(steps) if step.fault is not None}
        for place, step in enumerate(steps):
            player = players[step.seat]
            # A player who went away or came back in this very hand may have answered before, and not answered after.
            seen_away = self._seen_away.get(player) == hand
            left = player.left is not None and (
                player.left_in < hand or (player.left_in == hand and place > last_faults.get(step.seat, place))
            )
            absent = left or (player in self._away and not seen_away)
            if absent and not step.by_dealer:
                raise ValueError(f"seat {step.seat} answered, but its player was not there")
            if step.by_dealer and step.fault is None and not (absent or seen_away or self._hurried):
                raise ValueError(f"seat {step.seat} gave up its hand without a reply, a fault or an absence")

    @staticmethod
    def check_left(players: Sequence[Player], hand: int) -> None:
        """Check that players who left in this hand had the fault they left for, and that players without lives left."""
        for player in players:
            if player.left_in == hand:
                fault = player.left_for
                told = [(fault.kind, f"you are out: {fault.reason}") for fault in player.faults[-1:]]
                expect(f"last fault of {player.id!r}, who left", told, [(fault and fault.kind, player.left)])
            require(player.lives > 0 or player.left is not None, f"{player.id!r} has no life left and plays on")

    def check_leaves_between_hands(
        self, player: Player, fault: Fault | None, broke: Callable[[], Collection[Player]]
    ) -> None:
        """Check that a player who leaves between two hands cannot pay, was removed by the host, or stayed away.

        Args:
            player: who leaves.
            fault: for which it leaves; None for a player who cannot pay.
            broke: finds the players of its table who cannot pay.
        """
        if fault is not None and fault.kind is FaultKind.REMOVED:
            require(player in self._removed, f"{player.id!r} was not removed by the host")
        elif fault is None:
            require(player in broke(), f"{player.id!r} can pay for the next hand, and does not leave")
        else:
            absent = fault.kind is FaultKind.GONE and (player in self._away or self._resumed)
            require(absent, f"{player.id!r} was not away, and no hand was under way")
