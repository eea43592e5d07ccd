"""What a person asks for on the page: chances, the coach, and the review at the end."""

from pathlib import Path

from bots.human.play_statistics import HEADINGS, read_statistics
from bots.human.table_order import Order
from tests.bots.human.web.peer import open_guest, open_house
from tests.bots.human.web.test_connection import DICE, fold_to_the_end


async def test_chances_are_counted_when_asked_for() -> None:
    async with open_house() as (port, _), open_guest(port) as peer:
        assert (await peer.hear_turn())["chances"] is None
        await peer.say("odds")
        state = await peer.hear("state", lambda state: state["chances"])
        assert 0 < state["chances"]["share"] < 1
        assert state["asked"] is not None


async def test_coach_says_what_the_house_does_and_what_a_choice_costs() -> None:
    async with open_house(Order("dice", "page", ("dice-four",), speed="none")) as (port, _), open_guest(port) as peer:
        state = await peer.hear_turn()
        assert (state["canAsk"], state["advice"]) == (True, None)
        await peer.say("coach")
        advice = (await peer.hear("state", lambda state: state["advice"]))["advice"]
        (dear,) = [option for option in advice["options"] if option["cost"]]
        (best,) = [option for option in advice["options"] if option["cost"] is None]
        assert advice["verdict"] == f"The house's best, dice-equilibrium: {best['words']}."
        if dear["words"] == "fold":
            await peer.say("act", number=state["asked"]["number"])
        else:
            await peer.call(state)
        lines: list[str] = []
        while not any(line.startswith("The coach: ") for line in lines):
            lines += (await peer.hear("state"))["lines"]


async def test_dearest_decisions_and_statistics_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "play.json"
    async with open_house(DICE, statistics=path) as (port, _), open_guest(port) as peer:
        state = await peer.hear_turn()
        assert (state["canReview"], state["review"], state["statistics"]) == (False, None, None)
        await peer.say("review")
        state = await peer.hear("state", lambda state: state["review"])
        assert state["review"]["lines"] == ["You have not decided anything yet."]
        await peer.say("act", number=state["asked"]["number"])
        await fold_to_the_end(peer)
        state = await peer.hear("state", lambda state: state["statistics"])
        assert state["statistics"][0] == list(HEADINGS)
        assert [row[:3] for row in state["statistics"][1]] == [["dice", "all", "2"], ["dice", "dice-equilibrium", "2"]]
        await peer.say("review")
        state = await peer.hear("state", lambda state: state["review"]["looks"])
        assert state["review"]["lines"] == []
        review = (await peer.hear("state", lambda state: state["review"]["method"]))["review"]
        assert review["lines"][0].startswith("1. Hand ")
        await peer.say("lobby")
        offer = await peer.hear("first")
        assert offer["statistics"][1] == state["statistics"][1]
    assert read_statistics(path)["dice"]["dice-equilibrium"].hands == 2
