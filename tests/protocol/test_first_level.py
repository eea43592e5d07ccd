"""The modules at the first level of protocol: cards, charts, words, and what installed packages offer."""

import hashlib
import hmac
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.metadata import EntryPoint, EntryPoints
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import installed
from protocol.cards import DECK, Rank, Suit, parse_card, parse_cards
from protocol.charts.chart import Axis, Chart, Series, thinned
from protocol.charts.html_file import policy
from protocol.plurals import counted, plural, span
from protocol.shuffle import SEED_BYTES, commitment, seed_from_text, shuffled_places
from protocol.suggestions import instead, nearest
from tests.protocol.helpers import shuffled_deck


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


SEED = seed_from_text("casino day")


def places_by_the_book(seed: bytes, table: int, hand: int, cards: int) -> list[int]:
    """The description of the shuffle followed step by step: first the factorial digits, then the swaps."""
    halves = [hmac.new(seed, f"{table}/{hand}/{half}".encode(), hashlib.sha256).digest() for half in (0, 1)]
    number = sum(byte << 8 * place for place, byte in enumerate(reversed(halves[0] + halves[1])))
    digits = []
    for base in range(cards, 1, -1):
        digits.append(number % base)
        number //= base
    places = list(range(cards))
    for last, digit in zip(range(cards - 1, 0, -1), digits, strict=True):
        places[last], places[digit] = places[digit], places[last]
    return places


def test_decks_of_every_size_are_shuffled_as_described() -> None:
    for cards, hand in product(range(1, 257), range(1, 6)):
        assert list(shuffled_places(SEED, 2, hand, cards)) == places_by_the_book(SEED, 2, hand, cards), (cards, hand)
    for table, hand in ((0, 1), (0, 2), (3, 1), (11, 1), (1, 11), (999, 12345)):
        places = places_by_the_book(SEED, table, hand, len(DECK))
        assert list(shuffled_deck(SEED, table, hand)) == [DECK[place] for place in places]


def test_the_deck_of_a_seed_never_changes() -> None:
    """Journals of past days can be checked only as long as this holds."""
    assert SEED.hex() == hashlib.sha256(b"casino day").hexdigest()
    assert SEED_BYTES == len(SEED) == 32
    assert " ".join(map(str, shuffled_deck(SEED, 0, 1)[:10])) == "KS JD 4S 4C 5H AC QD 10D 8C 8S"


def test_each_hand_of_each_table_and_seed_has_a_deck_of_its_own_with_all_52_cards() -> None:
    seeds = [SEED, seed_from_text("another day")]
    decks = {shuffled_deck(seed, table, hand) for seed in seeds for table in range(12) for hand in range(1, 41)}
    assert len(decks) == 2 * 12 * 40
    assert all(sorted(deck) == sorted(DECK) for deck in decks)


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def test_every_card_is_as_likely_at_every_place() -> None:
    """52 * 52 counts of card and place. Their chi-square has the mean 52 * 51 = 2652 and a deviation of 74; that of
    one place has 51 degrees of freedom, and of 52 such one is beyond 105 in one try of 1000.
    """
    hands = 5200
    counts = [[0] * 52 for _ in range(52)]
    for hand in range(1, hands + 1):
        for place, card in enumerate(shuffled_deck(SEED, 0, hand)):
            counts[place][4 * (card.rank - 2) + card.suit] += 1
    assert 2652 - 4 * 74 < sum(map(chi_square, counts)) < 2652 + 4 * 74
    assert max(map(chi_square, counts)) < 105


def test_neighbours_are_as_likely_in_one_order_as_in_the_other() -> None:
    """A shuffle that keeps runs of the deck together shows in how often a card is followed by the next."""
    hands = 2000
    place_of = {card: place for place, card in enumerate(DECK)}
    steps = [0] * 52
    for hand in range(1, hands + 1):
        for one, next_one in pairwise(shuffled_deck(SEED, 1, hand)):
            steps[(place_of[next_one] - place_of[one]) % 52] += 1
    assert steps[0] == 0
    assert chi_square(steps[1:]) < 90  # 50 degrees of freedom: beyond 90 once in 2000


