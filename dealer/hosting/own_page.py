"""``casino page``: the projector's page and the host's of a dealer elsewhere, served by this process."""

import trio
from rich.console import Console

from dealer.cli.logs import configure_logs
from dealer.hosting.interrupts import open_interrupts
from dealer.web.admin.host_routes import PATH
from dealer.web.admin.remote_desk import find_place, find_token
from dealer.web.dealer_page import serve_dealer_page
from dealer.web.link import Place
from dealer.web.serving import PagePlace, addresses, listen


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
    configure_logs("warning")
    with trio.CancelScope() as showing:
        async with open_interrupts(showing.cancel):
            with await listen(page, console.print) as sock:
                pages, players = addresses(sock, page.host), dealer.host
                async with serve_dealer_page(
                    dealer, token, sock, pages, players=players, cockpit=True, elsewhere=players, say=console.print
                ):
                    console.print(f"For browsers, such as the projector's: {' or '.join(pages)}")
                    console.print(f"For the host:  {pages[0].rstrip('/')}{PATH}")
                    await trio.sleep_forever()
    return 0
