"""Chances, the coach and the review of a session against exact figures; none sees more than the person."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.human import odds
from bots.human.coach import advice
from bots.human.coach.advice import NoCoachError, advise
from bots.human.coach.review import Decision, review, review_lines
from bots.human.game_seat import CoachPlan, GameSeat, load_seat
from bots.human.games.dice import expected_chips
from bots.human.odds import Chances, Spot
from bots.strategies.dice.plan import equilibrium
from dealer.audit.decision_value.deals import NoLongerWanted
from dealer.audit.decision_value.situation import Situation
from protocol.cards import DECK, Card, parse_cards
from protocol.dice import DICE, BetSize
from protocol.games import blockhead, dice, stud
from protocol.games.base import FOLD, Action, Bet, Hand
from protocol.games.dice import DiceGame
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.ranks import three_card_strength
from protocol.games.registry import load_game
from protocol.games.stud import StudGame
from tests.protocol.helpers import deck_of

COACHED = ("stud", "blockhead", "holdem", "dice")
CALLER = CoachPlan("caller", lambda _seats: ("caller",), 2000)


@dataclass(frozen=True)
class Dealt:
    outcome: Sequence[Any]
    hand: Hand
    situation: Situation


def dealt(game: Game, outcome: Sequence[Any], seats: int, actions: Sequence[Action | None], me: int = 0) -> Dealt:
    match = game.start(seats)
    hand = match.deal(outcome)
    situation = Situation.begin(game, match, hand, me)
    for action in actions:
        assert action is not None
        hand = hand.apply(action)
        situation = situation.acted(action, hand)
    return Dealt(outcome, hand, situation)


def with_plan(monkeypatch: pytest.MonkeyPatch, game: str, plan: CoachPlan | None) -> None:
    seat = replace(load_seat(game), coach=plan)
    monkeypatch.setattr(advice, "load_seat", lambda _name: seat)


@st.composite
def questions(draw: st.DrawFn) -> Dealt:
    """A question to seat 0 in any game, after any actions."""
    game = load_game(draw(st.sampled_from(COACHED)))()
    seats = draw(st.integers(game.seats[0], min(game.seats[-1], 4)))
    outcome = game.chance.outcome(game.chance.draw(draw(st.binary(min_size=1, max_size=4)), 0, 1))
    match = game.start(seats)
    hand, actions, found = match.deal(outcome), list[Action](), 0
    choices = draw(st.lists(st.floats(0, 1, exclude_max=True), min_size=12, max_size=12))
    for choice in choices:
        if hand.to_act is None:
            break
        found = len(actions) if hand.to_act == 0 else found
        legal = [action for action in hand.legal() if action != FOLD or choice < 0.1]
        action = legal[int(choice * len(legal))]
        actions.append(action)
        hand = hand.apply(action)
    question = dealt(game, outcome, seats, actions[:found])
    if question.hand.to_act != 0:
        question = dealt(game, outcome, seats, [])
        while question.hand.to_act not in (0, None):
            question = dealt(game, outcome, seats, [*question.situation.actions, Bet(question.hand.legal().to_call)])
    return question


def dealt_otherwise(question: Dealt, rng: Random) -> Dealt:
    """The same hand with other cards wherever the person cannot see them."""
    situation, outcome = question.situation, list(question.outcome)
    if situation.game.name == "dice":
        outcome[2] = rng.choice(DICE)
    else:
        seen = {*situation.own, *situation.board, *(card for up in situation.ups for card in up)}
        places = [place for place, card in enumerate(outcome) if card not in seen]
        cards = [outcome[place] for place in places]
        rng.shuffle(cards)
        for place, card in zip(places, cards, strict=True):
            outcome[place] = card
    return dealt(situation.game, tuple(outcome), len(situation.ups), situation.actions)


@given(questions(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_situation_does_not_depend_on_what_the_person_cannot_see(question: Dealt, rng: Random) -> None:
    assert dealt_otherwise(question, rng).situation == question.situation


@given(questions(), st.randoms(use_true_random=False))
@settings(max_examples=7, deadline=None)
def test_advice_does_not_depend_on_what_the_person_cannot_see(question: Dealt, rng: Random) -> None:
    if question.hand.to_act != 0:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(advice, "LEAST_DEALS", 2)
        patch.setattr(advice, "MOST_DEALS", 2)
        patch.setattr(advice, "MOST_HOLDINGS", 4)
        other = dealt_otherwise(question, rng)
        assert advise(other.situation, "seed") == advise(question.situation, "seed")


def stud_at_the_end() -> Dealt:
    """Two players on the second street: the other has checked, so that a check ends the hand."""
    return dealt(StudGame(), deck_of("KS 10D 10S 2C AH 3D"), 2, [Bet(0), Bet(0), Bet(0)])


def test_estimate_holds_the_exact_value_of_a_showdown(monkeypatch: pytest.MonkeyPatch) -> None:
    question = stud_at_the_end()
    assert question.hand.to_act == 0
    cards = list(question.outcome)
    exact = []
    for place in (3, *range(6, 52)):  # every card that the other may have in the hole
        other = list(cards)
        other[3], other[place] = cards[place], cards[3]
        end = dealt(StudGame(), other, 2, [*question.situation.actions, Bet(0)]).hand
        exact.append(end.settle().shares[0])
    with_plan(monkeypatch, "stud", CALLER)
    told = advise(question.situation, "seed")
    check = told.option(Bet(0)).worth
    assert 0 < check.error < 0.1
    assert check.chips == pytest.approx(sum(exact) / len(exact), abs=1.5 * check.error)
    # A caller calls a bet of 10, and then the pot has ten times as many chips of it.
    bet = told.option(Bet(10)).worth
    assert bet.chips == pytest.approx(11 * sum(exact) / len(exact) - 10, abs=1.5 * bet.error)
    assert (told.top.action, told.top.words, told.top.cost.chips) == (Bet(10), "bet 10", 0)
    assert told.option(Bet(0)).cost.chips == pytest.approx(bet.chips - check.chips)
    assert told.deals * len(told.options) * 2 <= CALLER.hands


def royal_flush() -> Dealt:
    """Two players of hold'em on the river: the person cannot lose, and the other is all in."""
    outcome = deck_of("AS KS 2C 7D QS JS 10S 3H 4D")
    return dealt(HoldemGame(), outcome, 2, [Bet(5), *[Bet(0)] * 5, Bet(990)], me=0)


