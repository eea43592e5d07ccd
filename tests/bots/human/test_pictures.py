"""Cards, rings and curves, as characters."""

import pytest
from rich.text import Text

from bots.human.card_pictures import columns, drawn
from bots.human.game_seat import load_seat
from bots.human.narration import move, sentence, told
from bots.human.session_record import curve
from bots.human.table_picture import fitted, painted, places, ring
from dealer.telling.scene import SeatScene
from protocol.cards import DECK, parse_card, parse_cards
from protocol.games.base import FOLD, Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame
from tests.bots.human.person import scene_of


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
        (2, 5, 110, 44, "huge"),
        (2, 5, 92, 38, "huge"),  # 140 x 45
        (2, 5, 50, 35, "big"),
        (3, 5, 70, 35, "stack"),  # 120 x 40
        (3, 5, 75, 35, "fan"),
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
    up = [card.text for card in DECK[20:22]]
    views = [
        SeatScene(seat, 500, 1, [DECK[0].text] if seat == 0 else (), up, turn=seat == 1, put=5, deed="call 5")
        for seat in range(seats)
    ]
    scene = scene_of(StudGame(), [f"p{seat}" for seat in range(seats)], views)
    scene.table.pot = 44
    lines = painted(scene, width, height).plain.split("\n")
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert "▶ p1" in text
    assert "to act" not in text or text.count("call 5") == seats - 1  # in place of what it did last
    assert "to act" in text or width < 150
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
    ("action", "owed", "put", "line"),
    [
        (FOLD, 5, 0, "You fold."),
        (Bet(0), 0, None, "You check."),
        (Bet(5), 5, 0, "You call 5."),
        (Bet(5), 0, None, "You bet 5."),
        (Bet(8), 5, 2, "You raise to 10."),
    ],
)
def test_moves_are_told_in_words(action: Bet, owed: int, put: int | None, line: str) -> None:
    did = move(action, owed, put)
    assert told("you", did) == line
    _, verb, *rest = line.rstrip(".").split()
    assert told("tight", did) == " ".join(["tight", f"{verb}s", *rest]) + "."


def test_sentence_keeps_the_letters_of_names() -> None:
    assert (sentence("you win"), sentence("youth wins")) == ("You win", "youth wins")


@pytest.mark.parametrize(("width", "height"), [(70, 15), (80, 15), (70, 35)])
@pytest.mark.parametrize("name", ["名" * 32, "🃏" * 32, "Bo"])
def test_long_names_leave_room_for_what_stands_beside_them(name: str, width: int, height: int) -> None:
    other, mine = SeatScene(0, 500, button=True, deed="raise to 10"), SeatScene(1, 500, button=True, turn=True)
    lines = painted(scene_of(StudGame(), [name, "you"], [other, mine], me=1), width, height).split("\n")
    assert {line.cell_len for line in lines} == {width}
    told = "\n".join(line.plain for line in lines)
    assert told.count("(D)") == 2
    assert "▶" in told
    assert "raise to 10" in told
