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
from typing import Any

from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import JournalError, OptionError
from dealer.journal.records import NO_HEAD, VERSION, pack_batch, pack_record
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

    def record(type_: str, facts: Mapping[str, Any]) -> None:
        nonlocal head
        rebuild.take({"type": type_, **_listed(facts)})
        batch, head = pack_batch(pack_record(type_, facts), head)
        batches.append(batch)

    unit = min(hand.told.unit for hand in hands)
    numbers = _numbers(hands)
    record("start", _start(hands, unit, list(numbers)))
    record("game", {"table": 0, "game": 1, "hand": 1})
    for number, hand in enumerate(hands, 1):
        record("hand", _hand(number, hand, int(hand.told.unit / unit), [numbers[name] for name in _names(hand)]))
    ledger = rebuild.ledger
    record("end", {"standings": [facts_of(standing) for standing in ledger.standings()]})
    return b"".join(batches)


def _listed(facts: Any) -> Any:
    """The facts as they are when they are read again: lists instead of tuples."""
    if isinstance(facts, Mapping):
        return {name: _listed(fact) for name, fact in facts.items()}
    return [_listed(fact) for fact in facts] if isinstance(facts, list | tuple) else facts


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


def _start(hands: Sequence[CheckedHand], unit: Decimal, names: Sequence[str]) -> dict[str, Any]:
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
        {"id": f"player-{number}", "avatar": name, "program": "hand history", "proof": None}
        for number, name in enumerate(names, 1)
    ]
    return {
        "version": VERSION,
        "started": time.time(),
        **settings.as_record(),
        "players": players,
        "imported": True,
    }


def _hand(number: int, hand: CheckedHand, factor: int, players: Sequence[int]) -> dict[str, Any]:
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
    return {
        "table": 0,
        "hand": number,
        "level": 1,
        "players": players,
        "stacks": deal.starting,
        "deck": bytes([UNKNOWN_PLACE if card is None else _PLACES[card] for card in cards]),
        "actions": [(seat, amount if amount < 0 else factor * amount, None) for seat, amount in hand.actions],
        "faults": [],
        "pot": factor * hand.pot,
        "payoffs": chips(hand.payoffs),
        "recorded": deal.facts,
    }
