"""House bots that answer in this process: what becomes of one that fails."""

from random import Random

import pytest

from dealer.errors import ProgramError
from dealer.versions import answerer
from dealer.versions.answerer import HouseSeat, game_info
from protocol.games.registry import load_game


class Broken:
    """A bot that fails at each call."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def game_begins(self, _: object) -> None:
        raise KeyError("game")

    def decide(self, _: object) -> None:
        raise ValueError("no such table")

    def hand_over(self, _: object) -> None:
        raise ZeroDivisionError("nothing won")


async def test_bot_that_fails_ends_the_command_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answerer, "_maker", lambda _: Broken)
    seat, game = HouseSeat("broken", "chance"), load_game("holdem")()
    hand = game.start(2).deal(game.chance.outcome(game.chance.draw(bytes(32), 0, 1)))
    with pytest.raises(ProgramError, match="the bot 'broken' failed: KeyError: 'game'"):
        await seat.sit_down(0, game_info(game, 0, 2))
    with pytest.raises(ProgramError, match="the bot 'broken' failed: ValueError: no such table"):
        await seat.answer(hand.view(0))
    with pytest.raises(ProgramError, match="the bot 'broken' failed: ZeroDivisionError: nothing won"):
        seat.hand_over("lost")
