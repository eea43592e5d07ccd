"""Places, and how they are shown."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from trio.testing import MockClock

from dealer.faults import Fault, FaultKind
from dealer.ledger.columns import COLUMNS, facts_of, fitting, standings_table
from dealer.ledger.standings import Departure, Departures, Standing, rank
from dealer.lobby.player import Player
from protocol.wire.messages import Name
from tests.dealer.support.one_seat import open_seat

AVATARS = ["[red]x", "[/]", ":pizza:", "שלום", "مرحبا بالعالم", "👩\u200d💻 Ada", "back\\slash", "a" * 32, "謝" * 32]


async def make_players(count: int) -> list[Player]:
    async with open_seat() as ends:
        return [Player(f"p{number}", f"Player {number}", "test", ends.seat) for number in range(count)]


def shown(standings: list[Standing], width: int = 80) -> str:
    output = io.StringIO()
    Console(file=output, width=width).print(standings_table(standings))
    return output.getvalue()


async def test_survivors_stand_by_chips_then_the_last_to_leave(jumping_clock: MockClock) -> None:
    rich, poor, equal, early, late, late_but_poor = players = await make_players(6)
    departures = {
        early: Departure((0, 0, 3), 90, "out"),
        late: Departure((1, 0, 7), 50, "out"),
        late_but_poor: Departure((1, 0, 7), 20, "out"),
    }
    chips = dict(zip(players, [300, 200, 200, 999, 0, 0], strict=True))
    standings = rank(chips, departures)
    assert [(standing.place, standing.player) for standing in standings] == [
        (1, rich),
        (2, poor),
        (2, equal),
        (4, late),
        (5, late_but_poor),
        (6, early),
    ]


@pytest.mark.parametrize("avatar", AVATARS)
async def test_an_avatar_is_shown_as_it_is(avatar: str, jumping_clock: MockClock) -> None:
    assert Name("id", avatar).avatar == avatar
    (player,) = await make_players(1)
    player.avatar = avatar
    standings = [Standing(1, 500, player)]
    text = shown(standings)
    rows = [line.split("test")[0].removeprefix("    1") for line in text.splitlines()[4:]]
    assert "".join(row.strip() for row in rows).replace(" ", "") == avatar.replace(" ", "")
    assert json.loads(json.dumps(facts_of(standings[0])))["avatar"] == avatar


async def test_the_table_fits_in_80_columns_whatever_is_in_it(jumping_clock: MockClock) -> None:
    players = await make_players(17)
    for player in players:
        player.avatar, player.program = "W" * 32, "java -jar /home/student1/casino/target/Poker.jar {host} {port}"
        player.hands_won = player.hands_survived = 99999
        for time in (0.0001, 59.0):
            player.reply_times.add(time)
        player.faults.append(Fault(FaultKind.LATE, "late"))
    text = shown([Standing(17, 1_000_000, player) for player in players])
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert text.count("W") == 17 * 32
    assert "1000000" in text
    assert "99999" in text


async def test_ordinary_names_take_one_line_each(jumping_clock: MockClock) -> None:
    players = await make_players(6)
    for player in players:
        player.avatar, player.program = "Pair Or Fold 2", "pair-or-fold 2"
    assert len(shown([Standing(1, 500, player) for player in players]).splitlines()) == 6 + 4


async def test_facts_are_plain(jumping_clock: MockClock) -> None:
    (player,) = await make_players(1)
    player.faults.append(Fault(FaultKind.ILLEGAL, "you bet 6 but owe 7"))
    player.reply_times.add(0.25)
    facts = json.loads(json.dumps(facts_of(Standing(1, 500, player))))
    assert facts["faults"] == [{"kind": "illegal", "reason": "you bet 6 but owe 7"}]
    assert facts["reply_p50"] == pytest.approx(0.25, rel=0.02)
    assert (facts["id"], facts["bot"], facts["decisions"], facts["left"]) == ("p0", "test", 1, None)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=10))
def test_a_place_is_one_more_than_the_number_of_those_ahead(chips: list[int]) -> None:
    class NoSeat:
        pass

    players = [Player(str(number), "P", "test", NoSeat()) for number in range(len(chips))]  # type: ignore[arg-type]
    for standing in rank(dict(zip(players, chips, strict=True)), {}):
        assert standing.place == 1 + sum(other > standing.chips for other in chips)


def test_departures_in_one_hand_of_one_table_are_equal() -> None:
    players = [Player(str(number), "P", "test") for number in range(5)]
    departures = Departures()
    for player, (table, hand, chips) in zip(
        players, [(0, 3, 9), (1, 3, 50), (0, 3, 20), (0, 4, 1), (1, 3, 50)], strict=True
    ):
        departures.add(player, table, hand, chips, "out")
    departures.add(players[0], 0, 9, 100, "again")  # only the first counts
    orders = [departures[player].order[0] for player in players]
    assert orders == [0, 1, 0, 3, 1]
    places = {standing.player.id: standing.place for standing in rank(dict.fromkeys(players, 0), departures)}
    assert places == {"3": 1, "1": 2, "4": 2, "2": 4, "0": 5}


def test_narrow_terminals_leave_columns_out() -> None:
    headings = [column.key for column in fitting([], COLUMNS, 80)]
    narrow = [column.key for column in fitting([], COLUMNS, 40)]
    assert {"reply_p50", "decisions"} <= {*headings} - {*narrow}
    assert narrow == [key for key in headings if key in narrow]
    assert {"place", "avatar", "chips"} <= {*narrow}
    assert [column.key for column in fitting([], COLUMNS, 1)] == ["place", "avatar", "chips"]
