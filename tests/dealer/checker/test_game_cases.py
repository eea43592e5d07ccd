"""What a game is checked with: its own cases, as those of dice, or those that its rules give."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from dealer.checker.cases import game_cases
from dealer.checker.cases.deals import Deal, Part, compliance_parts, draw_by_seed
from dealer.checker.cases.dice import CASES, NUMBERS, malformed, parts
from dealer.checker.cases.game_cases import GameCases, find_cases, missing_cases
from dealer.checker.scoring.findings import Findings
from dealer.checker.scoring.rubric import COMPLIANCE, LineId
from dealer.checker.session.checked_connection import rule_of
from dealer.cli.house_bots import load_bot
from dealer.errors import OptionError
from protocol.games.base import FOLD, Action, Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.dice import DiceTurn
from protocol.games.registry import game_names
from protocol.games.stud import StudGame
from protocol.wire.codec import encode
from tests.dealer.checker.played_deals import played

#: The name of the longest part.
LONGEST = "hands of all kinds"


def dealt(parts: list[Part]) -> list[tuple[str, int, tuple[int, ...], list[str]]]:
    """All hands of a check: the part, the seat, the stacks before the hand, and the questions."""
    hands = []
    for part in parts:
        for deal in part.deals:
            asked, _ = played(deal)
            hands.append((part.name, deal.seat, deal.hand.starting, [encode(one.turn) for one in asked]))
    return hands


@pytest.mark.parametrize("game", game_names())
def test_seed_decides_all_hands(game: str) -> None:
    parts = find_cases(game).parts
    assert dealt(parts("a", 40)) == dealt(parts("a", 40))
    assert dealt(parts("a", 40)) != dealt(parts("b", 40))


def test_match_goes_on_with_the_same_chips() -> None:
    deals = compliance_parts(BlockheadGame(hands=5), "a", 10)[-1].deals
    seen = []
    for deal in deals:
        seen.append((deal.before, deal.hand.starting))
        played(deal)
    assert len(seen) == 10
    assert [before is not None for before, _ in seen] == [True, *[False] * 4] * 2
    assert set(seen[0][1]) == set(seen[5][1]) == {1000}
    assert set(seen[1][1]) != {1000}


def test_lost_connection_begins_another_match() -> None:
    deals = compliance_parts(BlockheadGame(hands=5), "a", 10)[-1].deals
    first, second = next(deals), next(deals)  # the first was never finished
    assert first.before is not None
    assert second.before is not None


def test_unannounced_game_is_not_announced() -> None:
    for deal in compliance_parts(StudGame(), "a", 20)[-1].deals:
        assert deal.before is None
        played(deal)


def test_player_who_is_out_is_dealt_no_further_hand() -> None:
    game = StudGame(stack=3)
    deals = 0
    for deal in compliance_parts(game, "a", 40)[-1].deals:
        assert deal.hand.starting[deal.seat] > 0
        played(deal)
        deals += 1
    assert deals == 40


def test_rules_alone_give_short_stacks_too() -> None:
    starting = [stacks for name, _, stacks, _ in dealt(compliance_parts(StudGame(), "a", 100)) if name == LONGEST]
    assert {max(stacks) <= 25 * len(stacks) for stacks in starting} == {True, False}


def test_house_games_have_their_own_cases() -> None:
    assert [line.id for line in find_cases("stud").lines] == ["situations", "boards"]
    assert find_cases("blockhead").rubric == find_cases("holdem").rubric == COMPLIANCE
    assert missing_cases("stud") == missing_cases("blockhead") == missing_cases("holdem") == ""


def test_game_without_cases_is_checked_by_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_cases, "load_installed", lambda *_: None)
    monkeypatch.setattr(game_cases, "installed_names", lambda group: ["blockhead"])
    cases = find_cases("stud")
    assert cases.rubric == COMPLIANCE
    assert dealt(cases.parts("a", 20)) == dealt(compliance_parts(StudGame(), "a", 20))
    assert missing_cases("stud") == (
        "the checker does not know stud yet; it knows blockhead: it judges how the program talks, not how it plays"
    )


def test_package_brings_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    brought = GameCases(partial(compliance_parts, StudGame()))
    monkeypatch.setattr(game_cases, "load_installed", lambda *_: brought)
    assert find_cases("stud") is brought


def test_unknown_game_is_a_usage_error() -> None:
    with pytest.raises(OptionError, match="there is no game 'bridge'"):
        find_cases("bridge")


def test_every_draw_gives_another_deck() -> None:
    draw, rng = draw_by_seed(BlockheadGame()), Random(1)
    first, second = draw(rng), draw(rng)
    assert sorted(first) == sorted(second)
    assert first != second
    assert draw(Random(1)) == first


Player = Callable[[DiceTurn], Action]


def play(deal: Deal, player: Player) -> None:
    """Play a hand of a check without a program."""
    hand = deal.hand
    while (seat := hand.to_act) is not None:
        if seat != deal.seat:
            hand = hand.apply(deal.others(hand))
            continue
        turn = hand.view(seat)
        assert isinstance(turn, DiceTurn)
        action = player(turn)
        deal.watch(turn, action)
        hand = hand.apply(action)
    deal.over(hand.settle())


def judged(player: Player) -> dict[str, bool | None]:
    """How each situation was played."""
    findings = Findings()
    part = parts("seed", 40)[-1]
    for deal in part.deals:
        play(deal, player)
    part.write_down(findings)
    return {played.name: played.good for played in findings.played}


def house(name: str) -> Player:
    decide: Player = load_bot(name)(Random(1)).decide
    return decide


@pytest.mark.parametrize("name", ["dice-equilibrium", "dice-adaptive"])
def test_good_players_play_all_situations_well(name: str) -> None:
    results = judged(house(name))
    assert len(results) == 5
    assert all(results.values())


@pytest.mark.parametrize("bets", [True, False])
def test_who_always_bets_does_not_fold_small_dice_and_who_always_folds_plays_only_that_well(bets: bool) -> None:
    results = judged(lambda turn: Bet(turn.owed) if bets else FOLD)
    assert [name for name, good in results.items() if good != bets] == [
        "B is large and the die small, as the second player: fold"
    ]


def test_opponents_have_numbers_of_all_sizes() -> None:
    seen = set()
    for part in parts("seed", 60):
        for deal in part.deals:
            play(deal, lambda turn: (seen.add(turn.opponent), Bet(turn.owed))[1])  # type: ignore[func-returns-value]
    assert seen >= set(NUMBERS)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("bet:11", "behind bet stands nothing"),
        ("BET", "in lower case"),
        ("fold ", "a blank or a line end"),
        ("1", "the answer is a word"),
        ("call", "a call is bet, too"),
        ("check", "the only words are"),
        ("raise", "the only words are"),
        ("", "the reply is empty"),
        ("fold:0", "nothing may stand behind fold"),
        ("ada-l:Ada", ""),
    ],
)
def test_malformed_replies_have_causes(text: str, cause: str) -> None:
    found = malformed(text)
    assert cause in found
    assert bool(cause) == bool(found)


def test_rule_names_the_replies_of_dice() -> None:
    assert rule_of(LineId.LEGAL, CASES) == "a reply is 'fold' or 'bet', framed like every message, and legal"
