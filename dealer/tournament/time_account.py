"""The time that each program of the ACPC has for all its answers together, agreed as an average a hand."""

from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord
from dealer.lobby.player import Player
from dealer.net.seat import TimeLeft
from protocol.plurals import counted


def time_allowed(ledger: Ledger) -> float | None:
    """Seconds that the answers of a program of the ACPC may take in a whole tournament; None without such a limit.

    The competition's rule: the average a hand, times the hands that are played.
    """
    acpc = ledger.settings.acpc
    if acpc is None or acpc.average is None:
        return None
    return acpc.average * hands_of_player(ledger)


def hands_of_player(ledger: Ledger) -> int:
    """Hands that a player who is dealt in each time plays in all rounds, at most."""
    games = max((table.games for table in ledger.seating.round_tables), default=0)
    return ledger.settings.hands * games * ledger.seating.rounds


class TimeAccount:
    """What each player has left of that time.

    Args:
        seconds: that the answers of each may take.
        hands: over how many hands.
        average: seconds a hand that this is.
    """

    def __init__(self, seconds: float, hands: int, average: float) -> None:
        self._seconds = seconds
        self._rule = (
            f"the {seconds:g} s that the answers of a player may take over {counted(hands, 'hand')},"
            f" {average:g} s a hand on average"
        )

    @classmethod
    def of(cls, ledger: Ledger) -> "TimeAccount | None":
        """The account of a tournament as its ledger tells it; None if time is not limited so."""
        seconds, acpc = time_allowed(ledger), ledger.settings.acpc
        if seconds is None or acpc is None or acpc.average is None:
            return None
        return cls(seconds, hands_of_player(ledger), acpc.average)

    def left(self, player: Player, seat: int, record: HandRecord) -> TimeLeft:
        """What a player has left before its next answer in a hand; its record tells what it used in that hand."""
        microseconds = sum(took or 0 for other, _, took in record.actions if other == seat)
        return TimeLeft(self._seconds - player.reply_times.total - microseconds / 1e6, self._rule)
