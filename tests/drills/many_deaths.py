"""Tournaments whose dealer dies again and again, each time at a record of a chosen kind, or in a power cut.

Words: a folder, ``kill`` or ``cut``, how many deaths at each kind of record, and a seed. Each life of a dealer is a
process that is forked from this one and kills itself. A power cut is played by taking pages from the journal that no
force had put on the disk by then; which those are, the dying process has noted.
"""

import os
import signal
import sys
import traceback
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
import structlog
import trio

from dealer.journal.file import AppendFile
from dealer.journal.records import TYPES, Record
from dealer.journal.writer import BEHIND_SECONDS, Journal
from dealer.ledger.played_hand import Deal, PlayedHand
from dealer.settings import OpenPorts, Services
from dealer.tournament.table import Table
from dealer.tournament.tournament import Tournament
from protocol.events import Stalled, type_of
from protocol.games.stud import StudGame
from tests.dealer.support.altered_journals import REFUSED
from tests.dealer.support.recorded import run_at_once
from tests.dealer.support.waiting_clocks import wait_for_threads
from tests.dealer.tournament.test_random_trouble import FREEZEOUT, Trouble, play_with_trouble, resume_with_trouble
from tests.drills.surviving import check_chips_and_numbers, examine

#: Kinds of records at which a dealer is killed: all but that of a game with programs of the ACPC.
KINDS = sorted(TYPES.keys() - {"corrected"})

#: Where a dealer is killed: with the record in its memory only, before it is written, half of it written, or all of it.
MOMENTS = ("recorded", "before", "half", "written")

#: Small stacks, tables and levels, so that all kinds of records come soon.
AGREED = replace(FREEZEOUT, game=StudGame(30), rounds=3, rejoin=3.0, levels=6)
PLAYERS = 7

#: A disk loses or keeps so many bytes at a time.
PAGE = 512

#: Seconds between two hands of a table, by a clock that jumps: some hands for each force.
HAND_SECONDS = 0.05