def test_the_commitment_is_the_sha256_of_the_seed_in_hex_and_reveals_neither_seed_nor_text() -> None:
    """As anybody can work out with other tools: ``echo -n SEED | xxd -r -p | sha256sum``.

    The seed itself is the SHA-256 of the text: one step more, or who knows the commitment would know the seed.
    """
    assert commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    shown = commitment(SEED)
    assert shown == hashlib.sha256(bytes.fromhex(SEED.hex())).hexdigest()
    assert shown != SEED.hex()
    assert shown != commitment(bytes.fromhex(shown))
    assert shown != hashlib.sha256(b"casino day").hexdigest()


def test_every_bit_of_the_seed_is_committed_to() -> None:
    flipped = [(int.from_bytes(SEED, "big") ^ 1 << bit).to_bytes(SEED_BYTES, "big") for bit in range(256)]
    assert len({commitment(seed) for seed in [SEED, *flipped]}) == 257


# Charts as values, and the file that holds them.


@given(st.lists(st.integers(), unique=True), st.integers(1, 50))
def test_few_points_with_both_ends(points: list[int], most: int) -> None:
    kept = thinned(points, most)
    assert len(kept) <= most + 1
    assert [point for point in points if point in set(kept)] == kept
    assert kept[:1] == points[:1]
    assert kept[-1:] == points[-1:]


def test_numbers_in_a_page_are_as_exact_as_they_are_told() -> None:
    series = Series("A", "red", range(2), [1 / 3, None], [0.25], [0.75])
    data = Chart("a", "A", "", "curves", Axis("hand"), Axis("chips", digits=1), [series]).data
    (one,) = data["series"]
    assert (one["at"], one["values"], one["low"], one["high"]) == ([0, 1], [0.3, None], [0.2], [0.8])


def test_browser_may_use_the_style_and_the_scripts_of_the_file_alone() -> None:
    allowed = policy("a {}", "b()", "c()")
    for text in ("a {}", "b()", "c()"):
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in allowed
    assert allowed.startswith("default-src 'none'; ")
    assert "unsafe" not in allowed


# Numbers in words, and names that were probably meant.


@pytest.mark.parametrize(("number", "words"), [(0, "0 chips"), (1, "1 chip"), (2, "2 chips"), (1200, "1200 chips")])
def test_number_in_words(number: int, words: str) -> None:
    assert plural(number, "chip") == words


@pytest.mark.parametrize(("number", "words"), [(0, "0 hands"), (1, "1 hand"), (2, "2 hands"), (1234, "1,234 hands")])
def test_number_with_thousands_separators(number: int, words: str) -> None:
    assert counted(number, "hand") == words


@pytest.mark.parametrize(("numbers", "words"), [(range(2, 18), "2 to 17"), (range(2, 4), "2 to 3"), (range(2, 3), "2")])
def test_numbers_in_a_row(numbers: range, words: str) -> None:
    assert span(numbers) == words


NAMES = ("caller", "pair-or-fold", "tight")


@pytest.mark.parametrize(("typed", "meant"), [("tigth", "tight"), ("CALLER", "caller"), ("pairorfold", "pair-or-fold")])
def test_name_that_is_like_another(typed: str, meant: str) -> None:
    assert nearest(typed, NAMES) == meant
    assert instead(typed, NAMES) == f"did you mean {meant!r}?"


def test_name_that_is_like_none() -> None:
    assert nearest("xyz", NAMES) is None
    assert instead("xyz", NAMES) == "installed are caller, pair-or-fold, tight"
    assert instead("xyz", NAMES, "those that do:") == "those that do: caller, pair-or-fold, tight"


# What installed packages offer is read once in a process.


def test_packages_are_read_once_and_selected_by_group_and_name(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, other = (EntryPoint(*names) for names in (("a", "m:x", "g"), ("b", "m:y", "g"), ("a", "m:z", "h")))
    packages = iter([EntryPoints([first, second, other])])
    monkeypatch.setattr(installed, "_all_entry_points", cache(lambda: next(packages)))
    installed.entry_points.cache_clear()
    try:
        for _ in range(2):
            assert [*installed.entry_points(group="g")] == [first, second]
            assert [*installed.entry_points(group="g", name="b")] == [second]
            assert [*installed.entry_points(group="g", name="c")] == []
    finally:
        installed.entry_points.cache_clear()
