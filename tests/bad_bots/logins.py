"""Programs that cannot log in."""

from tests.bad_bots.peer import Peer


async def _log_in_as(peer: Peer, name: str) -> None:
    await peer.log_in(name)
    await peer.hear_out()


async def bad_id(peer: Peer) -> None:
    """Has a blank in its id."""
    await _log_in_as(peer, "no id:Bad")


async def no_avatar(peer: Peer) -> None:
    """Sends an id alone."""
    await _log_in_as(peer, "bad")


async def duplicate_id(peer: Peer) -> None:
    """Says it is the first player."""
    await _log_in_as(peer, "good-1:Bad")


async def not_on_the_roster(peer: Peer) -> None:
    """Is not expected."""
    await _log_in_as(peer, "stranger:Bad")


async def says_nothing(peer: Peer) -> None:
    """Connects and sends nothing, as a person with telnet does."""
    await peer.hear_out()


async def browser(peer: Peer) -> None:
    """Speaks another protocol."""
    await peer.send(b"GET / HTTP/1.1\r\nHost: casino\r\n\r\n")
    await peer.hear_out()


async def hangs_up(peer: Peer) -> None:
    """Only looks whether the port is open."""
    await peer.stream.aclose()


async def trickles(peer: Peer) -> None:
    """Says its name a byte every 0.3 seconds, and never gets to the end."""
    await peer.hear()
    await peer.trickle("bad:" + "Bad" * 9)