def test_cost_of_folding_the_best_cards_is_the_pot() -> None:
    question = royal_flush()
    assert question.hand.to_act == 0
    told = advise(question.situation, "seed", also=[FOLD])
    assert (told.bot, told.words) == ("holdem", "call 990")
    call, fold = told.option(Bet(990)), told.option(FOLD)
    assert (call.worth.chips, call.worth.error, call.cost.chips) == (1010, 0, 0)
    assert (fold.worth.chips, fold.cost.chips, fold.cost.error) == (0, 1010, 0)
    assert "±" in told.method


def test_an_opponent_that_raises_is_given_the_cards_it_would_raise_with(monkeypatch: pytest.MonkeyPatch) -> None:
    question = dealt(StudGame(), deck_of("9C 9D 4H 8D KH 3S"), 2, [Bet(10), Bet(10), Bet(10)])
    with_plan(monkeypatch, "stud", CALLER)  # it never raises, so that all cards stay as likely
    against_any = advise(question.situation, "seed").option(Bet(10)).worth
    with_plan(monkeypatch, "stud", CoachPlan("caller", lambda _seats: ("tight",), 2000))
    against_tight = advise(question.situation, "seed").option(Bet(10)).worth
    assert against_tight.chips + 3 * against_tight.error < against_any.chips - 3 * against_any.error


def test_same_seed_gives_same_advice_and_another_seed_other_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    with_plan(monkeypatch, "stud", replace(CALLER, hands=500))
    situation = stud_at_the_end().situation
    first = advise(situation, "one")
    assert advise(situation, "one") == first
    assert [option.worth for option in advise(situation, "two").options] != [option.worth for option in first.options]


