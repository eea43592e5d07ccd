"""Hands of hold'em: how many ways there are to bet one, hands in a row, the button, the blinds, and levels."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.cards import DECK, Suit
from protocol.games.base import FOLD, Action, Bet, Fold
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import Blinds, HoldemGame, HoldemMatch, Positions
from protocol.games.holdem_betting import MOST_BETS, Betting, Limit
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import HoldemHand
from protocol.games.level_table import LevelTable
from protocol.games.stakes import Antes
from protocol.games.stud import StudGame


def played(match: HoldemMatch) -> HoldemMatch:
    """The match after a hand in which everybody folds to the last blind."""
    hand = match.deal(DECK)
    while hand.to_act is not None:
        hand = hand.apply(FOLD)
    return match.record(hand.settle())


def posted(match: HoldemMatch) -> dict[int, int]:
    """Who puts in how much before the next hand, by player."""
    hand = match.deal(DECK)
    return {match.seated[seat]: chips for seat, chips in enumerate(hand.put) if chips}


def button(match: HoldemMatch) -> int:
    return match.seated[match.deal(DECK).button]


@pytest.mark.parametrize(
    ("players", "places"),
    [
        (4, [(0, {1: 5, 2: 10}), (1, {2: 5, 3: 10}), (2, {3: 5, 0: 10}), (3, {0: 5, 1: 10}), (0, {1: 5, 2: 10})]),
        (2, [(0, {0: 5, 1: 10}), (1, {1: 5, 0: 10})]),  # of two players the button has the small blind
    ],
)
def test_button_and_blinds_go_round(players: int, places: list[tuple[int, dict[int, int]]]) -> None:
    match = HoldemGame().start(players)
    assert match.deal(DECK).to_act == (0 if players == 2 else 3)
    for place in places:
        assert (button(match), posted(match)) == place
        match = played(match)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_rotated_players_have_the_same_seats(players: int) -> None:
    """A duplicate tournament deals a hand again with everybody some seats further on; the seats keep their places."""
    match = HoldemGame().start(players)
    for by in range(players):
        seated = tuple((player + by) % players for player in range(players))
        rotated = replace(match, seated=seated).deal(DECK)
        assert (rotated.button, rotated.put, rotated.to_act) == (0, match.deal(DECK).put, match.deal(DECK).to_act)


def test_small_blind_is_missing_after_the_big_blind_left() -> None:
    match = played(HoldemGame().start(5)).without(2)  # 2 had the big blind
    assert posted(match) == {3: 10}
    match = played(match)
    assert (button(match), posted(match)) == (1, {3: 5, 4: 10})  # dead button: it lies where 2 sat


def test_nobody_posts_the_big_blind_twice_when_two_are_left() -> None:
    match = played(HoldemGame().start(3)).without(0)  # 1 had the small blind, 2 the big one
    assert posted(match) == {2: 5, 1: 10}


def test_places_follow_players_who_move_away() -> None:
    match = played(HoldemGame().start(5)).release(0)
    assert (match.stacks, match.seated) == ((995, 1005, 1000, 1000), (0, 1, 2, 3))
    assert (button(match), posted(match)) == (0, {1: 5, 2: 10})


def test_newcomer_between_button_and_small_blind_waits_for_one_hand() -> None:
    """Elsewhere it is dealt in at once, and while it waits when too few are left."""
    match = played(HoldemGame().start(3))
    joined = match.join(700)
    assert (joined.seated, joined.waiting) == ((0, 1, 2, 3), ())
    match = played(match)
    # Now player 2 had the small blind and player 0 the big one: who comes behind 2 sits between them.
    joined = match.join(700)
    assert (joined.seated, joined.waiting) == ((0, 1, 2), (3,))
    assert joined.total == match.total + 700
    after = played(joined)
    assert (after.seated, after.waiting) == ((0, 1, 2, 3), ())
    left = joined.without(0).without(1)
    assert (left.seated, left.waiting) == ((2, 3), ())


@given(players=st.integers(2, 6), hands=st.integers(1, 12), leaver=st.none() | st.integers(0, 5))
@example(players=3, hands=2, leaver=0)
def test_coming_before_a_hand_and_waiting_is_coming_during_it(players: int, hands: int, leaver: int | None) -> None:
    """A journal does not tell the two apart, so a table that is built again from it must come to the same next hand."""
    match = HoldemGame(stack=10**6).start(players)
    for _ in range(hands):
        match = played(match)
    if leaver is not None and leaver < players and players > 2:
        match = match.without(leaver)
    waiting = match.join(700)
    if waiting.waiting:
        assert played(waiting) == played(match).join(700)


@given(chance=st.integers(0, 2**32).map(Random))
def test_big_blind_passes_by_nobody(chance: Random) -> None:
    """Players leave and come between hands: the big blind is always the next player behind the last one."""
    match = HoldemGame(stack=10**6).start(chance.choice([2, 3, 6, 9]))
    last = None
    for _ in range(20):
        if len(match.seated) > 2 and chance.random() < 0.3:
            match = match.without(chance.choice(match.seated))
        elif len(match.seated) + len(match.waiting) < 9 and chance.random() < 0.3:
            match = match.join(10**6)
        hand = match.deal(DECK)
        assert isinstance(hand, HoldemHand)
        big = next(player for player, chips in posted(match).items() if chips == 10)
        if last is not None:
            assert big == next((player for player in match.seated if player > last), match.seated[0])
        blinds = sorted(posted(match).values())
        assert blinds in ([5, 10], [10])
        last, match = big, played(match)


def test_equal_stacks_in_every_hand() -> None:
    match = HoldemGame(reset_stacks=1, stack=200).start(2)
    hand = match.deal(DECK).apply(Bet(195)).apply(Bet(190))
    after = match.record(hand.settle())
    assert sorted(after.stacks) == [0, 400] or after.stacks == (200, 200)
    assert after.seated == (0, 1)
    assert after.deal(DECK).starting == (200, 200)


def test_blinds_rise_and_bets_with_them() -> None:
    match = HoldemGame(betting="fixed-limit").start(2)
    risen = match.charge(Blinds(5, 10).at_level(3))
    assert risen.deal(DECK).put == (15, 30)
    assert risen.deal(DECK).legal().raises == range(45, 46)
    assert Blinds(5, 10, big_blind_ante=10).at_level(2).facts == {
        "small_blind": 10,
        "big_blind": 20,
        "big_blind_ante": 20,
    }


def test_stakes_in_words() -> None:
    assert Blinds(5, 10).text == "blinds of 5 and 10"
    assert Blinds(0, 0).text == "no blinds"
    assert Blinds(5, 10, 1, straddle=20).text == "blinds of 5 and 10 and an ante of 1 and a straddle of 20"


@pytest.mark.parametrize(
    ("facts", "error"),
    [
        ({"big_blind": 0, "small_blind": 0}, "big_blind: a game without blinds"),
        ({"small_blind": 20}, "small_blind: expected at most"),
        ({"straddle": 15}, "straddle: expected at least"),
        ({"ante": 1, "big_blind_ante": 10}, "ante: either"),
        ({"loops": 3}, "loops: betting in loops"),
    ],
)
def test_options_that_do_not_fit_are_refused(facts: dict[str, int], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        HoldemGame.from_facts(facts)


def test_presets() -> None:
    royale, cornell = (HoldemGame.from_facts({"preset": name}) for name in ("royale", "cornell"))
    assert (royale.hands, royale.stack, royale.start(7).deal(DECK).legal().raises) == (25, 1000, range(25, 26))
    assert (cornell.hands, HoldemGame.from_facts({"preset": "cornell", "reset_stacks": 1}).hands) == (10_000, 200)
    assert (cornell.stack, cornell.start(8).deal(DECK).legal().raises) == (5000, range(1, 5001))
    assert HoldemGame.from_facts({"preset": "royale", "stack": 300}).stack == 300


def test_suits_of_presets() -> None:
    """In the order of the wire: S H D C."""
    names = {name: HoldemGame.from_facts({"preset": name}).suits for name in ("none", "royale", "cornell")}
    assert names == {
        "none": {},
        "royale": {},
        "cornell": {
            Suit.SPADES: "Clarkson",
            Suit.HEARTS: "Gries",
            Suit.DIAMONDS: "Dijkstra",
            Suit.CLUBS: "George",
        },
    }
    assert list(names["cornell"]) == sorted(Suit, reverse=True)


def test_royale_goes_round_three_times_at_most() -> None:
    hand = HoldemGame.from_facts({"preset": "royale"}).start(3).deal(DECK)
    asked = []
    while hand.number == 1:
        seat = hand.to_act
        assert seat is not None
        legal = hand.legal()
        asked.append((seat, bool(legal.raises)))
        hand = hand.apply(Bet(legal.raises[0] if legal.raises else legal.to_call))
    # Seat 0 raised last in the second loop, so nothing is left for it to choose in the third.
    assert asked == [(1, True), (2, True), (0, True), (1, True), (2, True), (0, True), (1, False), (2, False)]
    assert hand.stacks == (850, 850, 850)


def test_first_places() -> None:
    assert Positions.first((0, 1)) == (0, 0, 2)
    assert Positions.first((0, 1, 2)) == (0, 2, 4)


ACPC = {"acpc": 1, "reset_stacks": 1}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"reset_stacks": 0}, "acpc: programs of the ACPC begin each hand with equal stacks; give --reset-stacks"),
        ({"betting": "pot-limit"}, "betting: programs of the ACPC know no-limit and fixed-limit, not pot-limit"),
        ({"preset": "cornell"}, "big_blind: programs of the ACPC know no game without blinds, such as the presets"),
        ({"preset": "royale"}, "big_blind: programs of the ACPC know no game without blinds, such as the presets"),
        ({"bet": 20}, "bet: programs of the ACPC count on bets of the big blind, 10; leave out --bet"),
        ({"ante": 1}, "ante: programs of the ACPC are told of no antes and straddles; leave it out"),
        ({"big_blind_ante": 10}, "big_blind_ante: programs of the ACPC are told of no antes and straddles; leave it"),
        ({"straddle": 20}, "straddle: programs of the ACPC are told of no antes and straddles; leave it out"),
        ({"stack": 9}, "stack: programs of the ACPC need at least the big blind of 10, got 9"),
        ({"stack": 10, "small_blind": 10}, "stack: programs of the ACPC need more than the small blind of 10, got 10"),
        (
            {"stack": 239, "betting": "fixed-limit"},
            "stack: in fixed limit programs of the ACPC count on chips for every bet, 240; got 239",
        ),
    ],
)
def test_what_the_competition_cannot_say_is_refused(options: dict[str, int | str], reason: str) -> None:
    HoldemGame.from_facts({key: value for key, value in options.items() if key != "reset_stacks"} | {"acpc": 0})
    with pytest.raises(ValueError, match=reason):
        HoldemGame.from_facts({**ACPC, **options})


def test_no_blind_is_missing_in_the_order_of_the_competition() -> None:
    """After players left, both blinds and the button are at players; two of more act in the order of more."""
    match = played(HoldemGame.from_facts(ACPC).start(5)).without(2)  # 2 had the big blind
    assert (button(match), posted(match)) == (0, {1: 5, 3: 10})
    match = played(match.without(1))
    assert (button(match), posted(match)) == (0, {3: 5, 4: 10})
    match = played(match.without(3))
    assert (button(match), posted(match)) == (0, {4: 5, 0: 10})
    hand = match.deal(DECK)
    assert match.seated[hand.to_act or 0] == 4
    after = hand.apply(Bet(5)).apply(Bet(0))
    assert match.seated[after.to_act or 0] == 4


HOLDEM = HoldemGame()
LEVEL = {"hands": 5, "small_blind": 5, "big_blind": 10}


@st.composite
def level_tables(draw: st.DrawFn) -> list[dict[str, int]]:
    """The levels of any table that hold'em can be played by."""
    levels: list[dict[str, int]] = []
    small, big = 1, 2
    count = draw(st.integers(1, 8))
    for number in range(1, count + 1):
        big += draw(st.integers(0, 100))
        small = draw(st.integers(small, big))
        level = {"hands": draw(st.integers(1, 50)), "small_blind": small, "big_blind": big}
        match draw(st.sampled_from(["none", "ante", "big_blind_ante", "straddle"])):
            case "straddle":
                level["straddle"] = draw(st.integers(2 * big, 3 * big))
            case "none":
                pass
            case name:
                level[name] = draw(st.integers(1, big))
        if number == count and draw(st.booleans()):
            del level["hands"]
        levels.append(level)
    return levels


