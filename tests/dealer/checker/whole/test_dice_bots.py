"""What dice adds to a check: situations in which good play passes and bad play does not, and numbers of opponents."""

import sys
from functools import partial

from tests.dealer.checker.checked import WHERE, all_at_once, examined, line, missed


async def test_house_bots_of_dice_pass_a_check() -> None:
    async def passes(bot: str, percent: int) -> None:
        command = [sys.executable, "-m", "dealer.main", "bot", bot, *WHERE, "--patience", "0"]
        results = await examined("dice", command, limit=30.0)
        assert missed(results) == set()
        assert (line(results, "situations").verdict == "passed") is (percent == 100)

    bots = {"dice-equilibrium": 100, "dice-memory": 100, "caller": 0}
    await all_at_once({bot: partial(passes, bot, percent) for bot, percent in bots.items()})
