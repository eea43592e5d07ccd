"""The check of hold'em programs: every faulty program is found with every seed, and no sound one is accused.

All programs and seeds, some minutes: ``pytest -m heavy tests/dealer/checker/test_holdem_cases.py``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

import pytest

from dealer.checker.cases.holdem import LIMITS, games_of, parts, parts_of, unequal_hands
from dealer.checker.check import NO_OPTIONS
from dealer.cli.house_bots import load_bot
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_betting import Limit
from protocol.games.holdem_turn import HoldemTurn
from protocol.wire.codec import encode
from protocol.wire.holdem import decode_turn
from tests.bad_bots import holdem_programs as programs
from tests.dealer.checker.checked import failed, line
from tests.dealer.checker.in_process import Make, checked
from tests.dealer.checker.played_deals import played

#: Hands of each longer part; the command plays 200 if it is told nothing else.
HANDS = 60
SEEDS = 20

#: The line of the rubric that fails, and words of the likely cause.
FAULTY: dict[type[programs.Sound], tuple[str, str]] = {
    programs.RaisesByTheBlind: ("legal", "less than the least raise"),
    programs.RaisesAfterAShortAllIn: ("legal", "no raise is allowed"),
    programs.BetsTheTotal: ("legal", ""),
    programs.BetsTheRaiseAlone: ("legal", "the raise alone"),
    programs.RaisesBy200: ("legal", "it always raises by 200"),
    programs.OneAboveTheMost: ("legal", "one chip more than the most"),
    programs.OneTooMany: ("legal", "a chip more than a call"),
    programs.DoublesEveryBet: ("legal", "by more than is allowed"),
    programs.BetsTwiceThePot: ("legal", "more than is allowed"),
    programs.AlwaysAllIn: ("legal", "its whole stack"),
    programs.CallsBeyondItsStack: ("legal", "more chips than it has"),
    programs.KeepsAChip: ("legal", ""),
    programs.ChecksABet: ("legal", "checks with bet:0 although something is owed"),
    programs.StaleLeast: ("legal", ""),
    programs.OneBlindAlways: ("legal", ""),
    programs.FixedPlaces: ("answers", ""),
    programs.KnowsNoAllIn: ("answers", ""),
    programs.SixSeats: ("answers", ""),
    programs.OneCharacterRanks: ("answers", ""),  # no cause if its very first question has a ten
    programs.KnowsNoTurn: ("answers", "it does not know bet3"),
    programs.WaitsOnTheButton: ("answers", ""),
    programs.SilentAtTheOption: ("answers", ""),
    programs.AnswersAfterAllIn: ("answers", ""),
    programs.NeedsFiveCards: ("news", "crashes on status"),
    programs.OneWinner: ("news", "crashes on status"),
}
SOUND = (
    programs.Sound,
    programs.MostRaiser,
    programs.LeastRaiser,
    programs.Caller,
    programs.Folder,
    programs.AnyReply,
)
#: House bots of many styles; those that take roll-outs need a few milliseconds for a reply.
HOUSE = (
    "caller",
    "maniac",
    "random",
    "simple",
    "cornell",
    "cornell-easy",
    "cornell-hard",
    "tight",
    "sklansky",
    "equity",
    "rollout-5",
)


def found(program: type[programs.Sound], seed: int) -> None:
    """Assert that the program fails the line that it breaks, for the cause that it has."""
    results = checked(program, f"holdem-{seed}", hands=HANDS, limit=0.5, game="holdem").results
    wrong, cause = FAULTY[program]
    assert wrong in failed(results), (program.__name__, seed)
    if cause:
        causes = [finding.cause for finding in line(results, wrong).findings]
        assert any(cause in one for one in causes), (program.__name__, seed, causes)


@pytest.mark.heavy
@pytest.mark.parametrize("program", FAULTY, ids=lambda program: program.__name__)
def test_faulty_program_is_found_with_every_seed(program: type[programs.Sound]) -> None:
    for seed in range(SEEDS):
        found(program, seed)


def house(name: str) -> Make:
    """A house bot as a program that decodes its questions itself."""

    class House(programs.Sound):
        def __init__(self, host: str, port: str) -> None:
            super().__init__(host, port)
            self.bot = load_bot(name)(Random(1))

        def reply(self, fields: list[str]) -> str:
            turn = decode_turn(int(fields[0].removeprefix("bet")), ":".join(fields[1:]))
            return encode(self.bot.decide(turn))

    return House


def accused(program: Make, seed: str, hands: int = HANDS, options: Mapping[str, str] = NO_OPTIONS) -> None:
    """Assert that no line fails."""
    results = checked(program, seed, hands=hands, limit=0.5, game="holdem", options=options).results
    assert failed(results) == set()
    assert results.passed


@pytest.mark.parametrize("program", SOUND, ids=lambda program: program.__name__)
def test_sound_program_is_not_accused(program: type[programs.Sound]) -> None:
    accused(program, "sound", 20)


@pytest.mark.heavy
@pytest.mark.parametrize("program", SOUND, ids=lambda program: program.__name__)
def test_sound_program_is_not_accused_with_any_seed(program: type[programs.Sound]) -> None:
    for seed in range(SEEDS):
        accused(program, f"sound-{seed}")


@pytest.mark.heavy
@pytest.mark.parametrize("bot", HOUSE)
def test_house_bot_is_not_accused_with_any_seed(bot: str) -> None:
    for seed in range(SEEDS):
        accused(house(bot), f"house-{seed}")


def kinds_of_turn(turn: HoldemTurn) -> Iterator[str]:
    """What is special about a question."""
    states = [seat.state for seat in turn.seats]
    if len(turn.seats) == 2:
        yield "heads-up"
    if "allin" in states:
        yield "a player all in"
    if turn.street == 1 and not turn.owed and max(seat.put for seat in turn.seats):
        yield "the big blind's option"
    if turn.owed == turn.stack:
        yield "a call for all chips"
    if not turn.least and turn.owed < turn.stack:
        yield "no raise allowed"
    if turn.least == turn.stack:
        yield "all in is the only raise"


@pytest.mark.parametrize("limit", LIMITS)
def test_hands_bring_every_kind_of_question(limit: Limit) -> None:
    kinds = Counter[str]()
    for deal in unequal_hands(Random(1), games_of(limit), 200):
        for asked in played(deal)[0]:
            assert isinstance(asked.turn, HoldemTurn)
            kinds.update(kinds_of_turn(asked.turn))
    assert min(kinds.values()) >= 5, kinds
    assert set(kinds) == {
        "heads-up",
        "a player all in",
        "the big blind's option",
        "a call for all chips",
        "no raise allowed",
        "all in is the only raise",
    }


def test_every_limit_has_a_part_and_is_announced() -> None:
    by_name = {part.name: part for part in parts("a", 10)}
    for limit in LIMITS:
        deals = list(by_name[f"{limit} hands, stacks of all sizes"].deals)
        assert len(deals) == 10
        told = [deal.before for deal in deals]
        assert all(info is not None and f"betting={limit}" in encode(info) for info in told)


def test_side_pots_are_settled() -> None:
    pots = [len(played(deal)[1].pots) for deal in unequal_hands(Random(2), games_of("no-limit"), 100)]
    assert sum(count > 1 for count in pots) >= 10


def test_hands_are_those_of_the_rules() -> None:
    """Blinds, antes and the least bet are those that the game is announced with."""
    for deal in unequal_hands(Random(3), games_of("fixed-limit"), 30):
        assert deal.hand.betting == HoldemGame(betting="fixed-limit").bets  # type: ignore[attr-defined]


PRESETS = [{"preset": "cornell"}, {"preset": "royale"}]


@pytest.mark.parametrize("options", PRESETS, ids=str)
def test_presets_have_parts_of_their_own(options: dict[str, str]) -> None:
    """No more players sit down than the preset allows, and every hand is announced with it."""
    game = HoldemGame.from_facts(options)
    made = parts_of(game, "a", 30)
    assert [part.name for part in made][-2:] == ["hands of all kinds", "hands, stacks of all sizes"]
    for part in made[2:]:
        deals = list(part.deals)
        told = [encode(deal.before) for deal in deals if deal.before is not None]
        assert told
        assert all(f"preset={options['preset']}" in text for text in told)
        assert {len(deal.hand.stacks) for deal in deals} <= set(game.table_seats)