@pytest.mark.parametrize("bet", dice.BET_SIZES)
def test_chips_in_dice_equal_all_dice_played_by_the_rules(bet: int) -> None:
    plan = equilibrium()[bet]
    for me in (0, 1):
        for own in DICE:
            total, weights = 0.0, 0.0
            for other in DICE:
                roll = (BetSize(bet, f"B={bet}"), *((own, other) if me == 0 else (other, own)))
                before = [] if me == 0 else [Bet(bet - 1)]
                question = dealt(dice.DiceGame(), roll, 2, before, me)
                hand = question.hand.apply(Bet(question.hand.legal().to_call))
                now = question.hand.stacks[me] - 1000
                weight = 1.0 if me == 0 else float(plan.first[other.pips - 1])
                weights += weight
                if me == 1:
                    total += weight * (hand.settle().payoffs[1] - now)
                    continue
                calls = float(plan.second[other.pips - 1])
                total += calls * (hand.apply(Bet(bet - 2)).settle().payoffs[0] - now)
                total += (1 - calls) * (hand.apply(FOLD).settle().payoffs[0] - now)
            told = expected_chips(question.situation)
            assert told[FOLD] == 0
            if weights:
                assert told[Bet(bet - 1 - me)] == pytest.approx(total / weights)


def test_advice_in_dice_is_exact() -> None:
    roll = (BetSize(18, "B=18"), DICE[5], DICE[0])
    told = advise(dealt(dice.DiceGame(), roll, 2, []).situation, "seed")
    assert (told.bot, told.words, told.deals, told.company) == ("dice-equilibrium", "bet 17", 0, ())
    assert [option.worth.error for option in told.options] == [0, 0]
    assert "exact" in told.method


def test_advice_can_be_stopped() -> None:
    answers = iter([False, False, False, True])
    with pytest.raises(NoLongerWanted):
        advise(stud_at_the_end().situation, "seed", stop=lambda: next(answers))
    assert list(answers) == []


def test_a_game_without_a_coach_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with_plan(monkeypatch, "stud", None)
    with pytest.raises(NoCoachError, match="no coach for three-card stud"):
        advise(stud_at_the_end().situation, "seed")


def test_every_game_of_the_house_has_a_coach() -> None:
    seats: list[GameSeat] = [load_seat(game) for game in COACHED]
    assert all(seat.coach for seat in seats)


@given(questions())
@settings(max_examples=40, deadline=None)
def test_options_are_legal_and_each_is_there_once(question: Dealt) -> None:
    if question.hand.to_act == 0:
        actions = advice.sensible(question.situation.questions[-1], ())
        assert all(action in question.hand.legal() for action in actions)
        assert len(set(actions)) == len(actions)
        amounts = [action.amount for action in actions if isinstance(action, Bet)]
        assert amounts == sorted(amounts)


def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "LEAST_DEALS", 20)
    monkeypatch.setattr(advice, "MOST_DEALS", 20)
    monkeypatch.setattr(advice, "MOST_HOLDINGS", 8)


def test_no_raise_of_many_pots_with_many_big_blinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """There the house's best bot would go all in with 100 big blinds."""
    few_deals(monkeypatch)
    first = dealt(HoldemGame(), deck_of("AS JS"), 2, []).situation
    small_blind = dealt(HoldemGame(), deck_of("2C 3D KS 9S"), 3, [FOLD], me=1).situation
    assert small_blind.own == parse_cards("KS 9S")
    all_in = 0
    for situation in (first, small_blind):
        for seed in "abcde":
            all_in += advice.house_action(situation, "holdem", seed) == Bet(995)
            told = advise(situation, seed)
            assert max(option.action.amount for option in told.options if isinstance(option.action, Bet)) == 25
            assert told.option(told.action).words in {"call 5", "raise to 30"}
            # Who went all in is told what it costs, but nobody is told to do so.
            assert advise(situation, seed, also=[Bet(995)]).top.action != Bet(995)
    assert all_in == 8


def test_all_in_with_few_big_blinds(monkeypatch: pytest.MonkeyPatch) -> None:
    few_deals(monkeypatch)
    told = advise(dealt(HoldemGame(stack=150), deck_of("AS JS"), 2, []).situation, "seed")
    assert told.words == "all in 145"


def holdem_question(rng: Random) -> Dealt:
    """A question to seat 0, which has K♣ 5♠, after any actions."""
    outcome = list(deck_of("KC 5S"))
    rest = outcome[2:]
    rng.shuffle(rest)
    game, seats = HoldemGame(stack=rng.choice((100, 300, 1000))), rng.randint(2, 3)
    question, asked = dealt(game, [*outcome[:2], *rest], seats, []), 0
    while question.hand.to_act is not None:
        asked += question.hand.to_act == 0
        if asked and (question.hand.to_act == 0) and rng.random() < 0.4:
            return question
        raises = question.hand.legal().raises[:30]
        action = rng.choice(raises) if raises and rng.random() < 0.3 else question.hand.legal().to_call
        question = dealt(game, question.outcome, seats, [*question.situation.actions, Bet(action)])
    return holdem_question(rng)


