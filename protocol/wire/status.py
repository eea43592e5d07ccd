"""How a ``status`` reads; the same in every game played with cards."""

from protocol.games.base import Status
from protocol.wire.memo import made_once


@made_once
def encode_status(status: Status) -> str:
    """``status:<win|lose|tie>:<winning cards>``, and where hole cards are turned up ``show:<seat>=<hole>...``."""
    result = "tie" if status.tied else "win" if status.won else "lose"
    text = f"status:{result}:{':'.join([card.text for card in status.cards])}"
    if not status.shown:
        return text
    return f"{text}:show:{':'.join([f'{seat}={card.text}' for seat, card in status.shown])}"
