"""``casino replay --web``: write a journal as one HTML file that replays it in a browser."""

from pathlib import Path

from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.flags import ReplayFileFlags
from dealer.cli.output import complain
from dealer.cli.tables import reading_progress
from dealer.errors import CasinoError, JournalError, NotStartedError, OptionError, ReportError
from dealer.journal.batches import read_journal
from dealer.replay.journal_reader import Choice, viewer_of
from dealer.replayer.document import MARK, document
from dealer.replayer.recording import Names, Recording, SharedHands, Story
from protocol.plurals import counted


def check_file_flags(flags: ReplayFileFlags, other_output: bool) -> None:
    """Check that the flags of a file are given together, and with no other output.

    Raises:
        OptionError: they are not.
    """
    if not flags.web:
        raise OptionError("--out names the file of --web; give --web too")
    if other_output:
        raise OptionError("--web writes a file; leave out --page, --json, --csv and --export")


def write_replay(path: Path, choice: Choice, out: Path | None) -> int:
    """Write the hands that were asked for to a file, print its name, and return the exit code.

    Of a journal that is damaged or torn, the file holds all before that.

    Args:
        path: of the journal.
        choice: what is asked for.
        out: the file; None for one with the name of the journal in the folder the command was started in.
    """
    file = out or Path(f"{path.stem}.html")
    try:
        check_replaceable(file)
        recording, text, damage = _replayed(path, choice)
    except CasinoError as error:
        return complain(error)
    try:
        file.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        return complain(ReportError(f"cannot write {file}: {error.strerror}"))
    size = len(text.encode()) / 1e6
    print(f"{file}: {counted(recording.hands, 'hand')}, {size:.1f} MB. Open it in a browser; it needs no network.")
    return 0 if damage is None else complain(damage)


def _replayed(path: Path, choice: Choice) -> tuple[Recording, str, JournalError | None]:
    """What was read, the text of the file, and what is wrong with the rest of the journal."""
    rebuild, recording, story, damage = LedgerRebuild(path), None, None, None
    with reading_progress("reading", path) as tell_place:
        try:
            for record in read_journal(path, tell_place):
                hand = rebuild.take(record)
                if recording is None or story is None:
                    ledger = rebuild.ledger
                    viewer = None if choice.seat is None else viewer_of(ledger, choice.seat)
                    names = Names(path.name, [player.avatar for player in ledger.players])
                    recording, story = Recording(ledger, choice, viewer, names, SharedHands()), Story(ledger)
                recording.take(record, hand)
                story.take(record, hand)
        except JournalError as error:
            if recording is None or not recording.hands:
                raise
            damage = error
    if recording is None or story is None:
        raise NotStartedError(path)
    if damage is None:
        recording.selection.check_found()
    title = f"Casino Day: replay of {path.name}"
    return recording, document(title, recording.finish(story)), damage


def check_replaceable(file: Path) -> None:
    """Make sure that no other file than an earlier replay is replaced.

    Raises:
        OptionError: there is one.
    """
    try:
        if file.exists() and not (file.is_file() and file.read_bytes()[: len(MARK)] == MARK.encode()):
            raise OptionError(f"{file} is there, and is no replay in HTML; name another file with --out")
    except OSError as error:
        raise OptionError(f"cannot use {file}: {error.strerror}") from None