def test_nothing_is_said_beyond_the_intervals_and_what_was_at_stake(monkeypatch: pytest.MonkeyPatch) -> None:
    few_deals(monkeypatch)
    rng = Random(6)
    equal = costly = limited = 0
    for number in range(15):
        question = holdem_question(rng)
        told = advise(question.situation, str(number), also=[FOLD])
        pot, stacks = question.hand.pot, question.hand.stacks
        most = max(stacks[1:]) + question.hand.view(0).owed
        for option in told.options:
            apart = option.worth.chips + option.worth.error < told.top.worth.chips - told.top.worth.error
            assert option.costs == apart
            assert option.cost.chips <= pot + min(stacks[0], most)
            line = told.cost_line(option.action)
            if option is told.top:
                assert line == ""
            elif option.costs:
                assert line.startswith(f"The coach: {told.top.words} is worth {option.cost.chips:.1f}")
            else:
                assert line == f"The coach: These two are equally good: {option.words} and {told.top.words}."
            costly += option.costs
            limited += option.costs and option.cost.chips < told.top.worth.chips - option.worth.chips - 1e-9
        equal += "equally good" in told.verdict
        assert ("equally good" in told.verdict) == (len(told.equals) > 1)
    assert min(equal, costly, limited) > 0


def test_all_in_is_looked_at_only_where_it_is_not_many_times_the_pot() -> None:
    deep = dealt(HoldemGame(), royal_flush().outcome, 2, []).situation.questions[-1]
    assert advice.sensible(deep, ())[-1] == Bet(995)
    assert advice.sensible(deep, (), advice.MOST_POTS)[-1] == Bet(25)  # a raise by the pot
    shallow = dealt(HoldemGame(stack=60), royal_flush().outcome, 2, []).situation.questions[-1]
    assert advice.sensible(shallow, (), advice.MOST_POTS)[-1] == Bet(55)


def decision(number: int, bet: int, die: int, action: Action) -> Decision:
    """What the first player did with a die."""
    game = DiceGame()
    match = game.start(2)
    hand = match.deal((BetSize(bet, f"B={bet}"), DICE[die - 1], DICE[0]))
    return Decision(number, Situation.begin(game, match, hand, 0), action)


GOOD = decision(1, 10, 6, Bet(9))
SMALL = decision(2, 3, 6, FOLD)
LARGE = decision(3, 18, 6, FOLD)
BLUFF = decision(4, 18, 1, Bet(17))
TOO_MANY = [GOOD, SMALL, LARGE, BLUFF, decision(5, 12, 6, FOLD), decision(6, 4, 6, FOLD)]


def test_review_names_the_three_dearest_decisions() -> None:
    dearest = review(TOO_MANY, "seed")
    costs = [judged.chosen.cost.chips for judged in dearest]
    assert len(dearest) == 3
    assert costs == sorted(costs, reverse=True)
    assert {judged.decision.hand for judged in dearest} <= {2, 3, 4, 5, 6}
    all_costs = sorted((judged.chosen.cost.chips for one in TOO_MANY for judged in review([one], "seed")), reverse=True)
    assert costs == all_costs[:3]


def test_review_in_sentences() -> None:
    (line,) = review_lines(review([LARGE], "seed"))
    cost = review([LARGE], "seed")[0].chosen.cost.chips
    assert line == (
        f"1. Hand 3, street 1, 3 in the pot, with 6, the board B=18: fold. Bet 17 is worth {cost:.1f} chips more."
    )
    assert review([GOOD], "seed") == []
    assert review_lines([]) == [
        "Of none of your decisions do the deals show that another one would have won more chips."
    ]


def test_review_tells_how_far_it_is_and_can_be_stopped() -> None:
    told: list[tuple[int, int]] = []
    review([GOOD, SMALL], "seed", lambda done, looks: told.append((done, looks)))
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
    with pytest.raises(NoLongerWanted):
        review([GOOD], "seed", stop=lambda: True)


STUD = stud.StudGame()
PAIR_OF_TENS = Spot(
    STUD, parse_cards("KS 10D 10S"), (parse_cards("2C 3C"), parse_cards("KH KD")), parse_cards("AS"), 24, 6
)


