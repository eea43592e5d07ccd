"""What a game is checked with: its own cases, as those of dice and stud, or those that its rules give."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from dealer.checker.cases import game_cases
from dealer.checker.cases.deals import Deal, Part, compliance_parts, draw_by_seed
from dealer.checker.cases.dice import CASES, NUMBERS, malformed, parts
from dealer.checker.cases.game_cases import GameCases, find_cases, missing_cases
from dealer.checker.cases.judged import Judged, Seen, Situation
from dealer.checker.cases.stud.boards import BOARDS, CONTRASTS, PAIRS, is_noticed
from dealer.checker.cases.stud.scenes import Scene
from dealer.checker.cases.stud.situations import PLAY, SITUATIONS, VARIANTS
from dealer.checker.cases.stud.stud_deals import (
    hands_of_all_kinds,
    hands_without_questions,
    quiet_hands,
    short_stacks,
)
from dealer.checker.scoring.findings import Findings, Played
from dealer.checker.scoring.rubric import COMPLIANCE, Line, LineId
from dealer.checker.scoring.verdict import judge
from dealer.checker.session.checked_session import rule_of
from dealer.cli.house_bots import load_bot
from dealer.errors import OptionError
from protocol.cards import DECK, Rank, Suit
from protocol.games.base import FOLD, Action, Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.dice import DiceTurn
from protocol.games.registry import game_names
from protocol.games.stud import MAX_RAISE, StudGame, StudTurn
from protocol.wire.codec import encode
from tests.dealer.checker.played_deals import Asked, played

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
    part.over(findings)
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
    assert rule_of(LineId.LEGAL, CASES, 1.0) == "a reply is 'fold' or 'bet', framed like every message, and legal"


SEEDS = range(12)


def kinds_of(asked: Asked) -> list[str]:
    """What is special about a question of stud."""
    turn = asked.turn
    assert isinstance(turn, StudTurn)
    kinds = {
        "questions": True,
        f"street {asked.street}": True,
        "nothing owed": not turn.owed,
        "something owed": turn.owed,
        "raised again": asked.again,
        "a ten": any(card.rank is Rank.TEN for card in turn.own),
        "short stack": turn.stack < turn.owed + MAX_RAISE,
        "a spade in the hole": turn.hole.suit is Suit.SPADES,
    }
    return [kind for kind, is_so in kinds.items() if is_so]


@pytest.mark.parametrize("seed", SEEDS)
def test_hands_of_all_kinds_hold_all_kinds(seed: int) -> None:
    kinds: Counter[str] = Counter()
    seats = set()
    for deal in hands_of_all_kinds(Random(seed), 200):
        seats.add(len(deal.hand.stacks))
        for asked in played(deal)[0]:
            kinds.update(kinds_of(asked))
    assert seats == set(range(2, 18))
    assert kinds["questions"] > 300
    for kind in ("nothing owed", "something owed", "raised again", "short stack", "a ten", "street 1", "street 2"):
        assert kinds[kind] > 20, kind
    assert 40 < kinds["a spade in the hole"] < kinds["questions"] / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_results_without_questions_show_every_card(seed: int) -> None:
    *silent, last = hands_without_questions(Random(seed))
    seen = set()
    outcomes = set()
    for deal in silent:
        asked, settlement = played(deal)
        assert asked == []
        status = settlement.statuses()[deal.seat]
        outcomes.add(status.won)
        seen |= set(status.cards)
    assert seen == set(DECK)
    assert outcomes == {True, False}
    assert played(last)[0]
    assert last.stop_after == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_quiet_hands_hold_no_ten(seed: int) -> None:
    for deal in quiet_hands(Random(seed), 4):
        asked, settlement = played(deal)
        assert {one.street for one in asked} == {1, 2}
        assert not any(card.text.startswith("10") for card in settlement.cards)
        assert not any("a ten" in kinds_of(one) for one in asked)


@pytest.mark.parametrize("seed", SEEDS)
def test_quiet_hands_raise_behind_the_program_on_both_streets_and_then_not_at_all(seed: int) -> None:
    wild, quiet = quiet_hands(Random(seed), 2)
    raised_turns, quiet_turns = called(wild), called(quiet)
    assert [(turn.street, turn.owed) for turn in raised_turns] == [(1, 0), (1, 5), (2, 0), (2, 5)]
    assert [(turn.street, turn.owed) for turn in quiet_turns] == [(1, 0), (2, 0)]
    assert all(strength_of(turn) not in ("pair", "three") for turn in raised_turns)
    assert all(strength_of(turn) in ("pair", "three") for turn in quiet_turns)


def called(deal: Deal) -> list[StudTurn]:
    """The questions to a program that always calls."""
    hand, turns = deal.hand, list[StudTurn]()
    while (seat := hand.to_act) is not None:
        if seat == deal.seat:
            turn = hand.view(seat)
            assert isinstance(turn, StudTurn)
            turns.append(turn)
            deal.watch(turn, Bet(turn.owed))
        hand = hand.apply(deal.others(hand) if seat != deal.seat else Bet(hand.legal().to_call))
    return turns


@pytest.mark.parametrize("seed", SEEDS)
def test_short_stacks_bring_every_strength_to_a_raise_that_has_to_be_cut(seed: int) -> None:
    cut: Counter[tuple[int, str]] = Counter()
    for deal in short_stacks(Random(seed), 200):
        for turn in called(deal):
            cut[turn.street, strength_of(turn)] += 0 <= turn.stack - turn.owed < MAX_RAISE
    for street, strengths in ((1, ("pair", "spade", "nothing")), (2, ("three", "pair", "spade", "nothing"))):
        for strength in strengths:
            assert cut[street, strength] >= 8, (street, strength)


def strength_of(turn: StudTurn) -> str:
    same = max(Counter(card.rank for card in turn.own).values())
    if same > 1:
        return "three" if same == 3 else "pair"
    return "spade" if turn.hole.suit is Suit.SPADES and turn.hole.rank >= Rank.JACK else "nothing"


def folded(situation: Situation, folds: Callable[[StudTurn], bool]) -> Judged:
    """A situation met by a program that folds some questions of street 1, and calls all others."""
    judged = Judged(situation, "seed")
    while deals := judged.deals():
        for deal in deals:
            hand = deal.hand
            while (seat := hand.to_act) is not None:
                if seat != deal.seat:
                    hand = hand.apply(deal.others(hand))
                    continue
                turn = hand.view(seat)
                assert isinstance(turn, StudTurn)
                action = FOLD if turn.street == 1 and folds(turn) else Bet(turn.owed)
                deal.watch(turn, action)
                hand = hand.apply(action)
    return judged


def scenes_of(situation: Situation, rng: Random, number: int = 0) -> list[Scene]:
    scenes = situation.deal(rng, number)
    return [scene for scene in scenes if isinstance(scene, Scene)]


def is_sensible(situation: Situation, turn: StudTurn, action: Action) -> bool:
    """Whether a program may always act so in a situation."""
    return situation.verdict([[Seen(turn, action)]] * VARIANTS)[0]


def test_fold_of_low_cards_with_nothing_owed_is_sensible_on_the_first_street() -> None:
    (low,) = (one for one in SITUATIONS if one.name.startswith("two low cards, nothing owed"))
    (scene,) = scenes_of(low, Random(0))
    question = scene.question()
    assert question is not None
    assert is_sensible(low, question, FOLD)


TRIPS = next(situation for situation in SITUATIONS if situation.name == "three of a kind, raised twice: stay")


def test_program_is_judged_in_hands_in_which_it_stays_to_the_street() -> None:
    judged = folded(TRIPS, lambda turn: turn.hole.rank < Rank.JACK)
    turns = [seen.turn for (seen,) in judged.met]
    assert len(turns) == VARIANTS < judged.dealt
    assert all(isinstance(turn, StudTurn) and turn.street == 2 and turn.hole.rank >= Rank.JACK for turn in turns)
    findings = Findings()
    judged.write_down(findings)
    assert [one.good for one in findings.played] == [True]


def test_program_that_always_folds_before_is_not_judged() -> None:
    judged = folded(TRIPS, lambda _: True)
    findings = Findings()
    judged.write_down(findings)
    assert [one.good for one in findings.played] == [None]
    assert judge(findings, [Line(PLAY, 40, "plays", play=True)])[0].verdict == "not judged"


@pytest.mark.parametrize(
    ("gaps", "noticed"),
    [
        ([0] * 10, False),
        ([0] * 9 + [5], False),
        ([0] * 8 + [5, 1], True),
        ([0] * 7 + [5, 1, -1], False),
        ([5] * 9 + [-1], True),
        ([5] * 8 + [0, -1], True),
        ([5] * 7 + [0, 0, -1], False),
        ([5] * 8 + [-1, -1], False),
    ],
)
def test_boards_are_noticed_if_the_play_differs_and_in_one_direction(gaps: list[int], noticed: bool) -> None:
    assert is_noticed(gaps) is noticed


def test_enough_contrasts_give_all_points() -> None:
    line = Line(BOARDS, 20, "looks", play=True, enough=3)

    def points(*good: bool | None) -> float:
        (verdict,) = judge(Findings(played=[Played(BOARDS, "", one, "") for one in good]), [line])
        return verdict.points

    assert points(True, True, True, False, False) == 20
    assert points(True, False, False, False) == pytest.approx(20 / 3)
    assert points(True, None, None) == 20
    assert points(False, False, False) == 0


def test_situations_are_what_they_say() -> None:
    for situation in SITUATIONS:
        for seed in SEEDS:
            (scene,) = scenes_of(situation, Random(seed))
            question = scene.question()
            assert question is not None, (situation.name, seed)
            assert question.owed == scene.owed, (situation.name, seed)
            assert question.owed <= question.stack, (situation.name, seed)
            assert (question.owed > 0) is any(
                words in situation.name for words in ("raised", "a bet ", "seen: stay")
            ), situation
            sensible = {is_sensible(situation, question, action) for action in [FOLD, *question.legal()]}
            assert sensible == {True, False}, (situation.name, seed)


def test_two_boards_differ_in_cards_of_others_only() -> None:
    for contrast in CONTRASTS:
        for seed in SEEDS:
            for number in range(PAIRS):
                scenes = scenes_of(contrast, Random(seed), number)
                better, worse = (scene.question() for scene in scenes)
                assert better is not None, (contrast.name, seed, number)
                assert worse is not None, (contrast.name, seed, number)
                assert better.owed == sum(scenes[0].raises), (contrast.name, seed, number)
                assert (better.owed > 0) or "a bet to pay" not in contrast.name, (contrast.name, seed, number)
                assert better._replace(shown=()) == worse._replace(shown=()), (contrast.name, seed, number)
                assert better.shown != worse.shown, (contrast.name, seed, number)
