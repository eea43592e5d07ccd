"""The page's WebSocket: orders and states, a seat that outlives its connection, and browsers that misbehave."""

from bots.human.table_order import Order
from tests.bots.human.web.peer import open_peer
from tests.bots.human.web.served import open_house


async def test_chances_are_counted_when_asked_for() -> None:
    async with open_house() as (port, _), open_peer(port) as peer:
        await peer.say("hello", token="")
        assert (await peer.hear_turn())["chances"] is None
        await peer.say("odds")
        state = await peer.hear("state", lambda state: state["chances"])
        assert 0 < state["chances"]["share"] < 1
        assert state["asked"] is not None


async def test_coach_says_what_the_house_does_and_what_a_choice_costs() -> None:
    async with open_house(Order("dice", "page", ("dice-four",), speed="none")) as (port, _), open_peer(port) as peer:
        await peer.say("hello", token="")
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