def chances(spot: Spot, rng: Random) -> Chances:
    return load_seat(spot.game.name).chances(spot, rng)


def unseen(spot: Spot) -> list[Card]:
    seen = {*spot.own, *spot.gone, *(card for up in spot.others for card in up)}
    return [card for card in DECK if card not in seen]


def settled_stud(spot: Spot) -> Iterator[tuple[Hand, Sequence[Card]]]:
    """Every deal of the opponents' hole cards, checked through to the end."""
    for holes in permutations(unseen(spot), len(spot.others)):
        cards = [*spot.own]
        for hole, up in zip(holes, spot.others, strict=True):
            cards += [hole, *up]
        rest = [card for card in DECK if card not in cards]
        hand = stud.deal([*cards, *rest], [100] * (1 + len(spot.others)), ante=30)
        while hand.to_act is not None:
            hand = hand.apply(Bet(0))
        yield hand, holes


def test_chances_of_stud_equal_settled_deals() -> None:
    deals = shares = best = spades = 0
    for hand, holes in settled_stud(PAIR_OF_TENS):
        deals += 1
        shares += hand.settle().shares[0]
        mine = three_card_strength(PAIR_OF_TENS.own)
        pairs = zip(holes, PAIR_OF_TENS.others, strict=True)
        best += all(three_card_strength((hole, *up)) < mine for hole, up in pairs)
        spades += max([PAIR_OF_TENS.own[0], *(hole for hole in holes if hole.text[-1] == "S")]) == PAIR_OF_TENS.own[0]
    counted = chances(PAIR_OF_TENS, Random(1))
    assert counted.best == pytest.approx(best / deals)
    assert counted.side == pytest.approx(spades / deals)
    assert counted.share == pytest.approx(shares / deals / 90)
    assert (counted.error, counted.tied, counted.name) == (0, 0, "a pair of tens")
    assert counted.price == pytest.approx(6 / 30)


def test_chances_with_a_tie_and_no_spade() -> None:
    spot = Spot(STUD, parse_cards("KH 10D 9C"), (parse_cards("10H 9D"),))
    shares = [hand.settle().shares[0] / hand.pot for hand, _ in settled_stud(spot)]
    counted = chances(spot, Random(1))
    assert counted.tied == pytest.approx(3 / 47)  # kings in the hole of the other
    assert counted.share == pytest.approx(sum(shares) / len(shares))


@pytest.mark.parametrize("ranks", get_args(blockhead.Ranks))
def test_chances_of_blockhead_equal_settled_deals(ranks: blockhead.Ranks) -> None:
    game = blockhead.BlockheadGame(ranks=ranks)
    spot = Spot(game, parse_cards("KS 10D 3C 4C 5C"), (parse_cards("2C 9H 9D 8D"),))
    deals = shares = 0.0
    for (hole,) in permutations(unseen(spot), 1):
        cards = [*spot.own, hole, *spot.others[0]]
        rest = [card for card in DECK if card not in cards]
        hand = blockhead.deal([*cards, *rest], [100, 100], last=True, ranks=ranks)
        while hand.to_act is not None:
            hand = hand.apply(Bet(0))
        deals += 1
        shares += hand.settle().shares[0] / hand.pot
    counted = chances(spot, Random(1))
    assert counted.share == pytest.approx(shares / deals)
    assert counted.side is None


def test_drawn_deals_are_close_to_exact_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    spot = Spot(STUD, parse_cards("KS 10D"), (parse_cards("2C"),))
    exact = chances(spot, Random(1))
    assert exact.error == 0
    monkeypatch.setattr(odds, "EXACT_DEALS", 0)
    drawn = chances(spot, Random(1))
    assert drawn.error > 0
    assert drawn.best == pytest.approx(exact.best, abs=0.02)
    assert drawn.side == pytest.approx(exact.side, abs=0.02)
    assert drawn.share == pytest.approx(exact.share, abs=0.02)


def test_folded_cards_are_out_of_the_deck() -> None:
    spot = Spot(STUD, parse_cards("KS 10D 10S"), (parse_cards("2C 3C"),))
    assert chances(spot, Random(1)).side == pytest.approx(46 / 47)  # only the ace of spades is higher
    without = Spot(STUD, spot.own, spot.others, parse_cards("AS"))
    assert chances(without, Random(1)).side == 1