@dataclass
class Life:
    """One dealer, in a process of its own.

    Args:
        path: of the journal.
        notes: the file for what must be known of it when it is dead.
        kind: of the record at which it dies.
        rng: chance.
    """

    path: Path
    notes: Path
    kind: str
    rng: Random

    def __post_init__(self) -> None:
        self._moment = self.rng.choice(MOMENTS)
        usual = self.kind in ("hand", "game", "move", "level", "out")
        self._until = self.rng.randrange(1, 25 if usual else 3)
        self._armed = False

    def run(self) -> bool:
        """Play until death or the end of the tournament; whether it was death."""
        child = os.fork()
        if child:
            _, status = os.waitpid(child, 0)
            assert os.WIFSIGNALED(status) or not status, "a life ended with an error"
            return os.WIFSIGNALED(status)
        code = 1
        try:
            self._play()
            code = 0
        except BaseException:  # noqa: BLE001 - the process ends here, and must not go on as a copy of its parent
            traceback.print_exc()
        finally:
            os._exit(code)

    def _play(self) -> None:
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
        trouble = Trouble(self.rng.randrange(10**9), hangs_up=0.02, errs=0.01, orders=True)
        self._log = os.open(self.notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        with pytest.MonkeyPatch.context() as patch:
            wait_for_threads(patch)
            for hook in (self._hook_file, self._hook_journal, self._hook_tables):
                hook(patch)
            if self.path.exists():
                run_at_once(partial(resume_with_trouble, self.path, trouble, 0))
            else:
                run_at_once(partial(play_with_trouble, self.path, AGREED, PLAYERS, trouble))

    def _note(self, *words: object) -> None:
        os.write(self._log, (" ".join(map(str, words)) + "\n").encode())

    @staticmethod
    def _die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def _hook_file(self, patch: pytest.MonkeyPatch) -> None:
        write, force = AppendFile._write, AppendFile.force

        def write_and_die(file: AppendFile, data: bytes) -> None:
            if self._armed and self._moment == "before":
                self._die()
            if self._armed and self._moment == "half":
                write(file, data[: self.rng.randrange(len(data))])
                self._die()
            write(file, data)
            if self._armed:
                self._die()

        def noted_force(file: AppendFile) -> None:
            force(file)
            self._note("forced", file.forced)

        patch.setattr(AppendFile, "_write", write_and_die)
        patch.setattr(AppendFile, "force", noted_force)

    def _hook_journal(self, patch: pytest.MonkeyPatch) -> None:
        record = Journal.record

        def record_and_die(journal: Journal, recorded: Record) -> None:
            record(journal, recorded)
            self._until -= type_of(recorded) == self.kind
            if not self._until:
                self._armed = True
                if self._moment == "recorded":
                    self._die()

        patch.setattr(Journal, "record", record_and_die)

    def _hook_tables(self, patch: pytest.MonkeyPatch) -> None:
        """Note what is dealt and told, and let the rarer kinds of records happen."""
        play, tell, run = Table.play, Table.tell_results, Tournament.run

        async def noted_play(table: Table, deal: Deal) -> PlayedHand:
            await trio.sleep(HAND_SECONDS)
            self._note("dealt", deal.deck.hex())
            if self.rng.random() < 0.05:
                table._journal.record(Stalled(2.5))
            return await play(table, deal)

        def noted_tell(table: Table, played: PlayedHand) -> None:
            self._note("told", played.deal.table, played.deal.number, trio.current_time())
            tell(table, played)

        async def run_with_more(tournament: Tournament) -> Any:
            tournament.services = Services(
                OpenPorts("::", {"port": 4000, "line_port": 4001}),
                8080,
                open_cards=False,
                desk=False,
                feed_port=None,
            )
            tournament._failed_logins.note(REFUSED)
            if self.kind == "stopped":
                tournament.begin_with = tournament.suspend
            return await run(tournament)

        patch.setattr(Table, "play", noted_play)
        patch.setattr(Table, "tell_results", noted_tell)
        patch.setattr(Tournament, "run", run_with_more)


@dataclass
class Drill:
    """Tournaments one after the other, each with as many dealers as it takes.

    Attributes:
        folder: for the journals.
        cuts: whether every death is that of the whole machine.
        rng: chance.
        deaths: by the kind of record.
        dealt: hands.
        told: of those, results that players heard.
        missing: of those, how many a power cut took.
        longest: seconds of play that a power cut took, at most.
        ends: tournaments that were played to their end.
    """

    folder: Path
    cuts: bool
    rng: Random
    deaths: Counter[str] = field(default_factory=Counter)
    dealt: int = 0
    told: int = 0
    missing: int = 0
    longest: float = 0.0
    ends: int = 0
    _whole: bytes = b""

    def run(self, each: int) -> None:
        """Let dealers die so often at each kind of record."""
        for lives, kind in enumerate(cycle(KINDS)):
            if all(self.deaths[kind] >= each for kind in KINDS):
                return
            assert lives < 60 * each * len(KINDS), f"records of some kinds hardly ever come: {self.deaths}"
            if self.deaths[kind] < each:
                self._live(kind)

    def _live(self, kind: str) -> None:
        if kind in ("start", "game", "round") and self.rng.random() < 0.5:
            self._begin_another()  # in a tournament that is played on, these hardly come
        if kind in ("resume", "void") and not self._whole:
            kind = "hand"  # these come when a dealer has died
        path, notes = self.folder / f"{self.ends}.journal", self.folder / "notes"
        notes.unlink(missing_ok=True)
        self.deaths[kind] += Life(path, notes, kind, Random(self.rng.random())).run()
        noted = [line.split() for line in notes.read_text().splitlines()]
        self._check_dealt([words[1] for words in noted if words[0] == "dealt"])
        data = path.read_bytes() if path.exists() else b""
        forced = max([int(words[1]) for words in noted if words[0] == "forced"], default=len(self._whole))
        if self.cuts and data:
            path.write_bytes(self._after_power_cut(data, forced))
        found = examine(path)
        assert found.whole.startswith(data[:forced] if self.cuts else self._whole)
        self._whole = found.whole
        self._check_told({(hand.table, hand.number) for hand in found.hands}, noted)
        if found.whole:
            check_chips_and_numbers(found)
        if not found.whole or found.rebuild.ended:
            self._begin_another()

    def _begin_another(self) -> None:
        self.ends += 1
        self._whole = b""

    def _check_dealt(self, dealt: list[str]) -> None:
        """No deck was dealt before in the same tournament."""
        decks = self.folder / f"{self.ends}.decks"
        seen = decks.read_text().split() if decks.exists() else []
        assert len({*seen, *dealt}) == len(seen) + len(dealt), "cards that may have been seen were dealt again"
        decks.write_text(" ".join([*seen, *dealt]))
        self.dealt += len(dealt)

    def _check_told(self, there: set[tuple[int, int]], noted: list[list[str]]) -> None:
        """All that was told is there, but for a second before a power cut."""
        told = [((int(words[1]), int(words[2])), float(words[3])) for words in noted if words[0] == "told"]
        self.told += len(told)
        missing = [time for hand, time in told if hand not in there]
        if missing:
            assert self.cuts, "a result that was told is lost"
            self.missing += len(missing)
            self.longest = max(self.longest, told[-1][1] - missing[0])
            assert self.longest <= BEHIND_SECONDS

    def _after_power_cut(self, data: bytes, forced: int) -> bytes:
        """A journal of which some pages that were not forced are not there, or whose end is not."""
        length = self.rng.choice([len(data), self.rng.randint(forced, len(data))])
        left = bytearray(data[:length])
        lost = self.rng.choice([0.0, 0.2, 1.0])
        for page in range(forced - forced % PAGE, length, PAGE):
            if self.rng.random() < lost:
                begin, end = max(page, forced), min(page + PAGE, length)
                left[begin:end] = bytes(end - begin)
        return bytes(left)


def main(folder: str, way: str, each: str, seed: str) -> None:
    drill = Drill(Path(folder), way == "cut", Random(seed))
    drill.run(int(each))
    print(f"deaths           {drill.deaths.total()}: {dict(sorted(drill.deaths.items()))}")
    print(f"tournaments      {drill.ends}; {drill.dealt} hands dealt, {drill.told} told")
    print(f"told and missing {drill.missing}, {drill.longest:.2f} s at most")


if __name__ == "__main__":
    main(*sys.argv[1:])
