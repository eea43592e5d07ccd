"""Programs that are asked and do not answer as they should."""

from collections.abc import Callable

from tests.bad_bots.peer import Peer

NAME = "bad:Bad"


async def _answer_once(peer: Peer, reply: bytes) -> None:
    """Send ``reply`` to the first question, then only listen."""
    await peer.log_in(NAME)
    if await peer.hear_question():
        await peer.send(reply)
    await peer.hear_out()


async def late(peer: Peer) -> None:
    """Never answers."""
    await _answer_once(peer, b"")


async def half_a_frame(peer: Peer) -> None:
    """Announces six bytes, and sends three."""
    await _answer_once(peer, b"\0\6bet")


async def trickling(peer: Peer) -> None:
    """Answers a byte every 0.3 seconds: never silent for long, and not done in a second."""
    await peer.log_in(NAME)
    await peer.hear_question()
    await peer.trickle("bet:0")


async def quits(peer: Peer) -> None:
    """Says that it leaves."""
    await _answer_once(peer, peer.framing.encode("quit"))


async def malformed(peer: Peer) -> None:
    """Answers in words of its own."""
    await _answer_once(peer, peer.framing.encode("call"))


async def oversized(peer: Peer) -> None:
    """Sends lines to the port for frames: the first two letters announce 25189 bytes."""
    await _answer_once(peer, b"bet:0\n")


async def no_modified_utf8(peer: Peer) -> None:
    """Sends an emoji as plain UTF-8."""
    await _answer_once(peer, b"\0\4\xf0\x9f\x98\x80")


async def answers_twice(peer: Peer) -> None:
    """Sends its reply, and sends it again."""
    await _answer_once(peer, peer.framing.encode("fold") * 2)


async def _bet_wrongly(peer: Peer, amount: Callable[[int, int], int], least_owed: int = 0) -> None:
    """Bet ``amount(stack, owed)`` as soon as ``least_owed`` is owed; call until then."""
    await peer.log_in(NAME)
    while (fields := await peer.hear_question()) is not None:
        stack, owed = int(fields[1]), int(fields[3])
        await peer.say(f"bet:{amount(stack, owed) if owed >= least_owed else owed}")


async def bets_too_little(peer: Peer) -> None:
    """Bets a chip less than it owes."""
    await _bet_wrongly(peer, lambda _stack, owed: owed - 1, least_owed=1)


async def bets_too_much(peer: Peer) -> None:
    """Raises by eleven."""
    await _bet_wrongly(peer, lambda _stack, owed: owed + 11)


async def bets_beyond_its_stack(peer: Peer) -> None:
    """Bets a chip more than it has."""
    await _bet_wrongly(peer, lambda stack, _owed: stack + 1)
