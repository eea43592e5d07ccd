"""Practice: what is agreed, roll-outs, which decisions are reported, and what is known of each game."""

from dataclasses import replace
from random import Random
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.cli.house_bots import check_bots, load_bot
from dealer.errors import OptionError
from dealer.hosting.tournament_settings import UNTIL_ONE_IS_LEFT
from dealer.practice import game_practice, mistakes
from dealer.practice.game_practice import GamePractice, find_practice
from dealer.practice.games import dice, holdem, stud
from dealer.practice.games.stud import PRACTICE
from dealer.practice.mistakes import FINALISTS, Mistake, most_expensive
from dealer.practice.practice import practice_settings, practise
from dealer.practice.practice_flags import PracticeFlags
from dealer.practice.practice_session import Difference, Winnings
from dealer.practice.rollouts import BotPlayer, Effort, RollOut, Spot, Task, compare, play_out, redeal, roll_out
from dealer.settings import Settings
from protocol.cards import DECK, Piece
from protocol.estimates.intervals import mean
from protocol.games.base import FOLD, Action, Bet, Hand, Status
from protocol.games.dice import Dice, DiceHand
from protocol.games.dice import deal as roll
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_deal import deal as deal_holdem
from protocol.games.holdem_hand import HoldemHand
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.level_table import LevelTable
from protocol.games.stud import StudHand, StudTurn, deal
from protocol.wire.codec import decode_command
from tests.protocol.helpers import deck_of, play

# Decisions of stud for tests of roll-outs.


def seen_at(hand: StudHand, seat: int) -> frozenset[Piece]:
    return frozenset(PRACTICE.seen(hand.view(seat)))


def before_the_last_call() -> Spot:
    """Seat 1 has two kings and owes 10 on street 2; its rival shows two jacks. A call ends the hand."""
    hand = play(deal(deck_of("2H JS JD 3C KD KH"), [100, 100]), Bet(0), Bet(0), Bet(0), Bet(10))
    seat = hand.to_act
    assert seat is not None
    return Spot(hand, seat, FOLD, Bet(hand.view(seat).owed), seen_at(hand, seat))


class Caller:
    def __init__(self, rng: Random) -> None:
        pass

    def decide(self, turn: StudTurn) -> Action:
        return Bet(turn.owed)

    def hand_over(self, status: Status) -> None:
        pass


def caller(rng: Random) -> BotPlayer:
    return Caller(rng)


def stud_hand(hand: Hand) -> StudHand:
    assert isinstance(hand, StudHand)
    return hand


def every_deal(spot: Spot) -> list[StudHand]:
    """The hand once for each card that the only opponent may have in the hole."""
    unseen = [card for card in DECK if card not in spot.seen]
    assert len(unseen) == 52 - 5
    hands = []
    for hole in unseen:
        others = iter([hole, *(card for card in unseen if card != hole)])
        deck = [card if card in spot.seen else next(others) for card in stud_hand(spot.hand).deck]
        hands.append(stud_hand(spot.hand)._replace(deck=tuple(deck)))
    return hands


def test_estimate_is_the_mean_over_all_deals() -> None:
    """One hidden card: 47 deals are all there are, and the mean over them is what roll-outs estimate."""
    spot = before_the_last_call()
    exact = fmean(compare(spot, hand, load_bot(PRACTICE.teacher))[0].gain for hand in every_deal(spot))
    gains = [played.gain for played in roll_out(Task("stud", spot, "exact", Effort(1, 2000, 10**9)))]
    estimate = mean(gains)
    assert estimate is not None
    assert len(gains) == 2000
    assert estimate.low < exact < estimate.high
    assert estimate.high - estimate.low < 2.0


def test_exact_value_is_the_one_worked_out_by_hand() -> None:
    """Calling 10 ends the hand: 22 chips lie there, half of them for a spade in the opponent's hole.

    The opponent wins the cards' half with a jack only (JH, JC): two jacks are less than two kings.
    """
    spot = before_the_last_call()
    pot, worth = spot.hand.pot + 10, 0
    for hand in every_deal(spot):
        hole = hand.deck[3 * (1 - spot.seat)]
        loses = hole.rank == 11
        halves = pot // 2 if hole.suit == 3 else 0
        worth += (0 if loses else pot - halves) - 10
    exact = fmean(compare(spot, hand, load_bot(PRACTICE.teacher))[0].gain for hand in every_deal(spot))
    assert exact == worth / 47


