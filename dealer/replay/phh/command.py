"""The command ``casino import``: play other programs' hand histories through our rules, and make a journal of them."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from pathlib import Path

from rich.console import Console
from rich.text import Text

from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.output import complain
from dealer.cli.tables import new_table, progress_bar
from dealer.errors import FAILED, CasinoError, JournalError, OptionError
from dealer.journal import records
from dealer.journal.batches import NO_HEAD, pack_batch
from dealer.ledger.columns import facts_of
from dealer.replay.phh.check import CheckedHand, HandDiffers, check_hand
from dealer.replay.phh.read import Unsupported, files_in, read_file, read_hand
from dealer.settings import Settings
from protocol.cards import DECK, Card
from protocol.events import GameBegun
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_history import RecordedDeal
from protocol.games.match import MIN_PLAYERS
from protocol.plurals import counted
from protocol.shuffle import SEED_BYTES, UNKNOWN_PLACE
from protocol.wire.messages import AVATAR_LENGTH, is_printable


@dataclass(frozen=True, slots=True)
class Imported:
    """A journal that was made of hands.

    Attributes:
        path: of the journal.
        hands: in it.
        left_out: hands that are not in it, because nobody can know who won what.
    """

    path: str
    hands: int
    left_out: int


@dataclass(slots=True)
class Findings:
    """The results of an import.

    Attributes:
        hands: how many were played.
        unknown_results: those of them whose files do not tell all cards that decide who won.
        differing: those of them that our rules play in another way.
        first_difference: which one was the first, and what differs; None if none does.
        raked: those of them of which the house took rake, as the file tells; by the rules the winners have it.
        skipped: how many hands were not played because the rules here do not know what they hold, by reason.
        journal: that was made of them; None if none was.
    """

    hands: int = 0
    unknown_results: int = 0
    differing: int = 0
    first_difference: str | None = None
    raked: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    journal: Imported | None = None


def import_files(paths: Sequence[Path], as_json: bool, journal: Path | None = None, *, strict: bool = False) -> int:
    """Check hands, make a journal of them if one is wanted, print what was found, and return the exit code.

    Args:
        paths: files, and folders that are searched for files.
        as_json: whether to print the findings as JSON.
        journal: the file to make.
        strict: whether to end at the first hand that the rules here do not know wholly, instead of counting it.

    Returns:
        0 if all hands agree with our rules; if one does not, no journal is made.
    """
    if not paths:
        return complain(OptionError("name a file with hands, or a folder: casino import hands.phhs"))
    hands: list[CheckedHand] = []
    try:
        findings = _check_all([file for path in paths for file in files_in(path)], hands, strict)
        if journal is not None and not findings.differing:
            findings.journal = write_journal(journal, hands)
    except CasinoError as error:
        return complain(error)
    if as_json:
        print(json.dumps(asdict(findings), indent=2))
    else:
        print(_in_words(findings))
        if findings.skipped:
            table = new_table()
            table.add_column("skipped because")
            table.add_column("hands", justify="right")
            for reason, count in sorted(findings.skipped.items(), key=lambda entry: (-entry[1], entry[0])):
                table.add_row(Text(reason), f"{count:,}")
            Console().print(table)
    return FAILED if findings.differing else 0


def _check_all(paths: Sequence[Path], hands: list[CheckedHand], strict: bool) -> Findings:
    """Check all hands; those that agree with our rules are added to ``hands``.

    Raises:
        OptionError: a file is no PHH, or the rules here know no hand of all; if ``strict``, one of them.
    """
    findings = Findings()
    first_skipped: OptionError | None = None
    with progress_bar() as bar:
        for path in bar.track(paths, description="checking"):
            for name, fields in read_file(path):
                try:
                    checked = check_hand(read_hand(fields))
                    if strict and checked.rake:
                        taken = checked.told.say(checked.rake)
                        text = f"the house took {taken} as rake, which the rules here do not know"
                        raise Unsupported("rake", text)  # noqa: TRY301 - counted like all that the rules do not know
                    hands.append(checked)
                    findings.raked += checked.rake > 0
                    findings.unknown_results += not checked.decided
                except HandDiffers as error:
                    findings.differing += 1
                    findings.first_difference = findings.first_difference or f"{name}: {error}"
                except Unsupported as error:
                    first_skipped = first_skipped or OptionError(f"{name}: {error}")
                    if strict:
                        raise first_skipped from None
                    findings.skipped[error.reason] = findings.skipped.get(error.reason, 0) + 1
                except ValueError as error:
                    raise OptionError(f"{name}: {error}") from None
    findings.hands = len(hands) + findings.differing
    if first_skipped is not None and not findings.hands:
        raise first_skipped
    return findings


def _in_words(findings: Findings) -> str:
    differ = "differs" if findings.differing == 1 else "differ"
    lines = [f"{counted(findings.hands, 'hand')} played through the rules, {findings.differing} of them {differ}"]
    if findings.unknown_results:
        lines.append(f"results that cannot be checked, because cards are not known: {findings.unknown_results}")
    if findings.raked:
        lines.append(f"rake was taken, which the rules leave to the winners: {counted(findings.raked, 'hand')}")
    if findings.first_difference is not None:
        lines.append(f"the first that differs: {findings.first_difference}")
    if findings.journal is not None:
        written, left_out = findings.journal.hands, findings.journal.left_out
        lines.append(f"{findings.journal.path} holds {counted(written, 'hand')}")
        if left_out:
            lines.append(f"left out, because nobody can know who won what: {counted(left_out, 'hand')}")
    return "\n".join(lines)


# The journal of imported hands, which replay, report and verify read: every record goes through ``LedgerRebuild``
# before it is written, so that the journal is one that verifies. What the files do not tell is not invented: unknown
# cards stay unknown, there are no reply times, no seed and no commitment to one, and a hand of which nobody can know
# the result is left out.

#: Stands in the start record where a dealer has its seed; the decks of imported hands follow from none.
NO_SEED = bytes(SEED_BYTES)

_PLACES: Mapping[Card, int] = {card: place for place, card in enumerate(DECK)}


def write_journal(path: Path, hands: Sequence[CheckedHand]) -> Imported:
    """Write a journal of hands that agree with our rules.

    Raises:
        OptionError: there is no hand whose result is known, or names of players cannot be told apart.
        JournalError: the file is there already, or cannot be written.
    """
    known = [hand for hand in hands if hand.payoffs is not None]
    if not known:
        raise OptionError(f"no journal {path} is made: there is no hand of which the files tell who won what")
    data = _journal(path, known)
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise JournalError(f"{path} exists already; a journal is never overwritten, choose another name") from None
    except OSError as error:
        raise JournalError(f"cannot write the journal {path}: {error.strerror}") from None
    return Imported(str(path), len(known), len(hands) - len(known))


def _journal(path: Path, hands: Sequence[CheckedHand]) -> bytes:
    rebuild, head, batches = LedgerRebuild(path), NO_HEAD, []

    def record(record: records.Record) -> None:
        nonlocal head
        packed = records.pack_record(record)
        rebuild.take(records.unpack_record(packed))
        batch, head = pack_batch(packed, head)
        batches.append(batch)

    unit = min(hand.told.unit for hand in hands)
    named = dict.fromkeys(name for hand in hands for name in _names(hand))  # in the order in which they are named first
    numbers = {name: number for number, name in enumerate(named)}
    record(_start(hands, unit, list(numbers)))
    record(GameBegun(table=0, game=1, hand=1))
    for number, hand in enumerate(hands, 1):
        players = tuple([numbers[name] for name in _names(hand)])
        record(_hand(number, hand, int(hand.told.unit / unit), players))
    ledger = rebuild.ledger
    record(records.EndRecord([facts_of(standing) for standing in ledger.standings()]))
    return b"".join(batches)


def _names(hand: CheckedHand) -> Sequence[str]:
    """The players' names by seat, as avatars; those of a file that does not tell them are p1, p2 and so on."""
    if hand.told.players is None:
        return [f"p{number}" for number in range(1, len(hand.holes) + 1)]
    # As avatars may be: without characters that cannot be printed, and no longer than one.
    printable = ["".join(filter(is_printable, name)).strip()[:AVATAR_LENGTH].strip() for name in hand.told.players]
    names = [name or f"p{number}" for number, name in enumerate(printable, 1)]
    if len(set(names)) < len(names):
        raise OptionError(f"players: expected different names in a hand, got {', '.join(hand.told.players)}")
    return names


