"""The results of a practice as tables for people, and as JSON."""

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dealer.cli.cards import drawn
from dealer.cli.tables import new_table
from dealer.faults import MEANINGS, Fault
from dealer.hosting.programs import Failure
from dealer.lobby.player import Player
from dealer.practice.mistakes import Mistake
from dealer.practice.practice_session import PracticeSession
from protocol.estimates.intervals import Estimate, mean, mean_within, share
from protocol.wire.codec import encode, encode_action


@dataclass(frozen=True, slots=True)
class Results:
    """A practice that is over.

    Attributes:
        game: its name.
        teacher: the house bot that the program's decisions were compared with.
        player: the program's.
        session: what was played; None if no hand was finished.
        mistakes: its most expensive decisions, the worst first.
        planned: number of tournaments that were to be played.
        players: all players, the program's included.
        seed: that decided the cards.
        journal: the file with all hands.
        failures: programs that failed, and what happened.
    """

    game: str
    teacher: str
    player: Player
    session: PracticeSession | None
    mistakes: Sequence[Mistake]
    planned: int
    players: Sequence[Player]
    seed: str
    journal: Path
    failures: Sequence[Failure]

    @property
    def put_out(self) -> Fault | None:
        """Why the program is out for good; None if it played to the end."""
        return self.player.faults[-1] if self.player.faults else None

    @property
    def failed(self) -> bool:
        """Whether the program made a fault or failed."""
        return bool(self.put_out) or any(failure.program == self.player.program for failure in self.failures)

    def replay_of(self, mistake: Mistake) -> str:
        """The command that shows the hand as the program saw it."""
        difference, id_ = mistake.difference, self.player.id
        # --seat takes a number for a seat, and refuses one that is also an id
        seat = self.player.avatar if id_.isdecimal() and int(id_) < len(self.players) else id_
        words = (
            "casino",
            "replay",
            str(self.journal),
            "--table",
            str(difference.table),
            "--hand",
            str(difference.hand),
        )
        return shlex.join([*words, "--seat", seat])


def as_json(results: Results) -> str:
    """All facts as JSON; chips, and intervals of 95 %."""
    session = results.session
    facts: dict[str, Any] = {
        "game": results.game,
        "program": results.player.program,
        "against": [player.program for player in results.players if player is not results.player],
        "seed": results.seed,
        "tournaments": _places(results, session.places if session else ()),
        "hands": session.hands if session else 0,
        "decisions": session.decisions if session else 0,
        f"unlike_{results.teacher}": len(session.differences) if session else 0,
        "chips_per_hand": _estimate(mean(session.winnings.payoffs) if session else None),
        "situations": [
            {"street": row.street, "situation": row.situation, "hands": row.hands, "chips": _estimate(row.chips)}
            for row in (session.winnings.rows() if session else ())
        ],
        "expensive": [_mistake(results, mistake) for mistake in results.mistakes],
        "put_out": _fault(results.put_out),
        "failures": [asdict(failure) for failure in results.failures],
        "journal": str(results.journal),
    }
    return json.dumps(facts, indent=2)


def _places(results: Results, places: Sequence[float]) -> dict[str, Any]:
    won = places.count(1.0)
    return {
        "planned": results.planned,
        "played": len(places),
        "places": list(places),
        "mean_place": _estimate(mean_within(places, 1, len(results.players))),
        "won": won,
        "share_won": _estimate(share(won, len(places)) if places else None),
    }


def _estimate(estimate: Estimate | None) -> dict[str, float | None] | None:
    return estimate and estimate.as_dict()


def _fault(fault: Fault | None) -> dict[str, str] | None:
    return {"kind": fault.kind.value, "reason": fault.reason} if fault else None


def _mistake(results: Results, mistake: Mistake) -> dict[str, Any]:
    difference = mistake.difference
    return {
        "tournament": difference.tournament,
        "table": difference.table,
        "hand": difference.hand,
        "question": encode(difference.turn),
        "did": encode_action(difference.spot.did, difference.turn),
        results.teacher: encode_action(difference.spot.better, difference.turn),
        "cost": mistake.cost.as_dict(),
        "rollouts": mistake.rollouts,
        "replay": results.replay_of(mistake),
    }


def show(results: Results) -> None:
    """Print the results for people."""
    console = Console(highlight=False, markup=False, emoji=False)
    if results.session is not None:
        _show_session(results, results.session, console)
    fault = results.put_out
    if fault is not None:
        console.print(f"\nThe program is out: {fault.reason}", soft_wrap=True)
        console.print(MEANINGS.get(fault.kind, ""))
    console.print(f"\nEvery hand: casino replay {shlex.quote(str(results.journal))}", soft_wrap=True)
    console.print(f"The same cards again: --seed {shlex.quote(results.seed)}", soft_wrap=True)


def _show_session(results: Results, session: PracticeSession, console: Console) -> None:
    for line in _place_lines(results, session):
        console.print(line)
    console.print(_situations(session))
    for told in _mistake_lines(results, session, console):
        console.print(told, soft_wrap=True)


def _place_lines(results: Results, session: PracticeSession) -> Iterator[str]:
    places = session.places
    yield f"{len(places)} of {results.planned} tournaments played to the end, each with {len(results.players)} players"
    average, won = mean_within(places, 1, len(results.players)), share(places.count(1.0), len(places))
    if average is None:
        return
    yield ", ".join(f"place {place:g}: {times}x" for place, times in sorted(Counter(places).items()))
    yield f"mean place {average.value:.2f}{_range(average, '.2f')}; by chance {(len(results.players) + 1) / 2:g}"
    yield f"won {places.count(1.0)} of {len(places)}, {won.value:.0%}{_range(won, '.0%')}"


def _range(estimate: Estimate, form: str) -> str:
    if estimate.interval is None:
        return ""
    return f" (95 %: {estimate.low:{form}} to {estimate.high:{form}})"


def _situations(session: PracticeSession) -> Table:
    table = new_table("Chips won a hand")
    table.add_column("Street", justify="right")
    table.add_column("When asked with")
    for heading in ("Hands", "Chips", "95 % from", "to"):
        table.add_column(heading, justify="right")
    table.add_row("", "every hand dealt", *_cells(session.hands, mean(session.winnings.payoffs)))
    for row in session.winnings.rows():
        table.add_row(str(row.street), row.situation, *_cells(row.hands, row.chips))
    return table


def _cells(hands: int, chips: Estimate | None) -> Iterator[str]:
    yield str(hands)
    for number in chips or (None, None, None):
        yield "-" if number is None or abs(number) == inf else f"{number:+.1f}"


def _mistake_lines(results: Results, session: PracticeSession, console: Console) -> Iterator[str | Text]:
    """The worst decisions."""
    others = len(session.differences)
    yield f"\n{session.decisions} decisions; {results.teacher} would have taken {others} of them differently."
    if not results.mistakes:
        yield "None of those that were played again lost chips beyond chance."
    for number, mistake in enumerate(results.mistakes, 1):
        difference, cost = mistake.difference, mistake.cost
        turn, spot = difference.turn, difference.spot
        did, better = (encode_action(action, turn) for action in (spot.did, spot.better))
        place = f"\n{number}. tournament {difference.tournament}, hand {difference.hand}: "
        yield Text(place).append(drawn(encode(turn), console))
        yield (
            f"   the program: {did}   {results.teacher}: {better}\n"
            f"   cost {cost.value:.1f} chips ({cost.low:.1f} to {cost.high:.1f} in {mistake.rollouts} roll-outs)\n"
            f"   {results.replay_of(mistake)}"
        )
