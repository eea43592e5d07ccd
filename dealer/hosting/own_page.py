"""``casino page``: show what a dealer elsewhere plays, on a page that this process serves."""

import trio
from rich.console import Console

from dealer.hosting.interrupts import open_interrupts
from dealer.lobby.failed_logins import RefusalKind
from dealer.web.admin.remote_desk import find_place, find_token
from dealer.web.board import Board
from dealer.web.link import DealerLink, Place, game_of
from dealer.web.serving import PagePlace, serve_board


def find_dealer(address: str) -> tuple[Place, str]:
    """Where a dealer's feed is, and the token of its host, which the user may be asked for.

    Raises:
        OptionError: the address or the token cannot be used.
    """
    host, port = find_place(address, None)
    return Place(host, port), find_token()


async def show_page(dealer: Place, token: str, page: PagePlace) -> int:
    """Serve the page of a dealer elsewhere until the user interrupts, and return the exit code.

    Args:
        dealer: where its feed is.
        token: of its host.
        page: where this process serves the page.

    Raises:
        StreamError: there is no dealer, it refuses the token, or it plays a game that is not installed here.
        PortError: the page's port cannot be opened.
    """
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    board = Board(game_of)

    def note(peer: str, _: RefusalKind, reason: str, __: bytes) -> None:
        console.print(f"A program at {peer} connected to the page, and was told: {reason}")

    with trio.CancelScope() as showing:
        async with open_interrupts(showing.cancel):
            link = DealerLink(dealer, token, board, console.print)
            stream = await link.connect()
            async with serve_board(board, page, console.print, note, dealer=dealer.host):
                console.print(f"For browsers, such as the projector's: {' or '.join(board.pages)}")
                await link.follow(stream)
    return 0