def _start(hands: Sequence[CheckedHand], unit: Decimal, names: Sequence[str]) -> records.StartRecord:
    """The start record. The options of the game are those of the first hand; each hand has its own."""
    first = hands[0].told
    factor = int(first.unit / unit)
    big = max(1, factor * first.betting.small_bet)
    posted = [factor * blind for blind in first.blinds if blind > 0]
    game = HoldemGame(
        stack=factor * max(first.stacks),
        betting=first.betting.limit,
        small_blind=min([*posted, big]) if posted else 0,
        big_blind=big,
        reset_stacks=1,
    )
    settings = Settings(NO_SEED, game, hands=len(hands), table_size=max(MIN_PLAYERS, len(names)))
    players = [
        records.PlayerFacts(id=f"player-{number}", avatar=name, program="hand history", proof=None)
        for number, name in enumerate(names, 1)
    ]
    return records.StartRecord.of(settings, players, time.time(), imported=True)


def _hand(number: int, hand: CheckedHand, factor: int, players: tuple[int, ...]) -> records.FinishedHandRecord:
    """The record of a hand, whose chips are worth so many of the journal's."""
    told = hand.told
    sizes = told.betting
    assert hand.payoffs is not None

    def chips(amounts: Iterable[int]) -> tuple[int, ...]:
        return tuple([factor * amount for amount in amounts])

    deal = RecordedDeal(
        chips(told.stacks),
        sizes.__class__(sizes.limit, factor * sizes.small_bet, factor * sizes.big_bet, sizes.most_bets),
        len(told.stacks) - 1,
        chips(told.blinds),
        chips(told.antes),
        told.dead_antes,
        tuple(hand.mucked),
        None if hand.decided else chips(hand.payoffs),
    )
    cards = [*[card for hole in hand.holes for card in hole], *hand.board]
    return records.FinishedHandRecord(
        table=0,
        hand=number,
        level=1,
        players=players,
        stacks=deal.starting,
        deck=bytes([UNKNOWN_PLACE if card is None else _PLACES[card] for card in cards]),
        actions=[(seat, amount if amount < 0 else factor * amount, None) for seat, amount in hand.actions],
        faults=[],
        pot=factor * hand.pot,
        payoffs=chips(hand.payoffs),
        recorded=deal.facts,
    )
