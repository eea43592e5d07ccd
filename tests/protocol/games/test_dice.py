"""The rules of dice: every hand there is, what each one pays, and what its messages say."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.dice import DICE, BetSize
from protocol.games.base import FOLD, FOLDED, Bet, IllegalAction
from protocol.games.dice import BET_SIZES, TIE, Dice, DiceGame, DiceHand, DiceStatus, DiceTurn, Roll, deal
from protocol.wire.codec import decode_action, decode_command, encode, encode_action
from protocol.wire.messages import ProtocolError, QuitGame

bet_sizes = st.sampled_from(BET_SIZES)
dice = st.sampled_from(DICE)
rolls = st.tuples(bet_sizes.map(lambda bet: BetSize(bet, f"B={bet}")), dice, dice)
stacks = st.tuples(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
openers = st.integers(0, 1)
numbers = st.tuples(st.integers(0, 999), st.integers(0, 999))


def ends(hand: DiceHand) -> Iterator[DiceHand]:
    if hand.to_act is None:
        yield hand
        return
    for action in hand.legal():
        yield from ends(hand.apply(action))


def all_rolls() -> Iterator[Roll]:
    for bet, first, second in product(BET_SIZES, DICE, DICE):
        yield BetSize(bet, f"B={bet}"), first, second


def test_the_whole_tree() -> None:
    """576 outcomes of chance, three ends of each; and what each end pays the first player, by the source."""
    counted = Counter[str]()
    for roll, opener in product(all_rolls(), (0, 1)):
        bet, pips = roll[0].chips, (roll[1].pips, roll[2].pips)
        own, other = pips[opener], pips[1 - opener]
        first_folds, second_folds, called = ends(deal(roll, (1000, 1000), opener))
        paid = [end.settle().payoffs[opener] for end in (first_folds, second_folds, called)]
        assert paid == [-1, 2, bet * ((own > other) - (own < other))]
        counted.update(end.settle().pots[0].kind for end in (first_folds, second_folds, called))
    assert counted.total() == 3 * 2 * 16 * 36
    assert counted[FOLDED] == 2 * 2 * 16 * 36
    assert counted[TIE] == 2 * 16 * 6
    assert set(counted) == set(DiceGame.kinds)


@given(rolls, stacks, openers, numbers)
def test_chips_are_told(roll: Roll, starting: tuple[int, int], opener: int, names: tuple[int, int]) -> None:
    for end in ends(deal(roll, starting, opener, names)):
        settlement = end.settle()
        for seat, status in enumerate(settlement.statuses()):
            if seat not in end.live:
                assert status is None
                continue
            assert status.chips == settlement.payoffs[seat]
            assert status.second == (seat != opener)
            assert status.die == ((roll[2].pips, roll[1].pips)[seat] if len(end.live) == 2 else 0)


@given(rolls, stacks, openers)
def test_a_player_pays_what_is_missing_to_b_or_folds(roll: Roll, starting: tuple[int, int], opener: int) -> None:
    """That all other actions are refused, the contract of every game checks."""
    hand = deal(roll, starting, opener)
    for player in (opener, 1 - opener):
        assert hand.to_act == player
        legal = hand.legal()
        assert list(legal) == [FOLD, Bet(roll[0].chips - 1 - (player != opener))]
        with pytest.raises(IllegalAction, match=f"chips are missing to B: bet {legal.to_call}, or fold"):
            hand.apply(Bet(legal.to_call + 1))
        hand = hand.apply(Bet(legal.to_call))
    assert hand.to_act is None


@given(bet_sizes, st.integers(0, 1), st.integers(1, 6), st.integers(0, 10**6))
def test_questions_and_answers_come_back_from_their_text(bet: int, second: int, die: int, opponent: int) -> None:
    turn = DiceTurn(bet, second, die, opponent)
    assert decode_command(encode(turn), "dice") == turn
    for action in turn.legal():
        assert decode_action(encode_action(action, turn), turn) == action
    with pytest.raises(QuitGame):
        decode_action("quit", turn)
    assert turn.pot == (bet + 2 if second else 3)
    assert turn.owed == bet - 1 - second


@pytest.mark.parametrize(
    "text",
    [
        "dice:12:0:4", "dice:12:0:4:3:1", "dice:2:0:4:3", "dice:19:0:4:3", "dice:12:2:4:3", "dice:12:0:0:3",
        "dice:12:0:7:3", "dice:12:0:4:-1", "dice:12:0:4:x", "dice:", "status:1:0:1", "status:6:1:1", "status:2:3:2",
        "status:4:0:12", "status:4:7:12", "status:4:6", "status:4:6:x", "status:win:6",
    ],
)  # fmt: skip
def test_text_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError):
        decode_command(text, "dice")


@pytest.mark.parametrize("text", ["", "bet:11", "bet ", "Bet", "call", "check", "1", "raise", "fold:"])
def test_other_replies_are_malformed(text: str) -> None:
    with pytest.raises(ProtocolError, match="expected 'fold' or 'bet'"):
        decode_action(text, DiceTurn(12, 0, 4, 3))


def test_states_are_those_of_the_source() -> None:
    states = [DiceStatus(second, showdown, 0, 0).state for showdown in (False, True) for second in (0, 1)]
    assert states == [2, 3, 4, 5]


def test_players_take_turns_as_the_first_and_may_owe_chips() -> None:
    match, openers = DiceGame(stack=1, hands=4).start(2), []
    while not match.over:
        hand = match.deal(Dice().outcome(bytes([18, 1, 6])))
        openers.append(hand.opener)
        match = match.record(hand.apply(Bet(17)).apply(Bet(16)).settle())
    assert openers == [0, 1, 0, 1]
    assert match.stacks == (1 - 72, 1 + 72)
    assert match.total == 2


def test_every_outcome_is_about_as_likely() -> None:
    """Chi-squared over 576 outcomes of 57,600 draws: 575 degrees of freedom, below 681 in 999 of 1000 cases."""
    drawn = Counter(Dice().draw(bytes(32), 0, hand) for hand in range(1, 57_601))
    assert len(drawn) == 576
    assert sum((count - 100) ** 2 / 100 for count in drawn.values()) < 681


@pytest.mark.parametrize("drawn", [b"", b"\3\1", b"\2\1\1", b"\23\1\1", b"\3\0\1", b"\3\1\7", b"\3\1\1\1"])
def test_other_bytes_are_no_outcome(drawn: bytes) -> None:
    with pytest.raises(ValueError, match="expected B from 3 to 18 and two dice"):
        Dice().outcome(drawn)


def test_a_question_names_the_opponent_by_its_number() -> None:
    game = DiceGame()
    hand = game.number_players(game.start(2).deal(Dice().outcome(bytes([5, 1, 2]))), [40, 7])
    assert [hand.view(seat).opponent for seat in (0, 1)] == [7, 40]


def test_a_game_for_two() -> None:
    with pytest.raises(ValueError, match="dice needs 2 seats, got 3"):
        deal(Dice().outcome(bytes([5, 1, 2])), (1, 1, 1))
