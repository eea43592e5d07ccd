import pytest

from protocol.cards import DECK, Rank, Suit, parse_card, parse_cards


def test_the_deck_holds_each_card_once_in_a_fixed_order() -> None:
    assert len(set(DECK)) == 52
    assert [DECK.index(card) for card in DECK] == [4 * (card.rank - 2) + card.suit for card in DECK]
    assert " ".join(map(str, DECK[:5])) == "2C 2D 2H 2S 3C"


@pytest.mark.parametrize(
    ("text", "rank", "suit"),
    [
        ("2C", Rank.TWO, Suit.CLUBS),
        ("AD", Rank.ACE, Suit.DIAMONDS),
        ("10S", Rank.TEN, Suit.SPADES),
        ("QH", Rank.QUEEN, Suit.HEARTS),
    ],
)
def test_the_assignments_cards_are_read_as_it_names_them(text: str, rank: Rank, suit: Suit) -> None:
    card = parse_card(text)
    assert (card.rank, card.suit) == (rank, suit)
    assert str(card) == repr(card) == text


def test_every_card_reads_back_from_its_text() -> None:
    assert [parse_card(str(card)) for card in DECK] == list(DECK)
    assert parse_cards(" ".join(map(str, DECK))) == DECK


@pytest.mark.parametrize("text", ["", "AQ", "1S", "11S", "TS", "as", "10", "S", "10DD", " 2C", "2C ", "0C", "\uff12C"])
def test_other_texts_are_no_cards(text: str) -> None:
    with pytest.raises(ValueError, match="is no card; a card is 2-10, J, Q, K or A followed by S, H, D or C"):
        parse_card(text)


def test_cards_order_by_rank_and_then_suit() -> None:
    assert sorted(parse_cards("2C AC KS AS AD AH 10S")) == list(parse_cards("2C 10S KS AC AD AH AS"))
