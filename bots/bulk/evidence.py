"""Evidence that players cooperate: a test of a pair, the correction for many pairs, and how it is printed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bots.fitting_table import new_table
from protocol.estimates.intervals import Estimate
from protocol.estimates.many_tests import holm

#: How often anybody at all is named in a tournament of honest players, at most.
LEVEL = 0.01

#: Tests shown where nothing is evidence.
SHOWN = 5


@dataclass(frozen=True, slots=True)
class PairTest:
    """A test of whether one player gives chips to another.

    Attributes:
        giver: the id of the player who loses them.
        receiver: the id of the player who gets them.
        harm: chips a deal that the giver loses in comparison with its usual play.
        harm_replaced: the same when a coin has decided the receiver's first moves.
        excess: the difference of both, with its 95 % interval.
        tournaments: in which it was measured, each played in both ways.
        p_value: how often honest players show as much, or more.
        corrected: the same for all tests together.
    """

    giver: int
    receiver: int
    harm: float
    harm_replaced: float
    excess: Estimate
    tournaments: int
    p_value: float
    corrected: float = 1.0


@dataclass(frozen=True, slots=True)
class Examination:
    """What was examined.

    Attributes:
        players: their names, by id.
        rounds: of each tournament that was played again.
        margin: chips a deal up to which harm is no evidence.
        tests: the strongest evidence first; of all other pairs the harm was not above ``margin``.
    """

    players: tuple[str, ...]
    rounds: int
    margin: float
    tests: tuple[PairTest, ...]

    @property
    def pairs(self) -> int:
        """Pairs of a giver and a receiver, tested or not."""
        return len(self.players) * (len(self.players) - 1)

    def named(self, level: float) -> list[PairTest]:
        """The tests that are evidence."""
        return [test for test in self.tests if test.corrected <= level]


def all_corrected(tests: Sequence[PairTest]) -> tuple[PairTest, ...]:
    """The tests with p-values corrected for all of them together (see ``holm``), the strongest evidence first."""
    ordered = sorted(tests, key=lambda test: (test.p_value, -test.excess.value, test.giver, test.receiver))
    together = holm([test.p_value for test in ordered])
    return tuple([replace(test, corrected=p_value) for test, p_value in zip(ordered, together, strict=True)])


def facts(found: Examination, level: float) -> dict[str, Any]:
    """The facts for ``--json``."""
    return {
        "game": "dice",
        "players": list(found.players),
        "rounds": found.rounds,
        "pairs": found.pairs,
        "margin": found.margin,
        "level": level,
        "correction": "Holm",
        "evidence": bool(found.named(level)),
        "tests": [
            {
                "giver": found.players[test.giver],
                "receiver": found.players[test.receiver],
                "harm": test.harm,
                "harm_replaced": test.harm_replaced,
                "excess": test.excess.value,
                "interval": test.excess.interval,
                "tournaments": test.tournaments,
                "p_value": test.p_value,
                "corrected": test.corrected,
                "evidence": test.corrected <= level,
            }
            for test in found.tests
        ],
    }


def in_words(found: Examination, level: float) -> Group:
    """The evidence as a table and sentences; the strongest tests if there is none."""
    named = found.named(level)
    shown: list[Table | Text] = [_table(found, named or found.tests[:SHOWN], level)] if found.tests else []
    shown += [Text(_sentence(found, test)) for test in named]
    if named:
        shown.append(Text("This is evidence, not proof: read the programs and talk to the authors before you decide."))
    else:
        shown.append(Text(f"No pair shows evidence, at a level of {level:g} for all {found.pairs} pairs together."))
    quiet = found.pairs - len(found.tests)
    shown.append(Text(f"In {quiet} of {found.pairs} pairs nobody loses more than {found.margin:g} chips a deal so."))
    return Group(*shown)


def _table(found: Examination, tests: Sequence[PairTest], level: float) -> Table:
    title = f"{len(found.tests)} pairs in tournaments of {found.rounds:,} rounds, Holm's correction, level {level:g}"
    table = new_table(title)
    for heading in ("Loses chips", "Gets chips"):
        table.add_column(heading)
    for heading in ("Harm\na deal", "other first\nmoves", "Difference", "95 %\nfrom", "\nto", "p", "corrected"):
        table.add_column(heading, justify="right")
    for test in tests:
        ends = ("-" if end is None else f"{end:+.3f}" for end in test.excess.interval or (None, None))
        cells = (
            found.players[test.giver],
            found.players[test.receiver],
            f"{test.harm:+.3f}",
            f"{test.harm_replaced:+.3f}",
            f"{test.excess.value:+.3f}",
            *ends,
            f"{test.p_value:.2g}",
            f"{test.corrected:.2g}",
        )
        table.add_row(*map(Text, cells))
    return table


def _sentence(found: Examination, test: PairTest) -> str:
    giver, receiver = found.players[test.giver], found.players[test.receiver]
    return (
        f"{giver} loses {test.harm:.2f} chips a deal to {receiver} by not playing as it usually does, "
        f"and {test.harm_replaced:.2f} if {receiver} begins with other moves."
    )
