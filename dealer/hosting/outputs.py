"""What one run of a tournament shows and writes: its console, journal, page and feed, as its flags say."""

import sys
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from dealer.cli.flag_types import PAGE_PORT
from dealer.cli.flags import PageFlags, RunFlags
from dealer.cli.output import complain
from dealer.desk.desk import Desk, open_desk
from dealer.errors import LostRecordsError
from dealer.feed.feed import Feed
from dealer.feed.port import OpenFeed, open_feed
from dealer.hosting.control import host_at_terminal
from dealer.hosting.progress import ask_for_next, stay_until_told
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal, open_journal
from dealer.tournament.opening import Opening
from dealer.tournament.scene import Scene

#: Bytes of the megabytes that ``--journal-limit`` counts.
MEGABYTE = 10**6


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where one run of a tournament is shown and recorded.

    Attributes:
        console: for the host.
        run: the flags for journal, feed and results.
        page: the flags for the page.
        page_port: of the page before the tournament was resumed; None if there was none.
    """

    console: Console
    run: RunFlags
    page: PageFlags
    page_port: int | None = None

    def say(self, text: str) -> None:
        """Print a line for the host exactly as it is: names and paths may look like markup."""
        self.console.print(text, highlight=False, markup=False, emoji=False, soft_wrap=True)

    def scene(self, opening: Opening) -> Scene:
        """What can be watched of the run, before its tournament begins."""
        return Scene(opening, self.page.open_cards, message=opening.message, log_steps=self.run.log_level == "debug")

    @asynccontextmanager
    async def open_journal(self, scene: Scene, file: AppendFile | None, feed: Feed | None) -> AsyncIterator[Journal]:
        """Record the tournament of the scene, and tell it on the feed, while the block runs.

        A host who stops at once while the disk is full is told which records are lost, and still gets the results.

        Args:
            scene: which is told its journal.
            file: where records go; None records nothing.
            feed: None if there is none.
        """
        try:
            async with open_journal(file, self.say, self.run.journal_limit * MEGABYTE, self.run.sync) as journal:
                scene.journal = journal
                async with nullcontext() if feed is None else feed.telling(journal):
                    yield journal
        except LostRecordsError as lost:
            complain(lost)

    def owned(self, file: AppendFile | None) -> AbstractContextManager[object]:
        """Closes ``file`` behind the block, also if what comes before the first record fails."""
        return nullcontext() if file is None else closing(file)

    @asynccontextmanager
    async def open_stream(self, scene: Scene, host: str, roster: Path | None = None) -> AsyncIterator[Feed | None]:
        """Tell what happens on the feed and on the page while the block runs; None where there is to be neither.

        Args:
            scene: what is told.
            host: the local address of both.
            roster: the names of the class, for reports.

        Raises:
            PortError: a port cannot be opened.
        """
        public, page = self.run.feed_port, not self.page.no_page
        if public is None and not page:
            yield None
            return
        async with (
            open_desk(scene, roster) if page else nullcontext() as desk,
            open_feed(scene, host, public, desk) as feed,
            nullcontext() if desk is None else self._open_page(scene, host, feed, desk),
        ):
            if feed.port is not None:
                scene.feed_port = feed.port
                scene.listeners = lambda: len(feed.feed.subscribers)
                self.say(f"The spectator feed for programs: port {feed.port}")
            yield feed.feed

    @asynccontextmanager
    async def _open_page(self, scene: Scene, host: str, feed: OpenFeed, desk: Desk) -> AsyncIterator[None]:
        """Serve the page while the block runs, and tell the host of it."""
        # Imported here because they take half a second, which only a run with a page should pay.
        from dealer.hosting.page_process import open_page  # noqa: PLC0415
        from dealer.web.admin.host_routes import PATH  # noqa: PLC0415
        from dealer.web.serving import PagePlace  # noqa: PLC0415

        scene.desk = self.page.desk
        place = PagePlace(host, self.page.page_port, self.page_port or PAGE_PORT, was_served=self.page_port is not None)
        async with open_page(scene, place, self.say, feed, desk, self.run.log_level):
            if scene.desk:
                self.say(f"For the host:  {scene.pages[0].rstrip('/')}{PATH}")
                new = "" if scene.opening.wanted is None else " (a new one; the one from before no longer works)"
                self.say(f"desk token{new}, shown only here and now: {desk.token.text}")
            yield

    async def stay(self, scene: Scene, *, again: bool = False) -> bool:
        """Keep the page up at a terminal, until the host ends it, so that a class can see the podium.

        Without a page the host is only asked for another tournament, unless the host has ended this one early.

        Args:
            scene: what the page shows.
            again: whether the host can have another tournament.

        Returns:
            Whether the host wants another one; it may be that the desk has asked for it during play.
        """
        if scene.tournament is None or not scene.tournament.ended:
            return False
        asked, at_terminal = scene.next_asked, sys.stdin is not None and sys.stdin.isatty()
        if asked.is_set() or self.run.json:
            return asked.is_set()
        if at_terminal and not self.page.no_page:
            await stay_until_told(self.say, asked if again else None)
        elif again and host_at_terminal(self.console) and not scene.tournament.stopping:
            await ask_for_next(self.say, asked)
        return asked.is_set()


def kept_journal(file: AppendFile | None) -> Path | None:
    """The path of the journal; None if there is none, or nothing could be written to it."""
    return file.path if file and file.size else None
