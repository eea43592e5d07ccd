"""The coach, the review and the statistics at a table on a headless screen."""

from functools import partial
from pathlib import Path

from bots.human.coach.advice import Advice, Estimate, Option
from bots.human.local_table import LocalGame
from bots.human.panes import History, advice_text
from bots.human.person_app import Casino
from bots.human.play_statistics import read_statistics
from bots.human.table_order import Order
from bots.human.table_screen import TableScreen
from bots.human.thread_bridge import ThreadBridge, ThreadPlay
from protocol.games.base import Bet
from tests.bots.human.person import Person, on_asyncio, sitting_down

#: With this seed the person has a die that is worth betting on.
DICE = Order("dice", "b", ("dice-equilibrium",), options={"hands": 2}, speed="none")
CALLERS = Order("stud", "a table", ("caller", "caller"), speed="none")


@on_asyncio
async def test_coach_says_what_the_best_bot_would_do_and_what_an_answer_costs() -> None:
    async with sitting_down(CALLERS) as person:
        await person.asked()
        await person.press("f6")
        await person.until(lambda: person.table.advice is not None)
        await person.sees("±")
        advice = person.table.advice
        assert advice is not None
        await person.sees("equally good" if len(advice.equals) > 1 else "stud: ")
        dearest = max(advice.options, key=lambda option: option.cost.chips)
        assert dearest.costs
        assert isinstance(dearest.action, Bet)
        person.slider.near(dearest.action.amount)
        await person.press("f4" if dearest.action.amount else "f3")
        await person.until(lambda: any("The coach: " in line for line in person.table.query_one(History).lines))
        assert person.table.advice is None


def no_game(bridge: ThreadBridge) -> LocalGame:
    raise AssertionError("this game never begins")


def test_no_coach_at_a_dealers_table() -> None:
    table = TableScreen("Dealer", "", partial(ThreadPlay, no_game), lobby=False)
    assert table.check_action("coach", ()) is False
    assert table.check_action("review", ()) is False


@on_asyncio
async def test_one_key_checks_and_calls_to_the_end_of_the_hand() -> None:
    async with sitting_down(Order("stud", "a table", ("maniac", "caller"), speed="none")) as person:
        await person.asked()
        await person.press("f7")
        await person.until(lambda: person.table.waiting is not None)
        lines = person.table.query_one(History).lines
        assert len([line for line in lines if line.startswith(("You call", "You check."))]) > 2
        await person.press("enter")
        await person.asked()  # the next hand asks again
        person.table.action_to_the_end()
        person.table.action_to_the_end()  # before anybody else has acted
        await person.reads("You decide again.")
        await person.asked()  # on the next street, or when the maniac raises


@on_asyncio
async def test_review_at_the_end_and_statistics_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "play.json"
    app = Casino(DICE, statistics=path)
    async with app.run_test(size=(80, 24)) as pilot:
        person = Person(app, pilot)
        while not person.ended:
            await person.until(
                lambda: person.ended or person.table.asked is not None or person.table.waiting is not None
            )
            await person.press("f2" if person.table.asked else "enter")
        await person.sees("Play again", "Review")
        await person.press("right", "right", "right", "enter")
        await person.sees("1. Hand", "chips more.", "Close")
        await person.press("escape")
        await person.sees("Play again")
    assert any(line.startswith("1. Hand") for line in app.closing_lines)
    assert read_statistics(path)["dice"]["dice-equilibrium"].hands == 2


@on_asyncio
async def test_rules_in_the_lobby() -> None:
    async with sitting_down(Order("blockhead", "lobby")) as person:
        await person.sees("Sit down")
        await person.press("f8")
        await person.sees("One card in the hole, two up", "Back to the lobby")
        await person.press("enter")
        await person.sees("Sit down")


def advice(*options: tuple[str, float, float], equals: int = 1) -> Advice:
    told = tuple(
        Option(Bet(place), words, Estimate(chips, error), Estimate(0, 0), place < equals)
        for place, (words, chips, error) in enumerate(options)
    )
    return Advice("holdem", told[0].action, told[0].words, told, told[0], 400, ("tight",))


def lines(advice: Advice, width: int) -> list[str]:
    return advice_text(advice, width).replace("\N{NO-BREAK SPACE}", " ").splitlines()


def test_advice_stands_in_two_columns() -> None:
    few = advice(("raise 30", 2.5, 1), ("fold", 0, 0), ("call 5", 1.25, 0.5), ("raise 10", -2, 6))
    columns = ["fold +0.0      call 5 +1.2±0.5", "raise 10 -2±6"]
    assert lines(few, 48) == ["holdem: raise 30 +2.5±1.0 chips, 400 deals:", *columns]
    assert lines(few, 34) == ["holdem: raise 30 +2.5±1.0 chips:", *columns]
    assert lines(few, 24) == ["holdem: raise 30 +2.5±1.0 chips:", "fold +0.0    call 5 +1.2", "raise 10 -2"]
    assert lines(few, 20) == ["holdem: raise 30 +2.5±1.0 chips: fold +0.0, call 5 +1.2, raise 10 -2"]


def test_nothing_is_advised_where_options_are_equally_good() -> None:
    told = advice(("call 5", 2.5, 1), ("raise 20", 3, 1), ("fold", 0, 0), equals=2)
    assert told.verdict == "These two are equally good: call 5 and raise 20."
    assert lines(told, 48) == [
        "These two are equally good (=), 400 deals:",
        "= call 5 +2.5±1.0  = raise 20 +3.0±1.0",
        "fold +0.0",
    ]
    assert lines(told, 38)[0] == "These two are equally good (=):"
    assert advice(("call 5", 2.5, 1), ("fold", 0, 0)).verdict == "The house's best, holdem: call 5."


@on_asyncio
async def test_advice_is_whole_at_every_size() -> None:
    order = Order("holdem", "advice", ("maniac",), 3, options={"preset": "cornell"}, speed="none")
    async with sitting_down(order, (40, 24)) as person:
        await person.asked()
        await person.press("f6")
        await person.until(lambda: person.table.advice is not None)
        advice = person.table.advice
        assert advice is not None
        head = "equally good (=)" if len(advice.equals) > 1 else f"holdem: {advice.words} "
        for size in ((40, 24), (80, 24), (124, 36)):
            await person.pilot.resize_terminal(*size)
            await person.sees(head, *[f"{option.words} " for option in advice.options])
