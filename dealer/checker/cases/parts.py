"""The parts of a check, in their order. Each is one connection, or several if the program is lost on the way."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from random import Random

from dealer.checker.cases.boards import CONTRASTS, PAIRS, Compared
from dealer.checker.cases.deals import Deal, blockhead_deals, news_deals, quiet_stud_deals, stud_deals
from dealer.checker.cases.stud_situations import SITUATIONS, VARIANTS, Judged
from dealer.checker.scoring.findings import Findings
from protocol.games.blockhead import BlockheadGame


@dataclass(slots=True)
class Part:
    """What a connection is for.

    Attributes:
        name: in words.
        deals: what is played on it.
        hands: how many that are, at most.
        goodbye: the reason given at the end.
        careful: see ``Manner``.
        judged: situations that are written down when the part is over.
    """

    name: str
    deals: Iterator[Deal]
    hands: int
    goodbye: str
    careful: bool = False
    judged: tuple[Judged | Compared, ...] = ()

    def write_down(self, findings: Findings) -> None:
        """Say how the situations were played."""
        for judged in self.judged:
            judged.write_down(findings)


def parts_of(game: str, seed: str, hands: int) -> list[Part]:
    """All parts; the same seed deals the same cards, whatever the program does. ``hands`` go into the longest part."""
    return _stud(seed, hands) if game == "stud" else _blockhead(seed, hands)


def _stud(seed: str, hands: int) -> list[Part]:
    news = list(news_deals(_rng(seed, "news")))
    return [
        Part(
            "how it talks",
            quiet_stud_deals(_rng(seed, "quiet"), 2),
            2,
            "the tournament is over: you are number 1 of 3 with 512 chips",
            careful=True,
        ),
        Part("refused after login", iter(()), 0, "the id is already seated at another table"),
        Part(
            "news alone", iter(news), len(news), "you bet 21, more than 10 above the 10 you owe: bet 10 to 20, or fold"
        ),
        Part(
            "hands of all kinds",
            stud_deals(_rng(seed, "hands"), hands),
            hands,
            "you are out: 0 chips do not pay the ante of 1",
        ),
        _situations(seed),
    ]


def _blockhead(seed: str, hands: int) -> list[Part]:
    length = BlockheadGame().hands
    games = hands // length
    return [
        Part("how it talks", blockhead_deals(_rng(seed, "quiet"), 1, 2), 2, "the tournament is over", careful=True),
        Part("refused after login", iter(()), 0, "the id is already seated at another table"),
        Part("hands of all kinds", blockhead_deals(_rng(seed, "hands"), games, length), games * length, "the end"),
    ]


def _situations(seed: str) -> Part:
    """Every variant of everything, mixed, so that no two questions of a kind follow each other."""
    rng = _rng(seed, "situations")
    judged = [Judged(situation) for situation in SITUATIONS]
    compared = [Compared(contrast) for contrast in CONTRASTS]
    deals = [one.situation.scene(rng).to_play(one.seen.append) for one in judged for _ in range(VARIANTS)]
    for contrast in compared:
        for number in range(PAIRS):
            better, worse = contrast.contrast.scenes(rng, number)
            deals.append(better.to_play(partial(contrast.better.__setitem__, number)))
            deals.append(worse.to_play(partial(contrast.worse.__setitem__, number)))
    rng.shuffle(deals)
    name = "given situations"
    return Part(name, iter(deals), len(deals), "the tournament is over", judged=(*judged, *compared))


def _rng(seed: str, part: str) -> Random:
    return Random(f"{seed}/{part}")
