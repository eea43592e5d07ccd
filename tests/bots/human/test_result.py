"""Results in words: who wins a hand and why, and how a person's game went."""

from bots.human.narration import result
from bots.human.session_record import SessionRecord
from protocol.cards import DECK, Card, parse_cards
from protocol.games import blockhead, stud
from protocol.games.base import FOLD, Bet

NAMES = ("you", "tight", "caller")


def deck(cards: str) -> list[Card]:
    first = parse_cards(cards)
    return [*first, *(card for card in DECK if card not in first)]


def told_stud(cards: str, players: int = 3) -> list[str]:
    hand = stud.deal(deck(cards), [100] * players, ante=7)
    while hand.to_act is not None:
        hand = hand.apply(Bet(0))
    return result(stud.StudGame(), hand, hand.settle(), NAMES)


def test_best_cards_and_spade_win_half_each() -> None:
    assert told_stud("2C AH AD 9S 8H 7H 3S QH JH") == [
        "You: 2♣ A♥ A♦, a pair of aces.",
        "tight: 9♠ 8♥ 7♥, nine high.",
        "caller: 3♠ Q♥ J♥, queen high.",
        "You win 11: a pair of aces.",
        "tight wins 10: the highest spade in the hole.",
    ]


def test_one_seat_wins_both_halves() -> None:
    assert told_stud("2S AH AD 9C 8H 7H 3C QH JH")[-1] == (
        "You win 21: a pair of aces and the highest spade in the hole."
    )


def test_tied_seats_share() -> None:
    lines = told_stud("2C AH KD 2D AC KH 3C QH JH")
    assert [line.partition(":")[2] for line in lines[3:]] == [" a tie with ace high."] * 2


def test_no_cards_named_when_all_others_folded() -> None:
    hand = stud.deal(deck("2S AH AD 9C 8H 7H 3C QH JH"), [100] * 3)
    assert hand.to_act == 0
    hand = hand.apply(Bet(5)).apply(FOLD).apply(FOLD)
    assert result(stud.StudGame(), hand, hand.settle(), NAMES) == ["You win 8: all others folded."]


def test_tied_pot_of_blockhead_is_carried() -> None:
    hand = blockhead.deal(deck("10S 9H 3H 4H 5H 10D 9C 3C 4C 5C"), [100, 100])
    while hand.to_act is not None:
        hand = hand.apply(Bet(0))
    assert (
        result(blockhead.BlockheadGame(), hand, hand.settle(), NAMES)[-1]
        == "Equal: the pot of 20 waits for the next hand."
    )


def test_chips_at_the_end_count_among_the_most_and_the_least() -> None:
    record = SessionRecord("Stud against caller", chips=[500, 501, 500, 500], hand=4, stack=490)
    assert record.words == [
        "Stud against caller",
        "4 hands: 500 chips at first, 490 at the end (-10), 501 at the most, 490 at the least.",
    ]
