"""The story of tournaments of every game, and of odd ones, sentence by sentence."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dealer.faults import Fault, FaultKind
from dealer.ledger.columns import FAULTS
from dealer.lobby.player import Player
from dealer.report.page_tables import faults_and_departures
from dealer.report.story import names_in_words, story
from dealer.settings import Settings
from protocol.games.base import FOLD, Action, Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.dice import DiceGame
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.reported import contents_of, cut_journal
from tests.dealer.support.rig import SEED
from tests.dealer.support.scribe import Answer, Answers, Scribe
from tests.dealer.support.scribe import players as some_players

NAMES = ("Ada", "Ben", "Cem", "Dot")


def by_chance() -> Answers:
    """Calls mostly, raises now and then, and folds rarely."""
    rng = Random(1)

    def answer(player: Player, turn: Any) -> Answer:
        legal = turn.legal()
        raises: list[Action] = [Bet(legal.raises[-1])] if legal.raises and rng.random() < 0.2 else []
        fold: list[Action] = [FOLD] if legal.fold and rng.random() < 0.1 else []
        found: Action = next(iter([*raises, *fold, *([Bet(legal.to_call)] if legal.call else []), *legal]))
        return found

    return answer


def call(player: Player, turn: Any) -> Answer:
    legal = turn.legal()
    return Bet(legal.to_call) if legal.call else FOLD


def told(path: Path) -> list[str]:
    contents = contents_of(path)
    return story(contents, lambda player: contents.labels[player].short)


def play_games(scribe: Scribe, answers: Answers) -> None:
    table = scribe.ledger.seating.tables[0]
    while not scribe.ledger.seating.table_over(table):
        scribe.game()
        while not table.game_over:
            scribe.hand(answers)


def tell(
    tmp_path: Path,
    settings: Settings,
    *,
    names: Sequence[str] = NAMES,
    answers: Answers | None = None,
    then: Callable[[Scribe], None] = lambda scribe: None,
) -> list[str]:
    """The story of a tournament that is played to its end."""
    scribe = Scribe(settings, some_players(*names))
    for number in range(scribe.ledger.seating.rounds):
        if number:
            scribe.round()
        if settings.games > 1:
            play_games(scribe, answers or by_chance())
        else:
            scribe.play_round(answers or by_chance())
    then(scribe)
    scribe.ledger.end_round()
    scribe.end()
    return told(scribe.write(tmp_path / "journal"))


def fault_in(kind: FaultKind, *numbers: int) -> Answers:
    """Players with these numbers break a rule at their first question; the others call."""

    def answer(player: Player, turn: Any) -> Answer:
        return Fault(kind, "no complete reply came") if player.number in numbers else call(player, turn)

    return answer


STUD = StudGame(60, 2)
CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "stud": (
        {"settings": Settings(SEED, STUD, hands=40)},
        [
            (
                "Dot won the tournament of three-card stud with 152 chips, 64 more than Ada: 4 players, 40 "
                "hands, 189 decisions."
            ),
            "The lead in chips changed once: Dot took it from Cem in hand 3.",
            "The largest pot held 118 chips, in hand 7: Dot won it with ace high.",
            "2 of 4 players ran out of chips, the first of them Ben in hand 9; Dot knocked out 2.",
            "Nobody broke the rules; a typical reply took 594 ms, and the slowest, of Ada, 1.3 s.",
        ],
    ),
    "blockhead": (
        {"settings": Settings(SEED, BlockheadGame(hands=6), hands=6, games=3)},
        [
            "Ben won the tournament of Blockhead Poker with 2 of 3 games won: 4 players, 18 hands, 266 decisions.",
            "The lead in chips changed twice; Ben took it in hand 17 and kept it to the end.",
            "The largest pot held 320 chips, in hand 1: Ben won it with sum 42.",
            "Nobody fell: all 4 players were there to the last hand.",
            "Nobody broke the rules; a typical reply took 630 ms, and the slowest, of Dot, 1.3 s.",
        ],
    ),
    "holdem": (
        {"settings": Settings(SEED, HoldemGame(200), hands=40)},
        [
            "Ada won the tournament of Texas Hold'em with all 800 chips: 4 players, 3 hands, 11 decisions.",
            "Ada had the most chips from hand 2 to the end.",
            (
                "The largest pot held 800 chips, in hand 1: Ada, Ben, Cem and Dot shared it, a tie with a full "
                "house, jacks over sixes."
            ),
            "3 of 4 players ran out of chips, the first of them Cem in hand 2; Ada knocked out 3.",
            "Nobody broke the rules; a typical reply took 186 ms, and the slowest, of Ada, 408 ms.",
        ],
    ),
    "dice": (
        {"settings": Settings(SEED, DiceGame(hands=5), hands=5, format="round-robin", table_size=2)},
        [
            "Ben won the tournament of Dice with 3 points: 4 players, 30 hands, 54 decisions.",
            "Ben was first after 2 of the 3 rounds; 4 players led in all.",
            "The largest pot held 34 chips, in hand 2 at table 3: Cem won it with a six.",
            "Nobody fell: all 4 players were there to the last hand.",
            "Nobody broke the rules; a typical reply took 520 ms, and the slowest, of Cem, 1.3 s.",
        ],
    ),
    "one hand": (
        {"settings": Settings(SEED, STUD, hands=1), "names": ("Ada", "Ben"), "answers": call},
        [
            (
                "Ada and Ben share the first place of the tournament of three-card stud, each with 60 chips: 2 "
                "players, 1 hand, 4 decisions."
            ),
            "No player ever had the most chips alone.",
            (
                "The pot of the only hand held 4 chips: Ada and Ben shared it, Ada with the highest spade in "
                "the hole, Ben with king high."
            ),
            "Nobody fell: both players were there to the last hand.",
            "Nobody broke the rules; a typical reply took 74.26 ms, and the slowest, of Ben, 149 ms.",
        ],
    ),
    "everybody folds": (
        {"settings": Settings(SEED, STUD, hands=2), "answers": lambda player, turn: FOLD},
        [
            (
                "Ben and Cem share the first place of the tournament of three-card stud, each with 64 chips: 4 "
                "players, 2 hands, 6 decisions."
            ),
            "Cem had the most chips alone from hand 1 on, but not to the end.",
            "The largest pot held 8 chips, in hand 1: Cem won it when all others folded.",
            "Nobody fell: all 4 players were there to the last hand.",
            "Nobody broke the rules; a typical reply took 111 ms, and the slowest, of Ada, 223 ms.",
        ],
    ),
    "nobody fell": (
        {"settings": Settings(SEED, STUD, hands=3), "answers": call},
        [
            (
                "Ben and Cem share the first place of the tournament of three-card stud, each with 62 chips: 4 "
                "players, 3 hands, 24 decisions."
            ),
            "Cem had the most chips alone from hand 2 on, but not to the end.",
            (
                "The largest pot held 8 chips, in hand 1: Ada and Dot shared it, Ada with the highest spade in "
                "the hole, Dot with a pair of jacks."
            ),
            "Nobody fell: all 4 players were there to the last hand.",
            "Nobody broke the rules; a typical reply took 408 ms, and the slowest, of Ben, 891 ms.",
        ],
    ),
    "all fell by faults": (
        {"settings": Settings(SEED, STUD, hands=3), "answers": fault_in(FaultKind.LATE, 1, 2, 3)},
        [
            "Ada won the tournament of three-card stud with 66 chips: 4 players, 1 hand, 1 decision.",
            "Ada had the most chips from the first hand to the end.",
            "The pot of the only hand held 8 chips: Ada won it when all others folded.",
            "3 of 4 players had to leave for faults (3 late).",
            (
                "3 players broke the rules, 3 times in all; the most frequent fault was a reply that came too "
                "late or never (3 times)."
            ),
        ],
    ),
    "one fault": (
        {"settings": Settings(SEED, STUD, hands=3), "answers": fault_in(FaultKind.MALFORMED, 2)},
        [
            (
                "Dot won the tournament of three-card stud with 64 chips, 4 more than Ben: 4 players, 3 hands, "
                "18 decisions."
            ),
            "Dot had the most chips from hand 2 to the end.",
            (
                "The largest pot held 8 chips, in hand 1: Ada and Dot shared it, Ada with the highest spade in "
                "the hole, Dot with a pair of jacks."
            ),
            "1 of 4 players had to leave for a fault (malformed).",
            "1 player broke the rules once: a reply that could not be read.",
        ],
    ),
    "one program with a fault of two": (
        {"settings": Settings(SEED, STUD, hands=3), "names": ("Ada", "Ben"), "answers": fault_in(FaultKind.GONE, 1)},
        [
            "Ada won the tournament of three-card stud with 62 chips: 2 players, 1 hand, 0 decisions.",
            "Ada had the most chips from the first hand to the end.",
            "The pot of the only hand held 4 chips: Ada won it when all others folded.",
            "1 of 2 players had to leave for a fault (gone).",
            "1 player broke the rules once: a connection that ended too early.",
        ],
    ),
    "series": (
        {"settings": Settings(SEED, STUD, hands=20, rounds=2)},
        [
            "Dot won the tournament of three-card stud with 4 points: 4 players, 40 hands, 231 decisions.",
            "Dot was first after each of the 2 rounds.",
            "The largest pot held 118 chips, in hand 7 at table 0: Dot won it with ace high.",
            "In 2 rounds players ran out of chips 4 times, first Ben in hand 9 at table 0; Dot knocked out 2.",
            "Nobody broke the rules; a typical reply took 666 ms, and the slowest, of Ada, 1.3 s.",
        ],
    ),
    "duplicate": (
        {"settings": Settings(SEED, HoldemGame(200), hands=1, games=3, duplicate=True)},
        [
            (
                "Dot won the tournament of Texas Hold'em with 603 chips, 599 more than Ben: 4 players, 12 "
                "hands, 80 decisions."
            ),
            "The lead in chips changed 3 times; Dot took it in hand 12 and kept it to the end.",
            (
                "The largest pot held 800 chips, in hand 1: Ada, Ben, Cem and Dot shared it, a tie with a full "
                "house, jacks over sixes."
            ),
            "Nobody fell: all 4 players were there to the last hand.",
            "Nobody broke the rules; a typical reply took 556 ms, and the slowest, of Cem, 1.3 s.",
        ],
    ),
    "tables": (
        {
            "settings": Settings(SEED, STUD, hands=40, table_size=2, levels=5),
            "names": ("Ada", "Ben", "Cem", "Dot", "Eve"),
        },
        [
            (
                "Cem won the tournament of three-card stud with 220 chips, 140 more than Ben: 5 players, 56 "
                "hands, 202 decisions."
            ),
            "The lead in chips changed 11 times; Cem took it in hand 36 at table 0 and kept it to the end.",
            "The largest pot held 80 chips, in hand 19 at table 0: Cem won it with king high.",
            "3 of 5 players ran out of chips, the first of them Ada in hand 10 at table 0; Dot knocked out 1.",
            "Nobody broke the rules; a typical reply took 630 ms, and the slowest, of Ada, 1.3 s.",
        ],
    ),
    "swiss": (
        {"settings": Settings(SEED, STUD, hands=4, format="swiss", table_size=2)},
        [
            "Dot won the tournament of three-card stud with 3 points: 4 players, 24 hands, 96 decisions.",
            "Dot was first after each of the 3 rounds.",
            (
                "The largest pot held 44 chips, in hand 2 at table 1: Dot and Ben shared it, Dot with a pair of "
                "twos, Ben with the highest spade in the hole."
            ),
            "Nobody fell: all 4 players were there to the last hand.",
            "Nobody broke the rules; a typical reply took 630 ms, and the slowest, of Cem, 1.3 s.",
        ],
    ),
    "removed": (
        {
            "settings": Settings(SEED, STUD, hands=3),
            "answers": call,
            "then": lambda scribe: scribe.remove(scribe.players[3], "asked to go home"),
        },
        [
            (
                "Ben and Cem share the first place of the tournament of three-card stud, each with 62 chips: 4 "
                "players, 3 hands, 24 decisions."
            ),
            "Cem had the most chips alone from hand 2 on, but not to the end.",
            (
                "The largest pot held 8 chips, in hand 1: Ada and Dot shared it, Ada with the highest spade in "
                "the hole, Dot with a pair of jacks."
            ),
            "The host removed 1 player.",
            "Nobody broke the rules; a typical reply took 408 ms, and the slowest, of Ben, 891 ms.",
        ],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_story(case: str, tmp_path: Path) -> None:
    tournament, sentences = CASES[case]
    assert tell(tmp_path, **tournament) == sentences


@pytest.mark.parametrize("case", ["stud", "holdem", "tables", "duplicate"])
def test_story_agrees_with_the_records(case: str, tmp_path: Path) -> None:
    """The largest pot, who fell first, and how many, from the records without any other part of the report."""
    sentences = tell(tmp_path, **CASES[case][0])
    records = list(read_raw(tmp_path / "journal"))
    hands = [record for record in records if record["type"] == "hand"]
    most = max(hands, key=lambda record: record["pot"])
    assert f"{most['pot']:,} chips, in hand {most['hand']}" in sentences[2]
    broke = [record for record in records if record["type"] == "out"]
    first = f"{len(broke)} of {len(CASES[case][0].get('names', NAMES))} players ran out of chips, the first of them "
    if broke:
        names = CASES[case][0].get("names", NAMES)
        assert sentences[3].startswith(f"{first}{names[broke[0]['player']]} in hand {broke[0]['hand']}")
    decisions = sum(micros is not None for record in hands for _, _, micros in record["actions"])
    assert f"{len(hands):,} hands, {decisions:,} decisions." in sentences[0]


def test_tournament_that_has_not_ended(tmp_path: Path) -> None:
    tell(tmp_path, Settings(SEED, STUD, hands=40))
    cut_journal(tmp_path / "journal", tmp_path / "cut", 9)
    sentences = told(tmp_path / "cut")
    assert sentences[0].startswith("Dot leads the tournament of three-card stud so far: 4 players, 7 hands")
    assert sentences[1].endswith("Dot took it from Cem in hand 3.")


def test_tournament_without_a_hand(tmp_path: Path) -> None:
    scribe = Scribe(Settings(SEED, STUD, hands=3), some_players(*NAMES))
    scribe.end()
    assert told(scribe.write(tmp_path / "journal")) == ["No hand was played: 4 players came to three-card stud."]


def test_names_in_a_sentence() -> None:
    players = some_players("A", "B", "C", "D", "E")
    words = [names_in_words(players[:count], lambda player: player.avatar) for count in range(1, 6)]
    assert words == ["A", "A and B", "A, B and C", "A, B, C and D", "A, B, C and 2 others"]


def test_player_who_quits_broke_no_rule(tmp_path: Path) -> None:
    counted: list[object] = []

    def look(scribe: Scribe) -> None:
        counted.extend(FAULTS.number(FAULTS.value(standing)) for standing in scribe.ledger.standings())

    settings = Settings(SEED, StudGame(60, 2), hands=3)
    text = " ".join(tell(tmp_path, settings, answers=fault_in(FaultKind.QUIT, 1), then=look))
    assert counted == [0, 0, 0, 0]
    assert "Nobody broke the rules" in text
    assert "had to leave for" not in text
    assert "1 player left of its own accord" in text.replace("One", "1")
    contents = contents_of(tmp_path / "journal")
    (gone,) = faults_and_departures(contents)
    assert (gone.faults, gone.left.startswith("Left in hand 1")) == ([], True)
