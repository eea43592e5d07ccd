"""Journals of every game, and what is in the files that replay them."""

import gzip
import json
from base64 import b64decode
from pathlib import Path
from random import Random
from typing import Any

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.faults import Fault, FaultKind
from dealer.journal.batches import read_journal
from dealer.journal.records import FinishedHandRecord
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.base import FOLD, Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.dice import DiceGame
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from tests.dealer.support.scribe import Answer, Answers, Scribe, players

#: Each game with a number of players.
GAMES: dict[str, tuple[Game, int]] = {
    "stud": (StudGame(60, 2), 4),
    "blockhead": (BlockheadGame(100, 2), 3),
    "holdem": (HoldemGame.from_facts({"stack": 60, "reset_stacks": 1}), 5),
    "dice": (DiceGame(), 2),
}


def by_chance(chance: Random) -> Answers:
    """Answers of every kind; now and then a program sends nonsense, with its cards in it."""

    def answer(player: Player, turn: Any) -> Answer:
        if chance.random() < 0.01:
            cards = " ".join(card.text for card in turn.own)
            return Fault(FaultKind.MALFORMED, f"expected 'fold' or 'bet:<chips>', got 'I am {player.id}: {cards}'")
        legal = turn.legal()
        kind = chance.choices(["fold", "call", "raise"], [2 * legal.fold, 5 * legal.call, 3 * bool(legal.raises)])[0]
        match kind:
            case "fold":
                return FOLD
            case "call":
                return Bet(legal.to_call)
        return Bet(chance.choice([legal.raises[0], legal.raises[-1]]))

    return answer


def write_random(path: Path, name: str, hands: int = 12, seed: int = 5) -> Path:
    """A short tournament of a game, the same each time."""
    game, count = GAMES[name]
    scribe = Scribe(
        Settings(bytes([seed]) * 32, game, hands=hands, table_size=count),
        players(*[f"Avatar {number}" for number in range(count)]),
    )
    scribe.play_round(by_chance(Random(seed)))
    scribe.end()
    return scribe.write(path)


def replayed(path: Path) -> tuple[Ledger, list[tuple[FinishedHandRecord, ReplayedHand]]]:
    """The ledger at the end of a journal, and all hands with their records."""
    rebuild = LedgerRebuild(path)
    hands = [(record, rebuild.take(record)) for record in read_journal(path)]
    return rebuild.ledger, [(told, hand) for told, hand in hands if isinstance(told, FinishedHandRecord) and hand]


def data_of(file: Path) -> Any:
    text = file.read_text("utf-8").partition('id="data">')[2].partition("</script>")[0]
    *hands, facts = gzip.decompress(b64decode(text)).decode().split("\n")
    return {**json.loads(facts), "hands": [json.loads(hand) for hand in hands]}


def frames_in(hand: Any) -> list[Any]:
    """The frames of a hand of such a file, as its script puts them together."""
    frames = [hand["frames"][0]]
    for changes in [*hand["frames"][1:], hand["end"]]:
        frames.append(changed(frames[-1], changes))
    return frames


def changed(facts: Any, changes: Any) -> Any:
    """Facts with changes, as the script of the file makes them."""
    after = dict(facts)
    for name, fact in changes.items():
        if name == "seats":
            after[name] = [changed(seat, fact.get(str(at), {})) for at, seat in enumerate(facts[name])]
        elif fact is None:
            del after[name]
        else:
            after[name] = fact
    return after
