"""The review, the statistics and "call to the end" on the page, and where they are not offered."""

from pathlib import Path

from bots.human.play_statistics import HEADINGS, read_statistics
from tests.bots.human.web.peer import open_peer
from tests.bots.human.web.served import open_house
from tests.bots.human.web.test_looking_back import DICE, fold_to_the_end


async def test_dearest_decisions_and_statistics_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "play.json"
    async with open_house(DICE, statistics=path) as (port, _), open_peer(port) as peer:
        await peer.say("hello", token="")
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