@given(levels=level_tables(), betting=st.sampled_from(["no-limit", "pot-limit", "fixed-limit"]))
def test_each_level_asks_for_what_it_says(levels: list[dict[str, int]], betting: str) -> None:
    table = LevelTable.from_facts(levels)
    assert LevelTable.from_facts(table.record) == table
    assert table.record == levels
    game = HoldemGame(betting=betting, stack=777)  # type: ignore[arg-type]
    for number, (level, stakes) in enumerate(zip(levels, table.stakes(game), strict=True), 1):
        assert stakes.facts == {name: chips for name, chips in level.items() if name != "hands"}
        assert table.hands(number) == (None if number == len(levels) else level["hands"])
        charged = game.start(3).charge(stakes)
        assert charged.betting.small_bet == level["big_blind"]
        assert charged.betting.big_bet == 2 * level["big_blind"]
    assert [at_level.stack for at_level in table.games(game)] == [777] * len(levels)


def test_levels_end_after_hands_or_minutes() -> None:
    """And leave nothing of the stakes before them; games of antes have levels of antes."""
    blinds = {"small_blind": 5, "big_blind": 10}
    table = LevelTable.from_facts([{"hands": 5, **blinds}, {"minutes": 7, **blinds}, {"minutes": 9, **blinds}])
    assert LevelTable.from_facts(table.record) == table
    assert [(table.hands(level), table.minutes(level)) for level in (1, 2, 3)] == [(5, None), (None, 7), (None, None)]
    table = LevelTable.from_facts([{**LEVEL, "ante": 2}, blinds])
    assert table.stakes(HoldemGame(straddle=20)) == [Blinds(5, 10, 2), Blinds(5, 10)]
    assert LevelTable.from_facts([{"hands": 3, "ante": 4}, {"ante": 9}]).stakes(StudGame(100, 1)) == [
        Antes(4),
        Antes(9),
    ]