@given(st.integers(0, 10**6), st.integers(2, 6))
def test_only_unseen_cards_are_dealt_anew(chance: int, seats: int) -> None:
    rng = Random(chance)
    cards = list(DECK)
    rng.shuffle(cards)
    hand = deal(cards, [100] * seats)
    seat = hand.to_act
    assert seat is not None
    seen = seen_at(hand, seat)
    again = stud_hand(redeal(PRACTICE, Spot(hand, seat, FOLD, Bet(0), seen), rng))
    assert sorted(again.deck) == sorted(DECK)
    assert again.view(seat) == hand.view(seat)
    assert all(new == old for new, old in zip(again.deck, hand.deck, strict=True) if old in seen)
    assert again.deck != hand.deck


def test_hidden_cards_do_not_influence_the_redeal() -> None:
    spot = before_the_last_call()
    other = replace(spot, hand=redeal(PRACTICE, spot, Random(1)))
    assert other.hand != spot.hand
    assert redeal(PRACTICE, other, Random(2)) == redeal(PRACTICE, spot, Random(2))


def test_same_chance_gives_same_rollouts() -> None:
    spot = before_the_last_call()
    one, same, other = (roll_out(Task("stud", spot, chance, Effort(20, 20, 0))) for chance in ("a", "a", "b"))
    assert one == same != other


def test_effort_ends_with_decisions_not_before_the_least() -> None:
    spot = before_the_last_call()
    raising = Spot(spot.hand, spot.seat, spot.better, Bet(20), spot.seen)
    assert len(roll_out(Task("stud", raising, "x", Effort(7, 100, 0)))) == 7
    assert 7 < len(roll_out(Task("stud", raising, "x", Effort(7, 100, 20)))) < 100
    assert len(roll_out(Task("stud", raising, "x", Effort(7, 9, 10**6)))) == 9


def test_fold_heads_up_or_among_others_takes_no_decision() -> None:
    spot = before_the_last_call()
    assert play_out(spot.hand.apply(FOLD), spot.seat, caller) == (-1, 0)
    hand = deal(deck_of("2H JS JD 3C KD KH 4C 5C 6C"), [100, 100, 100]).apply(Bet(5))
    seat = hand.to_act
    assert seat is not None
    assert play_out(hand.apply(FOLD), seat, caller) == (-1, 0)
    assert play_out(hand.apply(Bet(5)), seat, caller)[1] > 0


def difference(number: int, spot: Spot) -> Difference:
    return Difference(1, 0, number, spot.hand.view(spot.seat), spot)


def instead(did: Action, better: Action) -> Spot:
    """At the same point, two other actions."""
    return replace(before_the_last_call(), did=did, better=better)


def test_expensive_decision_is_reported_with_its_cost() -> None:
    (mistake,) = most_expensive("stud", [difference(1, before_the_last_call())], "seed", lambda done, total: None)
    assert mistake.difference.hand == 1
    assert 0 < mistake.cost.low < mistake.cost.value < mistake.cost.high
    assert mistake.rollouts == 400


def test_decision_without_cost_is_not_reported() -> None:
    call, fold = before_the_last_call().better, before_the_last_call().did
    found = [difference(1, instead(call, call)), difference(2, instead(call, fold))]
    assert most_expensive("stud", found, "seed", lambda done, total: None) == []
    assert most_expensive("stud", [], "seed", lambda done, total: None) == []


def test_no_cost_where_the_intervals_overlap_and_none_above_what_was_at_stake(monkeypatch: pytest.MonkeyPatch) -> None:
    def reported(*played: RollOut) -> list[Mistake]:
        monkeypatch.setattr(mistakes, "roll_out", lambda task: played * 20)
        return most_expensive("stud", [difference(1, spot)], "seed", lambda done, total: None)

    spot = before_the_last_call()  # 12 chips in the pot, and a call of 10
    assert reported(RollOut(100, 99), RollOut(-100, -102)) == []  # always a chip worse, but that is little of so much
    (mistake,) = reported(RollOut(100, 0), RollOut(120, 0))
    assert max(mistake.cost) == spot.hand.pot + 10


