"""What the tests of a journal say together, and how it is printed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from dealer.audit.collusion.decisions import Decision
from dealer.audit.collusion.harm import ENOUGH_DECISIONS, ENOUGH_USUAL, MARGIN, PairTest, pair_tests
from dealer.cli.tables import new_table
from protocol.estimates.many_tests import holm
from protocol.plurals import counted

#: Tests shown where nothing is evidence.
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Examination:
    """What was examined.

    Attributes:
        game: its name.
        players: their avatars, by number.
        hands: that were finished.
        look: the number of this examination, from 1, of a tournament that is watched; else None.
        tests: the strongest evidence first.
        not_judged: pairs that were alone in hands, giver first, without enough decisions to compare.
    """

    game: str
    players: tuple[str, ...]
    hands: int
    look: int | None
    tests: tuple[PairTest, ...]
    not_judged: tuple[tuple[int, int], ...]

    @property
    def judged(self) -> int:
        """Pairs of a giver and a receiver that were tested."""
        return len({(test.giver, test.receiver) for test in self.tests})

    def named(self, level: float) -> list[PairTest]:
        """The tests that are evidence."""
        return [test for test in self.tests if test.corrected <= level]


def examine(
    game: str, players: Sequence[str], hands: int, decisions: Sequence[Decision], look: int | None = None
) -> Examination:
    """Test all pairs, and correct the p-values for all tests and, if a tournament is watched, for all looks at it.

    Look number ``k`` may use a part of ``1 / (k (k + 1))`` of the level. All these parts together are 1, however often
    one looks.
    """
    tests, not_judged = pair_tests(decisions)
    corrected = holm([test.p_value for test in tests])
    looks = 1 if look is None else look * (look + 1)
    together = [
        replace(test, corrected=min(1.0, looks * p_value)) for test, p_value in zip(tests, corrected, strict=True)
    ]
    together.sort(key=lambda test: (test.p_value, -test.harm.value, test.giver, test.receiver, test.kind))
    return Examination(game, tuple(players), hands, look, tuple(together), tuple(not_judged))


def facts(found: Examination, level: float) -> dict[str, Any]:
    """The facts for ``--json``."""
    return {
        "game": found.game,
        "players": list(found.players),
        "hands": found.hands,
        "look": found.look,
        "margin": MARGIN,
        "level": level,
        "correction": "Holm",
        "evidence": bool(found.named(level)),
        "tests": [
            {
                "giver": found.players[test.giver],
                "receiver": found.players[test.receiver],
                "decisions_tested": test.kind,
                "harm": test.harm.value,
                "interval": test.harm.interval,
                "decisions": test.decisions,
                "p_value": test.p_value,
                "corrected": test.corrected,
                "evidence": test.corrected <= level,
            }
            for test in found.tests
        ],
        "not_judged": [
            {"giver": found.players[giver], "receiver": found.players[receiver]} for giver, receiver in found.not_judged
        ],
    }


def in_words(found: Examination, level: float) -> Group:
    """The evidence as a table and sentences; the strongest tests if there is none."""
    named = found.named(level)
    shown: list[Table | Text] = [_table(found, named or found.tests[:SHOWN], level)] if found.tests else []
    shown += [Text(_sentence(found, test)) for test in named]
    if named:
        shown.append(Text("This is evidence, not proof: replay hands and talk to the authors before you decide."))
    elif found.tests:
        if len(found.tests) > SHOWN:
            shown.append(Text(f"The strongest {SHOWN} of {len(found.tests)} tests; --json has all of them."))
        shown.append(Text(f"No pair shows evidence, at a level of {level:g} for all {found.judged} pairs together."))
    if not found.tests or found.not_judged:
        shown.append(Text(_not_judged(found)))
    return Group(*shown)


def _not_judged(found: Examination) -> str:
    pairs = f"{counted(len(found.not_judged), 'pair')} cannot be judged" if found.not_judged else "Nobody is judged"
    return (
        f"{pairs}: that takes {ENOUGH_DECISIONS} decisions alone against each other, and each of them {ENOUGH_USUAL} "
        "in an equal situation against others. More hands help, and seats that are drawn anew, as with --rounds."
    )


def _table(found: Examination, tests: Sequence[PairTest], level: float) -> Table:
    title = f"{counted(found.hands, 'hand')}, {counted(found.judged, 'pair')}, Holm's correction, level {level:g}"
    table = new_table(title)
    for heading in ("Loses chips", "Gets chips", "With"):
        table.add_column(heading)
    for heading in ("Harm in\npots", "95 %\nfrom", "\nto", "Decisions", "p", "corrected"):
        table.add_column(heading, justify="right")
    for test in tests:
        ends = ("-" if end is None else f"{end:+.2f}" for end in test.harm.interval or (None, None))
        names = (found.players[test.giver], found.players[test.receiver], f"{test.kind} cards")
        figures = (f"{test.decisions}", f"{test.p_value:.2g}", f"{test.corrected:.2g}")
        table.add_row(*map(Text, (*names, f"{test.harm.value:+.2f}", *ends, *figures)))
    return table


def _sentence(found: Examination, test: PairTest) -> str:
    giver, receiver = found.players[test.giver], found.players[test.receiver]
    cards = " with strong cards" if test.kind == "strong" else ""
    return (
        f"{giver} loses {test.harm.value:.2f} of the pot a decision{cards} to {receiver}, by not acting as it does "
        "against others in equal situations."
    )