@pytest.mark.parametrize(
    ("levels", "complaint"),
    [
        ([], "expected at least one level, got none"),
        ([{**LEVEL, "seconds": 5}], "level 1: unknown key 'seconds'; the keys are hands, minutes, small_blind, "),
        ([{**LEVEL, "minutes": 5}], "level 1: a level ends after hands or after minutes; leave out one of the two"),
        ([{"minutes": 0, "small_blind": 5, "big_blind": 10}], "level 1: minutes: expected a whole number from 1 to "),
        ([{**LEVEL, "ante": "2"}], "level 1: ante: expected a whole number from 0 to 1000000000, got '2'"),
        ([{**LEVEL, "ante": True}], "level 1: ante: expected a whole number from 0 to 1000000000, got True"),
        ([LEVEL, {**LEVEL, "hands": 0}], "level 2: hands: expected a whole number from 1 to 1000000000, got 0"),
        ([{**LEVEL, "small_blind": -1}], "level 1: small_blind: expected a whole number from 0 to "),
        ([{"small_blind": 5, "big_blind": 10}, LEVEL], "level 1: hands or minutes is missing; only the last"),
        ([{"hands": 5, "big_blind": 10}], "level 1: small_blind is missing or 0; holdem needs it at every level"),
        ([{"hands": 5, "small_blind": 10}], "level 1: big_blind is missing or 0; holdem needs it at every level"),
        ([LEVEL, {**LEVEL, "ante": 11}], "level 2: ante: expected at most the big blind of 10, got 11"),
        ([{**LEVEL, "big_blind_ante": 11}], "level 1: big_blind_ante: expected at most the big blind of 10, got 11"),
        ([LEVEL, {**LEVEL, "small_blind": 11}], "level 2: small_blind: expected at most the big blind of 10, got 11"),
        (
            [LEVEL, {**LEVEL, "small_blind": 4}],
            "level 2: small_blind: expected at least the 5 of the level before",
        ),
        ([LEVEL, {**LEVEL, "big_blind": 9}], "level 2: big_blind: expected at least the 10 of the level before, got 9"),
        ([{**LEVEL, "straddle": 19}], "level 1: straddle: expected at least twice the big blind of 10, got 19"),
        ([{**LEVEL, "ante": 1, "big_blind_ante": 1}], "level 1: ante: either everybody pays one or the big blind"),
    ],
)
def test_what_is_no_table_is_refused(levels: list[dict[str, Any]], complaint: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(complaint)}"):
        LevelTable.from_facts(levels).games(HOLDEM)


