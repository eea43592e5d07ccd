"""Hands that were played in two ways, as one HTML file in which both are stepped through side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from dealer.audit.hands import ReplayedHand
from dealer.replayer.document import document_of_two
from dealer.replayer.frames import HandFrames
from dealer.replayer.packing import PackedText, packed_end, packed_hand, to_json
from dealer.replayer.recording import SECONDS, Names, index_entry, scene_facts, told_hand
from protocol.games.game import Game


@dataclass(frozen=True, slots=True)
class Pair:
    """A hand that was played in two ways.

    Attributes:
        left, right: the hand in each.
        label: what the list of hands says of it.
        place: the number of the first action that is another one, from 0.
    """

    left: ReplayedHand
    right: ReplayedHand
    label: str
    place: int


def side_by_side(
    title: str, game: Game, players: tuple[Sequence[str], Sequence[str]], ways: tuple[str, str], pairs: Sequence[Pair]
) -> str:
    """The text of the file.

    Args:
        title: of the window, and above the tables.
        game: what was played.
        players: what the players are called in each way, by number.
        ways: what each way is called.
        pairs: the hands, in the order of the list.
    """
    both = [[HandFrames(hand, game) for hand in (pair.left, pair.right)] for pair in pairs]
    facts = {
        "title": title,
        "pairs": [
            {
                "label": pair.label,
                "first": pair.place + 1,  # the frame after the first action that is another one
                "frames": [len(made.frames) + 1 for made in frames],  # and the end
            }
            for pair, frames in zip(pairs, both, strict=True)
        ],
    }
    left, right = (
        _hands(game, Names(ways[side], players[side]), [(pair.left, pair.right)[side] for pair in pairs],
               [frames[side] for frames in both])
        for side in (0, 1)
    )  # fmt: skip
    # In a script element nothing but the end of the element may look like one.
    data = to_json(facts).replace("<", "\\u003c")
    return document_of_two(title, data, ((ways[0], left), (ways[1], right)))


def _hands(game: Game, names: Names, hands: Sequence[ReplayedHand], made: Sequence[HandFrames]) -> str:
    """The data of one table, as ``Recording.finish`` makes it for a whole tournament; the host sees all cards."""
    text = PackedText()
    for hand, frames in zip(hands, made, strict=True):
        text.add(f"{told_hand(hand, packed_hand(frames), packed_end(frames, frames.end(None), {}))}\n")
    scene = {**scene_facts(game, names, None), "beside": True}
    index = [index_entry(hand) for hand in hands]
    text.add(to_json({"scene": scene, "index": index, "moments": [], "notes": {}, "leftOut": 0, "seconds": SECONDS}))
    return text.finish()