def test_three_are_reported_worst_first_one_of_a_hand() -> None:
    spot = before_the_last_call()
    found = [difference(number, spot) for number in (1, 1, 1, 2, 3, 4)]
    seen: list[tuple[int, int]] = []
    reported = most_expensive("stud", found, "seed", lambda done, total: seen.append((done, total)))
    costs = [mistake.cost.value for mistake in reported]
    assert costs == sorted(costs, reverse=True)
    assert len({mistake.difference.hand for mistake in reported}) == len(reported) == 3
    assert [done for done, _ in seen] == list(range(1, 6 + 4 + 1))
    assert {total for _, total in seen} == {6 + min(FINALISTS, 6)}


def test_same_seed_measures_the_same() -> None:
    folding = [difference(1, before_the_last_call())]
    one, same, other = (most_expensive("stud", folding, seed, lambda done, total: None) for seed in ("a", "a", "b"))
    assert one == same
    assert one != other


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


BETTING = Betting("no-limit", 10, 10)


def river(cards: str) -> HoldemHand:
    """Seat 0 has bet 60 into a pot of 40 on the river, and seat 1 is to act."""
    hand = deal_holdem(deck_of(cards), (200, 200), BETTING, button=1, blinds=(10, 5))
    for chips in (15, 10, 0, 0, 0, 0, 60):
        hand = hand.apply(Bet(chips))
    assert (hand.number, hand.to_act) == (4, 1)
    return hand


def spot_of(practice: GamePractice, hand: Hand) -> Spot:
    return Spot(hand, 1, FOLD, Bet(hand.legal().to_call), frozenset(practice.seen(hand.view(1))))


def test_fold_of_the_best_cards_costs_the_pot() -> None:
    """A royal flush wins 100 chips and gets its 60 back, whatever the opponent has."""
    played = roll_out(
        Task("holdem", spot_of(holdem.PRACTICE, river("2C 7D AS KS QS JS 10S 3H 4D")), "a", Effort(20, 20, 0))
    )
    assert [result.gain for result in played] == [100] * 20


def test_call_with_the_worst_cards_costs_chips() -> None:
    hand = river("AC 7D 2D 3H QS JS 10S KS 4D")  # it plays the board, and wins half of it at most
    gains = [
        result.gain for result in roll_out(Task("holdem", spot_of(holdem.PRACTICE, hand), "a", Effort(200, 200, 0)))
    ]
    assert min(gains) == -60
    assert max(gains) <= 20


@given(st.integers(0, 10**6))
def test_only_unseen_cards_of_holdem_are_dealt_anew(chance: int) -> None:
    hand = river("2C 7D AS KS QS JS 10S 3H 4D")
    again = redeal(holdem.PRACTICE, spot_of(holdem.PRACTICE, hand), Random(chance))
    assert again.view(1) == hand.view(1)
    assert isinstance(again, HoldemHand)
    assert sorted(again.deck) == sorted(DECK)
    assert not set(again.hole(0)) & set(holdem.PRACTICE.seen(hand.view(1)))


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("2C 7D AS AD QS JS 10S 3H 4D", {"a pair in the hole"}),
        ("2C 7D AS QD QS JS 10S 3H 4D", {"a pair with the board"}),
        ("2C 7D AS KD QS JS 9S 3H 4D", {"no pair"}),
    ],
)
def test_situations_of_a_question(cards: str, expected: set[str]) -> None:
    turn = river(cards).view(1)
    assert isinstance(turn, HoldemTurn)
    assert {name for name, shows in holdem.PRACTICE.situations.items() if shows(turn)} == {
        "all",
        "facing a bet",
        "one opponent left",
        *expected,
    }


def called(bet: int, die: int, other: int) -> DiceHand:
    """Seat 0 has bet, and seat 1 is to act."""
    return roll(Dice().outcome(bytes([bet, other, die])), (1000, 1000)).apply(Bet(bet - 1))


def test_only_the_opponents_die_is_rolled_anew() -> None:
    hand = called(12, 4, 4)
    again = [redeal(dice.PRACTICE, spot_of(dice.PRACTICE, hand), Random(seed)) for seed in range(60)]
    assert all(one.view(1) == hand.view(1) for one in again)
    assert {one.hole(0)[0].text for one in again} == set("123456")


def test_fold_of_a_six_costs_the_bet() -> None:
    """A six wins 12 chips from five dice of six and nothing from the sixth, and a fold loses 2."""
    task = Task("dice", spot_of(dice.PRACTICE, called(12, 6, 1)), "a", Effort(600, 600, 0))
    gains = [played.gain for played in roll_out(task)]
    assert set(gains) == {14, 2}
    assert fmean(gains) == pytest.approx(12, abs=0.6)
