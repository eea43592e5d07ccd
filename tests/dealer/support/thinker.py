"""A program that thinks for a while in one hand."""

from dataclasses import dataclass

import trio

from tests.bad_bots.peer import Peer


@dataclass(frozen=True)
class Thinker:
    """Calls, but takes so many seconds for each reply of a hand, which it counts from 1."""

    hand: int
    seconds: float

    async def __call__(self, peer: Peer) -> None:
        await peer.log_in("slow:Slow")
        hand = 1
        while (text := await peer.hear()) is not None:
            hand += text.startswith("status")
            if text.startswith("bet"):
                await trio.sleep(self.seconds if hand == self.hand else 0)
                await peer.say(f"bet:{text.split(':')[3]}")
