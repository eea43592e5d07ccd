"""Make a journal of imported hands, which replay, report and verify read.

Every record goes through ``LedgerRebuild`` before it is written, so that the journal is one that verifies. What the
files do not tell is not invented: unknown cards stay unknown, there are no reply times, no seed and no commitment to
one, and a hand of which nobody can know the result is left out.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import JournalError, OptionError
from dealer.journal.batches import NO_HEAD, pack_batch
from dealer.journal.records import (
    EndRecord,
    FinishedHandRecord,
    GameRecord,
    PlayerFacts,
    Record,
    StartRecord,
    pack_record,
    unpack_record,
)
from dealer.ledger.columns import facts_of
from dealer.replay.phh.check import CheckedHand
from dealer.settings import Settings
from protocol.cards import DECK, Card
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_history import RecordedDeal
from protocol.games.match import MIN_PLAYERS
from protocol.shuffle import SEED_BYTES, UNKNOWN_PLACE
from protocol.wire.messages import AVATAR_LENGTH, is_printable

#: Stands in the start record where a dealer has its seed; the decks of imported hands follow from none.
NO_SEED = bytes(SEED_BYTES)

_PLACES: Mapping[Card, int] = {card: place for place, card in enumerate(DECK)}


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

    def record(record: Record) -> None:
        nonlocal head
        packed = pack_record(record)
        rebuild.take(unpack_record(packed))
        batch, head = pack_batch(packed, head)
        batches.append(batch)

    unit = min(hand.told.unit for hand in hands)
    numbers = _numbers(hands)
    record(_start(hands, unit, list(numbers)))
    record(GameRecord(table=0, game=1, hand=1))
    for number, hand in enumerate(hands, 1):
        players = tuple([numbers[name] for name in _names(hand)])
        record(_hand(number, hand, int(hand.told.unit / unit), players))
    ledger = rebuild.ledger
    record(EndRecord([facts_of(standing) for standing in ledger.standings()]))
    return b"".join(batches)


def _names(hand: CheckedHand) -> Sequence[str]:
    """The players' names by seat, as avatars; those of a file that does not tell them are p1, p2 and so on."""
    if hand.told.players is None:
        return [f"p{number}" for number in range(1, len(hand.holes) + 1)]
    names = [_avatar(name) or f"p{number}" for number, name in enumerate(hand.told.players, 1)]
    if len(set(names)) < len(names):
        raise OptionError(f"players: expected different names in a hand, got {', '.join(hand.told.players)}")
    return names


def _avatar(name: str) -> str:
    """A name as an avatar may be: without characters that cannot be printed, and no longer than one."""
    return "".join(char for char in name if is_printable(char)).strip()[:AVATAR_LENGTH].strip()


def _numbers(hands: Iterable[CheckedHand]) -> dict[str, int]:
    """A number for each player, in the order in which they are named first."""
    numbers: dict[str, int] = {}
    for hand in hands:
        for name in _names(hand):
            numbers.setdefault(name, len(numbers))
    return numbers


def _start(hands: Sequence[CheckedHand], unit: Decimal, names: Sequence[str]) -> StartRecord:
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
        PlayerFacts(id=f"player-{number}", avatar=name, program="hand history", proof=None)
        for number, name in enumerate(names, 1)
    ]
    return StartRecord.of(settings, players, time.time(), imported=True)


def _hand(number: int, hand: CheckedHand, factor: int, players: tuple[int, ...]) -> FinishedHandRecord:
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
    return FinishedHandRecord(
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
