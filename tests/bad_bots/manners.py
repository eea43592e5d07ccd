"""Programs that speak unasked, do not listen, or leave."""

import trio

from tests.bad_bots.peer import Peer
from tests.bad_bots.replies import NAME


async def flood(peer: Peer) -> None:
    """Plays a first question, then sends replies without end, whether asked or not."""
    await peer.log_in(NAME)
    if await peer.hear_question():
        await peer.say("fold")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(peer.hear_out)
        while not peer.ended:
            await peer.send(peer.framing.encode("fold") * 1000)


async def answers_a_status(peer: Peer) -> None:
    """Thanks for the news."""
    await peer.log_in(NAME)
    while (text := await peer.hear()) is not None:
        if text.startswith("bet"):
            await peer.say("fold")
        elif text.startswith("status"):
            await peer.say("thanks")


async def leaves_when_asked(peer: Peer) -> None:
    """Hangs up on a question."""
    await peer.log_in(NAME)
    await peer.hear_question()
    await peer.stream.aclose()


async def leaves_while_waiting(peer: Peer) -> None:
    """Hangs up right after an answer."""
    await peer.log_in(NAME)
    await peer.hear_question()
    await peer.say("fold")
    await peer.stream.aclose()


async def breaks_the_connection(peer: Peer) -> None:
    """Ends with a reset instead of a goodbye, as a killed machine does."""
    await peer.log_in(NAME)
    await peer.hear_question()
    await peer.reset()


async def says_goodbye_first(peer: Peer) -> None:
    """Closes its sending half when asked; it could still hear."""
    await peer.log_in(NAME)
    await peer.hear_question()
    assert isinstance(peer.stream, trio.SocketStream)
    await peer.stream.send_eof()
    await peer.hear_out()


async def leaves_after_done(peer: Peer) -> None:
    """Folds every hand, and resets the connection on ``done:`` instead of closing it."""
    await peer.log_in(NAME)
    while (text := await peer.hear()) is not None and not text.startswith("done:"):
        if text.startswith("bet"):
            await peer.say("fold")
    await peer.reset()


async def stays_after_done(peer: Peer) -> None:
    """Folds every hand, and never closes its end."""
    await peer.log_in(NAME)
    while (text := await peer.hear()) is not None:
        if text.startswith("bet"):
            await peer.say("fold")
    await trio.sleep_forever()


async def never_reads(peer: Peer) -> None:
    """Logs in unseen and reads nothing that comes after."""
    await peer.log_in(NAME)
    await trio.sleep_forever()
