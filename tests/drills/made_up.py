"""Messages that hypothesis makes up. Apart from ``frames``, so that attackers need not wait for hypothesis."""

from hypothesis import HealthCheck, Phase, given, settings

from protocol.wire.codec import encode
from tests.protocol.strategies import commands, replies, texts

#: Of each sort; mutations make many of each.
EXAMPLES = 300


def made_up_texts() -> list[str]:
    """Messages of both directions, and any text at all, as hypothesis makes them: the same in every run."""
    made: list[str] = []

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(texts, commands.map(encode), replies.map(encode))
    def collect(text: str, command: str, reply: str) -> None:
        made.extend((text, command, reply))

    collect()
    return made
