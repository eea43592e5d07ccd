"""All there is to see, in one place: who hosts writes it, the page reads it."""

from collections.abc import Callable
from dataclasses import dataclass

from dealer.journal.writer import Journal
from dealer.lobby.lobby import Lobby
from dealer.settings import Settings
from dealer.tournament.opening import Opening
from dealer.tournament.tournament import Tournament


@dataclass(eq=False, slots=True)
class Scene:
    """What a page can show of an evening. The host fills in what is not known at first.

    Attributes:
        opening: how the tournament begins; its lobby is all there is before.
        open_cards: whether hole cards are shown while the hand is played.
        addresses: where programs connect; none in a league, which starts its own.
        port: for programs that use writeUTF; None where nobody connects from elsewhere.
        line_port: for programs that send lines of text; None likewise.
        people_port: for people; None likewise.
        pages: where browsers find the page.
        page_port: its port; None without a page.
        tournament: once it has begun.
        journal: where it is recorded; None before that is open.
        listeners: counts the programs that listen to the feed; None where there is no feed.
    """

    opening: Opening
    open_cards: bool = False
    addresses: tuple[str, ...] = ()
    port: int | None = None
    line_port: int | None = None
    people_port: int | None = None
    pages: tuple[str, ...] = ()
    page_port: int | None = None
    tournament: Tournament | None = None
    journal: Journal | None = None
    listeners: Callable[[], int] | None = None

    @property
    def settings(self) -> Settings:
        """What is agreed."""
        return self.opening.settings

    @property
    def lobby(self) -> Lobby:
        """Who is here before the start."""
        return self.opening.lobby
