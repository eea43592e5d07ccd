"""Practice: what is agreed, which habits are reported, chips won by situation, and what is known of each game."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from dealer.audit.decision_value.rollouts import FINALISTS
from dealer.cli.house_bots import check_bots, load_bot
from dealer.errors import OptionError
from dealer.hosting.tournament_settings import UNTIL_ONE_IS_LEFT
from dealer.practice import game_practice, mistakes
from dealer.practice.game_practice import GamePractice, find_practice
from dealer.practice.games import dice, holdem, stud
from dealer.practice.games.stud import PRACTICE
from dealer.practice.mistakes import EFFORTS, Habit, Mistake, Task, losses, most_expensive
from dealer.practice.practice import practice_settings, practise
from dealer.practice.practice_flags import PracticeFlags
from dealer.practice.practice_session import Difference, Winnings
from dealer.settings import Settings
from protocol.games.base import FOLD, Action, Bet
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.level_table import LevelTable
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_command
from tests.dealer.audit.decision_value.test_decision_value import before_the_last_call, situation
from tests.protocol.helpers import deck_of


def difference(number: int, did: Action, better: Action, *situations: str) -> Difference:
    """A decision of the last call of a hand, in which a call wins more than a fold."""
    question = before_the_last_call()
    players = [("caller",)] * 2
    turn = question.questions[-1]
    return Difference(1, 0, number, turn, situations, did, better, players, lambda: question)


CALL = Bet(10)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the usual effort, which is enough for one or two habits."""
    efforts = {name: effort._replace(decisions=effort.decisions // 10) for name, effort in EFFORTS.items()}
    monkeypatch.setattr(mistakes, "EFFORTS", efforts)


def told(*found: Difference, seed: str = "seed") -> list[Mistake]:
    return most_expensive(found, seed, lambda done, total: None)


def test_decisions_of_one_kind_are_one_habit_with_its_cost() -> None:
    folds = [difference(number, FOLD, CALL, "a pair") for number in range(1, 4)]
    (mistake,) = told(*folds)
    assert mistake.habit == Habit(2, ("a pair",), "fold", "call")
    assert (mistake.times, mistake.example.did) == (3, FOLD)
    # worked out by hand in the tests of decision values
    assert mistake.cost.low < 388 / 47 < mistake.cost.high
    assert mistake.cost.high - mistake.cost.low < 2


def test_habit_without_cost_is_not_reported() -> None:
    assert told(difference(1, CALL, CALL), difference(2, CALL, FOLD)) == []
    assert told() == []


def test_habit_counts_by_all_its_decisions_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small loss many times comes before a large one, and what is cheap after all comes last."""
    costs = {"often": 2.0, "once": 10.0, "twice": 3.0, "never": 0.0, "good": -5.0}
    monkeypatch.setattr(mistakes, "JOBS", 1)
    monkeypatch.setattr(
        mistakes, "losses", lambda task: [costs[task.chance.split("'")[1]] + n for n in 9 * (-0.5, 0.5)]
    )
    found = [difference(number, FOLD, CALL, "often") for number in range(9)]
    found += [difference(10, FOLD, CALL, "once"), *[difference(number, FOLD, CALL, "twice") for number in (11, 12)]]
    found += [difference(13, FOLD, CALL, "never"), difference(14, FOLD, CALL, "good")]
    seen: list[tuple[int, int]] = []
    reported = most_expensive(found, "seed", lambda done, total: seen.append((done, total)))
    assert [(mistake.habit.situations, mistake.times) for mistake in reported] == [
        (("often",), 9),
        (("once",), 1),
        (("twice",), 2),
    ]
    assert seen == [(done, 5 + min(FINALISTS, 5)) for done in range(11)]


def test_large_pots_are_drawn_more_often_and_count_by_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Losses in proportion to the pot: whatever is drawn, the mean of all decisions comes out."""
    pots = [10, 20, 300]
    found = []
    for number, pot in enumerate(pots):
        one = difference(number, FOLD, CALL)
        assert isinstance(one.turn, StudTurn)
        found.append(replace(one, turn=one.turn._replace(pot=pot)))
    monkeypatch.setattr(mistakes, "JOBS", 1)
    monkeypatch.setattr(mistakes, "losses", lambda task: [pots[int(task.chance[-1])] / 10 + n for n in (-0.1, 0.1)])
    (mistake,) = told(*found)
    assert mistake.cost.value == pytest.approx(11)
    assert mistake.example.turn.pot == 300


def test_nothing_costs_more_than_was_at_stake() -> None:
    """A royal flush is worth 80 chips that lie there, and a call of 60 puts no more at stake than that and the pot."""
    cards = deck_of("AS KS 2C 7D QS JS 10S 3H 4D")
    question = situation(HoldemGame(stack=200), cards, [Bet(5), *[Bet(0)] * 5, Bet(60)])
    players = [("caller",)] * 2
    assert losses(Task(question, players, FOLD, Bet(60), "x", 3, 2)) == [80] * 3
    # a raise of all chips wins more from a caller than the call; after a fold it would be more than that
    assert losses(Task(question, players, FOLD, Bet(190), "x", 1, 2)) == [80 + 130]


def test_same_seed_measures_the_same_on_any_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    folds = [difference(number, FOLD, CALL) for number in range(2)]
    one, other = told(*folds, seed="a"), told(*folds, seed="b")
    monkeypatch.setattr(mistakes, "JOBS", 1)
    assert told(*folds, seed="a")[0].cost == one[0].cost != other[0].cost


@pytest.mark.parametrize(
    ("did", "better", "words"),
    [
        (FOLD, Bet(10), ("fold", "call")),
        (Bet(10), Bet(20), ("call", "raise")),
        (Bet(12), Bet(20), ("raise less", "raise more")),
        (Bet(20), Bet(12), ("raise more", "raise less")),
    ],
)
def test_habit_in_words(did: Action, better: Action, words: Sequence[str]) -> None:
    habit = Habit.of(difference(1, did, better))
    assert (habit.did, habit.better) == words


def turns(*questions: str) -> list[StudTurn]:
    found = [decode_command(question) for question in questions]
    assert all(isinstance(turn, StudTurn) for turn in found)
    return [turn for turn in found if isinstance(turn, StudTurn)]


def test_hand_counts_once_in_each_of_its_situations() -> None:
    winnings = Winnings(PRACTICE)
    asked_twice = "bet1:499:2:0:2S:AH:up:AH:KH", "bet1:499:12:10:2S:AH:up:AH:KH"
    winnings.add(turns(*asked_twice, "bet2:489:22:0:2S:AH:AD:up:AH:AD:KH:5D"), 40)
    winnings.add(turns("bet1:499:2:0:3H:AH:up:AH:KH"), -1)
    winnings.add([], 3)  # it was never asked
    found = {(row.street, row.situation): (row.hands, row.chips and row.chips.value) for row in winnings.rows()}
    assert found == {
        (1, "all"): (2, 19.5),
        (1, "a pair, or three of a kind"): (0, None),
        (1, "high card"): (2, 19.5),
        (1, "a spade in the hole"): (1, 40),
        (1, "facing a raise"): (1, 40),
        (2, "all"): (1, 40),
        (2, "a pair, or three of a kind"): (1, 40),
        (2, "high card"): (0, None),
        (2, "a spade in the hole"): (1, 40),
        (2, "facing a raise"): (0, None),
    }
    assert sum(winnings.payoffs) / len(winnings.payoffs) == pytest.approx(14)


def agreed(game: str = "holdem", players: int = 3, flags: PracticeFlags | None = None, **options: Any) -> Settings:
    return practice_settings(game, flags or PracticeFlags(), options, "x", players)


@pytest.mark.parametrize("game", ["stud", "holdem"])
def test_usual_tournaments_are_short_and_stakes_rise(game: str) -> None:
    settings = agreed(game)
    assert (settings.game.facts["stack"], settings.levels, settings.hands) == (200, 10, UNTIL_ONE_IS_LEFT)
    assert (settings.rounds, settings.limit) == (10, 1.0)
    assert agreed(game, flags=PracticeFlags(stack=77, levels=3)).game.facts["stack"] == 77


@pytest.mark.parametrize(("preset", "stack", "hands", "most"), [("royale", 1000, 25, 7), ("cornell", 5000, 10_000, 8)])
def test_a_preset_sets_stack_hands_and_seats(preset: str, stack: int, hands: int, most: int) -> None:
    settings = agreed(preset=preset)
    assert (settings.game.facts["stack"], settings.levels, settings.hands) == (stack, None, hands)
    assert agreed(players=most, preset=preset).table_size == most
    with pytest.raises(OptionError, match=f"^holdem is played by 2 to {most}: give at most {most - 1} house bots$"):
        agreed(players=most + 1, preset=preset)
    assert agreed(flags=PracticeFlags(stack=77), preset=preset).game.facts["stack"] == 77


def test_options_that_set_others_or_none() -> None:
    """Equal stacks have no levels; a game for two has one opponent."""
    assert agreed(betting="fixed-limit").game.facts["stack"] == 200
    settings = agreed(reset_stacks=1)
    assert (settings.levels, settings.hands) == (None, 200)
    with pytest.raises(OptionError, match=r"^dice is played by 2: give at most 1 house bot$"):
        agreed("dice")


def test_levels_by_a_table() -> None:
    settings = agreed(flags=PracticeFlags(level_table="sit-and-go"))
    assert isinstance(settings.levels, LevelTable)
    assert settings.hands == UNTIL_ONE_IS_LEFT
    with pytest.raises(OptionError, match=r"^--level-table says how long each level is; leave out --levels$"):
        agreed(flags=PracticeFlags(level_table="sit-and-go", levels=5))
    with pytest.raises(OptionError, match=r"^--levels needs blinds or an ante"):
        agreed(flags=PracticeFlags(levels=5), preset="royale")


@pytest.mark.parametrize(
    ("game", "practice"), [("dice", dice.PRACTICE), ("holdem", holdem.PRACTICE), ("stud", stud.PRACTICE)]
)
def test_game_is_known_and_its_teacher_plays_it(game: str, practice: GamePractice) -> None:
    assert find_practice(game) is practice
    check_bots([practice.teacher], game)
    assert callable(load_bot(practice.teacher))


def test_package_brings_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_practice, "load_installed", lambda *_: stud.PRACTICE)
    assert find_practice("leduc") is stud.PRACTICE


async def test_practice_of_unknown_game_starts_nothing() -> None:
    words = "^practice does not know blockhead yet; it knows dice, holdem, stud$"
    with pytest.raises(OptionError, match=words) as error:
        await practise("blockhead", ("x", "{port}"), PracticeFlags())
    assert error.value.exit_code == 2


def test_bot_of_another_game_is_refused() -> None:
    with pytest.raises(OptionError, match="the bot 'alpha' plays blockhead, not stud"):
        check_bots(["tight", "alpha"], "stud")


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("AS AD 2C 7D QS JS 10S 3H 4D", {"a pair in the hole"}),
        ("QD AS 2C 7D QS JS 10S 3H 4D", {"a pair with the board"}),
        ("AS KD 2C 7D QS JS 9S 3H 4D", {"no pair"}),
    ],
)
def test_situations_of_a_question(cards: str, expected: set[str]) -> None:
    question = situation(HoldemGame(stack=200), deck_of(cards), [Bet(5), *[Bet(0)] * 5, Bet(60)])
    turn = question.questions[-1]
    assert isinstance(turn, HoldemTurn)
    assert {name for name, shows in holdem.PRACTICE.situations.items() if shows(turn)} == {
        "facing a bet",
        "one opponent left",
        *expected,
    }


def test_house_bots_play_themselves_where_they_are_quick() -> None:
    assert PRACTICE.players([None, "caller", "stud"]) == [PRACTICE.company, ("caller",), PRACTICE.company]
    for game, practice in ("dice", dice.PRACTICE), ("holdem", holdem.PRACTICE), ("stud", stud.PRACTICE):
        check_bots([*practice.quick, *practice.company], game)
