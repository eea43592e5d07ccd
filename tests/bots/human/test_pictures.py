"""Cards, rings and curves, as characters."""

import pytest
from rich.text import Text

from bots.human.card_pictures import columns, drawn
from bots.human.game_seat import load_seat
from bots.human.narration import move, sentence, told
from bots.human.session_record import curve
from bots.human.table_picture import fitted, painted, places, ring
from bots.human.updates import Scene, SeatView
from protocol.cards import DECK, parse_card, parse_cards
from protocol.games.base import FOLD, Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


def test_hole_cards_look_different_from_up_cards() -> None:
    king = parse_card("KS")
    assert plain(drawn((king,), 0, parse_cards("10D"), "box")) == ["╔═══╗┌───┐", "║K♠ ║│10♦│", "╚═══╝└───┘"]
    assert plain(drawn((), 1, parse_cards("2C"), "box")) == ["╔═══╗┌───┐", "║░░░║│2♣ │", "╚═══╝└───┘"]
    assert plain(drawn((king,), 0, parse_cards("10D AH"), "word")) == ["(K♠) 10♦ A♥"]
    assert plain(drawn((), 1, (), "word")) == ["(??)"]
    assert plain(drawn((king,), 0, (), "big"))[1:4] == ["║K    ║", "║  ♠  ║", "║    K║"]
    assert plain(drawn((king,), 0, (), "huge"))[1] == "║K        ║"


def test_cards_that_lie_on_each_other_show_rank_and_suit() -> None:
    cards = parse_cards("10D 2C AH")
    assert plain(drawn((), 0, cards, "stack")) == ["┌───┌───┌───┐", "│10♦│2♣ │A♥ │", "└───└───└───┘"]
    assert plain(drawn((), 0, cards, "fan"))[1:3] == ["│10 │2  │A    │", "│  ♦│  ♣│  ♥  │"]
    assert all(len(row) == columns("fan", 3) for row in plain(drawn((), 0, cards, "fan")))


@pytest.mark.parametrize(
    ("seats", "cards", "width", "height", "size"),
    [
        (4, 3, 110, 44, "huge"),  # a terminal of 160 x 50
        (2, 5, 110, 44, "big"),
        (2, 5, 70, 35, "stack"),  # 120 x 40
        (2, 5, 75, 35, "fan"),
        (5, 5, 80, 15, "box"),
        (10, 5, 69, 20, "word"),
    ],
)
def test_cards_are_as_large_as_there_is_room_for(seats: int, cards: int, width: int, height: int, size: str) -> None:
    assert fitted(seats, cards, width, height).size == size


@pytest.mark.parametrize("seats", range(2, 18))
def test_seats_have_own_cells_and_the_person_is_below(seats: int) -> None:
    grid = fitted(seats, 3, 80, 15)
    cells = dict(places(grid, seats, me=1))
    assert sorted(cells.values()) == list(range(seats))
    assert cells[grid.columns // 2, grid.rows - 1] == 1
    assert set(cells) <= set(ring(grid.columns, grid.rows))


@pytest.mark.parametrize("seats", [2, 8, 17])
@pytest.mark.parametrize(("width", "height"), [(80, 15), (150, 50), (40, 10)])
def test_scene_fits_its_space_and_names_all_seats(seats: int, width: int, height: int) -> None:
    views = [
        SeatView(f"p{seat}", 500, DECK[:1] if seat == 0 else (), int(seat > 0), DECK[20:22]) for seat in range(seats)
    ]
    lines = painted(Scene(tuple(views), 0, 1, 2, 44, 3, to_act=1), width, height).plain.split("\n")
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert "▶ p1" in text
    if (width, height) != (40, 10):
        assert all(f"p{seat}" in text for seat in range(seats))
        assert "pot 44" in text


def test_rising_curve_has_no_holes() -> None:
    assert curve([1, 2], 1, 1) == ["⡸"]
    assert curve([2, 1], 2, 1) == ["⠉⣆"]
    rising = curve(list(range(20)), 10, 4)
    assert rising[-1][0] != "⠀"
    assert rising[0][-1] != "⠀"
    assert all(any(line[column] != "⠀" for line in rising) for column in range(10))


def test_flat_curve_is_a_line_in_the_middle() -> None:
    assert set("".join(curve([5, 5, 5], 4, 1))) == {"⠤"}
    assert curve([], 3, 1) == ["⠀⠀⠀"]


SUMS, POKER = BlockheadGame(), BlockheadGame(ranks="poker")


@pytest.mark.parametrize(
    ("game", "cards", "name"),
    [
        (StudGame(), "KS KD KH", "three kings"),
        (StudGame(), "6S 6D KH", "a pair of sixes"),
        (StudGame(), "AS 6D KH", "ace high"),
        (SUMS, "KS AD 2H", "sum 13"),
        (POKER, "KS KD 2H 2S", "two pair, kings and twos"),
        (POKER, "KS KD 2H 2S 2C", "a full house, twos over kings"),
        (POKER, "AS 2D 3H 4S 5C", "a straight, five high"),
        (POKER, "AS 3D 7H 4S 5C", "ace high"),
        (POKER, "KS KD KH KC", "four kings"),
    ],
)
def test_hands_have_names(game: StudGame | BlockheadGame, cards: str, name: str) -> None:
    assert load_seat(game.name).in_words(game, parse_cards(cards)) == name


@pytest.mark.parametrize(
    ("action", "owed", "first", "line"),
    [
        (FOLD, 5, False, "You fold."),
        (Bet(0), 0, True, "You check."),
        (Bet(5), 5, False, "You call 5."),
        (Bet(5), 0, True, "You bet 5."),
        (Bet(8), 5, False, "You raise 3 and put in 8."),
    ],
)
def test_moves_are_told_in_words(action: Bet, owed: int, first: bool, line: str) -> None:
    did = move(action, owed, first)
    amount = getattr(action, "amount", 0)
    assert told("you", did, amount) == line
    verb = line.split()[1].rstrip(".")
    assert told("tight", did, amount).startswith(f"tight {verb}s")


def test_sentence_keeps_the_letters_of_names() -> None:
    assert (sentence("you win"), sentence("youth wins")) == ("You win", "youth wins")


@pytest.mark.parametrize(("width", "height"), [(70, 15), (80, 15), (70, 35)])
@pytest.mark.parametrize("name", ["名" * 32, "🃏" * 32, "Bo"])
def test_long_names_leave_room_for_what_stands_beside_them(name: str, width: int, height: int) -> None:
    seats = (SeatView(name, 500, button=True, note="raise 10"), SeatView("you", 500, button=True, note="call 5"))
    lines = painted(Scene(seats, 1, 1, 1, 3, 3, to_act=0), width, height).split("\n")
    assert {line.cell_len for line in lines} <= {grid_width(width), width}
    told = "\n".join(line.plain for line in lines)
    assert told.count("(D)") == 2
    assert "▶" in told
    assert "raise 10" in told


def grid_width(width: int) -> int:
    grid = fitted(2, 3, width, 15)
    return grid.columns * grid.width
