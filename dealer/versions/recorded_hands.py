"""The hands of a journal one by one, each with what it has in common with others of the same cards."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import NotStartedError, OptionError
from dealer.journal.records import read_journal
from dealer.lobby.player import Player
from protocol.games.game import Game
from protocol.suggestions import nearest


class RecordedHands:
    """A journal that is read once, through the rules.

    Args:
        path: of the journal.
        tell_place: called with the bytes read so far.

    Raises:
        JournalError: it cannot be read, or no tournament was started in it.
    """

    def __init__(self, path: Path, tell_place: Callable[[int], object]) -> None:
        self._rebuild = LedgerRebuild(path)
        self._records = read_journal(path, tell_place)
        start = next(self._records, None)
        if start is None:
            raise NotStartedError(path)
        self._rebuild.take(start)

    @property
    def game(self) -> Game:
        """What was played."""
        return self._rebuild.ledger.settings.game

    @property
    def players(self) -> Sequence[Player]:
        """Everybody, by number."""
        return self._rebuild.ledger.players

    @property
    def house_bots(self) -> Sequence[str]:
        """The house bots with which a league was started, by name; empty for other tournaments."""
        return getattr(self._rebuild.ledger.settings.origin, "bots", ())

    def __iter__(self) -> Iterator[tuple[Hashable, ReplayedHand]]:
        """Each hand with its deal: which is the same for hands with the same cards.

        Raises:
            JournalError: the journal is damaged, wrong or torn; all before that was yielded.
        """
        for record in self._records:
            hand = self._rebuild.take(record)
            if hand is not None:
                ledger = self._rebuild.ledger
                # The ledger has counted this hand, so the number is that of the next one.
                yield (hand.table, ledger.format.deck_number(ledger.seating.tables[hand.table])), hand


def find_player(name: str, players: Sequence[Player], flag: str) -> Player:
    """The player with this id, or the only one with this avatar.

    Raises:
        OptionError: there is none, or more than one.
    """
    found = [player for player in players if player.id == name] or [one for one in players if one.avatar == name]
    if not found:
        raise OptionError(f"{flag}: there is no player {name!r} in the journal; {_meant(name, players)}")
    if len(found) > 1:
        raise OptionError(f"{flag}: {len(found)} players have the avatar {name!r}; name one by its id")
    return found[0]


def _meant(name: str, players: Sequence[Player]) -> str:
    """The avatar or id that is most like a name, or all avatars."""
    known = {text.lower(): text for player in players for text in (player.id, player.avatar)}
    near = nearest(name, known)
    if near is None:
        return f"there are {', '.join(player.avatar for player in players)}"
    return f"did you mean {known[near]!r}?"
