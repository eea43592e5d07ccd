"""A journal played again: every hand from seed and actions alone."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dealer.journal import FOLDED
from protocol.games.base import FOLD, Bet
from protocol.games.stud import deal
from protocol.shuffle import shuffled_deck

Record = Mapping[str, Any]


def refold(records: Iterable[Record]) -> Iterator[tuple[Record, tuple[int, ...]]]:
    """Each hand's record, and the payoffs that the rules give its actions on its deck."""
    start, *rest = records
    for record in rest:
        if record["type"] != "hand":
            continue
        hand = deal(shuffled_deck(start["seed"], record["table"], record["hand"]), record["stacks"], start["ante"])
        for seat, chips, _ in record["actions"]:
            assert hand.to_act == seat
            hand = hand.apply(FOLD if chips == FOLDED else Bet(chips))
        assert hand.to_act is None
        yield record, hand.settle().payoffs
