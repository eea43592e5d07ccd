"""Journals of hold'em in which programs decide by chance."""

from pathlib import Path
from random import Random
from typing import Any

from dealer.faults import Fault, FaultKind
from dealer.lobby.player import Player
from dealer.settings import AcpcTerms, Settings
from protocol.games.base import FOLD, Bet
from protocol.games.holdem import HoldemGame
from tests.dealer.support.scribe import Answer, Scribe, players

LATE = Fault(FaultKind.LATE, "no complete reply within 1 s")


def by_chance(chance: Random) -> Any:
    """Answers with few folds, and raises of every size; now and then a program is late."""

    def answer(_: Player, turn: Any) -> Answer:
        if chance.random() < 0.002:
            return LATE
        legal = turn.legal()
        kinds = [1 if turn.owed else 0, 5, 3 if legal.raises else 0]
        match chance.choices(["fold", "call", "raise"], kinds)[0]:
            case "fold":
                return FOLD
            case "call":
                return Bet(legal.to_call)
        return Bet(chance.choice([legal.raises[0], legal.raises[-1], chance.choice(legal.raises)]))

    return answer


def random_game(chance: Random) -> HoldemGame:
    """Any limit, with blinds, antes, straddles, and stacks from half a blind to a hundred."""
    facts: dict[str, int | str] = {
        "betting": chance.choice(["no-limit", "pot-limit", "fixed-limit"]),
        "stack": chance.choice([30, 100, 1000]),
        "small_blind": chance.choice([5, 10, 2]),
        "reset_stacks": chance.choice([0, 0, 1]),
        "straddle": chance.choice([0, 0, 20]),
    }
    match chance.choice(["none", "all", "big"]):
        case "all":
            facts["ante"] = chance.choice([1, 3])
        case "big":
            facts["big_blind_ante"] = 10
    return HoldemGame.from_facts(facts)


def write_league(
    path: Path,
    chance: Random,
    game: HoldemGame | None = None,
    hands: int = 12,
    *,
    one_table: bool = False,
    acpc: AcpcTerms | None = None,
) -> Path:
    """A tournament at one table, or at two with levels that rise or not."""
    count = chance.choice([2, 2, 3, 4, 6, 9, 10])
    levels = chance.choice([None, None, 4])
    size = max(2, count // 2)
    if one_table:
        levels, size = None, count
    seed = chance.randbytes(32)
    game = game or random_game(chance)
    settings = Settings(seed, game, hands=hands, table_size=size, levels=levels, acpc=acpc)
    scribe = Scribe(settings, players(*[f'Player "{number}" \\' for number in range(count)]))
    scribe.play_round(by_chance(chance))
    scribe.end()
    return scribe.write(path)