def test_levels_need_a_game_with_such_stakes() -> None:
    table = LevelTable.from_facts([LEVEL])
    with pytest.raises(ValueError, match=r"^level 1: stud has no small_blind; leave it out"):
        table.stakes(StudGame())
    with pytest.raises(ValueError, match=r"^level 2: ante: expected at least the 4 of the level before, got 3"):
        LevelTable.from_facts([{"hands": 3, "ante": 4}, {"ante": 3}]).stakes(StudGame())
    with pytest.raises(ValueError, match=r"^in blockhead nothing can rise"):
        LevelTable.from_facts([{"hands": 3}]).stakes(BlockheadGame())


# The number of ways in which a small heads-up hand can be bet.
#
# A mistake in when a street ends, who acts or what may be raised changes the number of action sequences. A second
# count, which shared no code with the rules, and counted by amounts alone, came to the same numbers.


#: Limit, chips of the button and of the other seat, and the number of action sequences that end a hand.
TREES: tuple[tuple[Limit, tuple[int, int], int], ...] = (
    ("no-limit", (1, 9), 1),
    ("no-limit", (3, 3), 25),
    ("no-limit", (6, 6), 233),
    ("no-limit", (9, 5), 257),
    ("no-limit", (10, 10), 5257),
    ("pot-limit", (9, 9), 2553),
    ("pot-limit", (6, 11), 513),
    ("fixed-limit", (9, 9), 493),
    ("fixed-limit", (7, 12), 237),
    ("fixed-limit", (20, 20), 3673),
)


def by_rules(hand: HoldemHand) -> int:
    """Action sequences from here to the end of the hand."""
    if hand.to_act is None:
        return 1
    legal = hand.legal()
    actions: list[Action] = [Fold(), Bet(legal.to_call), *map(Bet, legal.raises)]
    return sum(by_rules(hand.apply(action)) for action in actions)


@pytest.mark.parametrize(("limit", "stacks", "sequences"), TREES)
def test_action_sequences(limit: Limit, stacks: tuple[int, int], sequences: int) -> None:
    betting = Betting(limit, 2, 4, MOST_BETS if limit == "fixed-limit" else 0)
    assert by_rules(deal(DECK, stacks, betting, button=0, blinds=(1, 2))) == sequences
