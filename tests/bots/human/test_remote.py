"""A person at a dealer's table: what the dealer tells is shown; breaks, late answers, and how a person leaves."""

import socket
from collections.abc import Sequence
from functools import partial
from queue import SimpleQueue
from typing import TypeVar

import pytest
import trio
from rich.cells import cell_len

from bots.human import dealer_seat
from bots.human.dealer_seat import CLOSED, LEFT, DealerSeat
from bots.human.guest import Guest
from bots.human.panes import History
from bots.human.person_app import Casino
from bots.human.table_picture import SEATED, waiting_lines
from bots.human.updates import BACK_AGAIN, TOO_LATE, Asked, Begun, Chips, CutOff, Ended, News, Said, Shown, TooLate
from bots.human.web.facts import scene_facts
from dealer.audit.hands import Step
from dealer.telling.hand_events import HandEvents
from protocol.games.base import FOLD, Action, Bet, Hand
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame, deal
from protocol.person_events import AnswerDue, HandSeen, InLobby, PersonEvent, Seated, SeatSeen, person_text
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Name
from tests.bots.helpers import Ends
from tests.bots.human.person import Person, on_asyncio
from tests.protocol.helpers import deck_of, messages_in

T = TypeVar("T")
UTF = UtfFraming()
ADA = Name("ada-l", "Ada")


def event(told: PersonEvent) -> str:
    return f"event:{person_text(told)}"


class AtDealer:
    """A guest whose dealer is the test."""

    def __init__(self, *, page: bool = False, watches: bool = True) -> None:
        self.news: list[News] = []
        self.guest = Guest(ADA, UTF, self.news.append, page=page, watches=watches)
        self.said: list[str] = []

    def hear(self, *messages: str) -> None:
        self.said += messages_in(UTF, [self.guest.receive(b"".join(map(UTF.encode, messages)))])

    def answer(self, action: Action) -> None:
        number = [item.number for item in self.news if isinstance(item, Asked)][-1]
        self.said += messages_in(UTF, [self.guest.answer(number, action)])

    def of(self, sort: type[T]) -> list[T]:
        return [item for item in self.news if isinstance(item, sort)]

    @property
    def lines(self) -> list[str]:
        return [item.line for item in self.of(Said)]


#: The second seat is Ada's, with K♠ in the hole, 10♦ and then 10♠.
STUD = deal(deck_of("2C 8H 3H KS 10D 10S 9C QD QC"), [500, 500, 500], ante=1)


def stud_hand() -> tuple[HandEvents, list[str], Hand]:
    """The events of a hand in which Bo checks, Ada raises 10, and Cy, who is called like Bo, calls; until then."""
    events = HandEvents(4, 17, 1, 1, (5, 1, 7))
    dealt, street = events.begin(STUD)
    told: list[PersonEvent] = [Seated(4, 17, ("Bo\x1b[2J", "Ada", "Cy"), 1), dealt, street]
    return events, [event(one) for one in told], STUD


def acted(events: HandEvents, hand: Hand, action: Action) -> tuple[list[str], Hand]:
    assert hand.to_act is not None
    after = hand.apply(action)
    return [event(one) for one in events.step(Step(hand, hand.to_act, action, None, None), after)], after


QUESTION = "bet1:499:3:0:KS:10D:up:8H:10D:QD"


def test_table_is_shown_as_the_events_tell_it() -> None:
    table = AtDealer()
    events, told, hand = stud_hand()
    table.hear("login", "login", *told)
    assert table.said == ["watch", "ada-l:Ada"]
    assert table.of(Chips) == [Chips(500)]
    assert table.lines == ["Hand 1: 3 players, 3 chips in the pot."]
    scene = table.of(Shown)[-1].scene
    assert [*scene.names] == ["Bo[2J", "you", "Cy"]  # which cannot move the cursor
    assert [seat.stack for seat in scene.table.seats] == [499, 499, 499]
    assert [seat.hole for seat in scene.table.seats] == [(), ("KS",), ()]
    order = []
    for action in (Bet(10), FOLD, Bet(10)):
        assert hand.to_act is not None
        order.append(hand.to_act)
        if hand.to_act == 1:
            turn = hand.view(1)
            table.hear(f"bet1:499:{turn.pot}:{turn.owed}:KS:10D:up:8H:10D:QD", event(AnswerDue(180.0, False)))
            table.answer(action)
        told, hand = acted(events, hand, action)
        table.hear(*told)
    assert sorted(order) == [0, 1, 2]
    shown = table.of(Shown)[-1]
    assert [seat.live for seat in shown.scene.table.seats].index(False) == order[1]
    assert shown.scene.street == "street 2"
    assert any(line.startswith("Street 2") for line in table.lines)
    assert any("fold" in line for line in table.lines)
    if shown.spot is not None:
        assert shown.spot.game == StudGame()
    assert table.of(AnswerDue) == [AnswerDue(180.0, False)]


def test_chips_of_a_street_are_those_of_that_street() -> None:
    """Also of a seat that folded on the one before."""
    table = AtDealer()
    events, told, hand = stud_hand()
    table.hear("login", "login", *told)
    for action in (Bet(10), Bet(20), Bet(20), FOLD):
        told, hand = acted(events, hand, action)
        table.hear(*told)
    shown = table.of(Shown)[-1]
    assert [seat.live for seat in shown.scene.table.seats].count(False) == 1
    assert [seat.put for seat in shown.scene.table.seats] == [0, 0, 0]
    told, hand = acted(events, hand, Bet(5))
    table.hear(*told)
    assert table.lines[-1].endswith((" bets 5.", "You bet 5."))
    assert table.of(Shown)[-1].scene.table.pot == hand.pot


def test_end_of_a_hand_shows_what_the_person_may_know() -> None:
    table = AtDealer()
    _, told, _ = stud_hand()
    seats = (
        SeatSeen((), "", 0, "", 489),
        SeatSeen(("KS", "10D", "10S"), "a pair of tens", 12, "a pair of tens", 511),
        SeatSeen((), "", 11, "the spade half", 500),
    )
    table.hear("login", "login", *told, event(HandSeen(4, 17, 23, 0, seats)), "status:win:KS:10D:10S", "done:bye")
    assert table.lines[1:] == [
        "You: K♠ 10♦ 10♠, a pair of tens.",
        "You win 12: a pair of tens.",
        "Cy wins 11: the spade half.",
    ]
    scene = table.of(Shown)[-1].scene
    assert scene.headline == "You win 12, Cy wins 11. You gain 11."
    assert [(seat.stack, seat.won) for seat in scene.table.seats] == [(489, 0), (511, 12), (500, 11)]
    assert table.guest.reason == "bye"


def test_player_who_is_called_you_is_another() -> None:
    table = AtDealer()
    _, told, _ = stud_hand()
    table.hear("login", "login", event(Seated(4, 17, ("you", "Ada", "Cy"), 1)), *told[1:])
    assert [*table.of(Shown)[-1].scene.names] == ['"you"', "you", "Cy"]


def test_events_of_later_dealers_are_left_out() -> None:
    table = AtDealer()
    table.hear("login", "login", 'event:{"type": "weather", "sun": true}', "done:bye")
    assert table.guest.reason == "bye"


def test_lobby_and_time_are_told() -> None:
    table = AtDealer()
    table.hear("login", "login", event(InLobby(("A\x1b[2J", "B"), 1, 2, None)))
    assert table.of(InLobby) == [InLobby(("A[2J", "B"), 1, 2, None)]


def test_dealer_that_tells_no_events_shows_the_question_alone() -> None:
    table = AtDealer(watches=False)
    table.hear("login", QUESTION)
    table.answer(Bet(10))
    table.hear("status:win:KS:10D:10S", "done:bye")
    assert table.said == ["ada-l:Ada", "bet:10"]
    scene = table.of(Shown)[0].scene
    assert scene.names == ("you",)
    assert [(seat.stack, seat.hole) for seat in scene.table.seats] == [(499, ("KS", "10D"))]
    assert table.lines == ["You win. The best cards: K♠ 10♦ 10♠, a pair of tens."]


def test_game_is_told_and_agreed() -> None:
    table = AtDealer(watches=False)
    table.hear("login", "game:holdem:seat=1:players=2:stack=77:betting=no-limit:small_blind=5:big_blind=10")
    (begun,) = table.of(Begun)
    assert begun.game == HoldemGame(stack=77)


@pytest.mark.parametrize("goes_on", ["done:no complete reply came", QUESTION, event(Seated(0, 2, ("Ada",), 0))])
def test_late_answer_is_noticed(goes_on: str) -> None:
    table = AtDealer(watches=False)
    table.hear("login", QUESTION)
    table.hear(event(AnswerDue(5.0, True)))  # which asks for no haste beyond its own
    assert table.of(TooLate) == []
    table.hear(goes_on)
    assert table.of(TooLate) == [TooLate()]
    assert table.said == ["ada-l:Ada", "fold"]
    assert table.guest.answer(1, Bet(0)) == b""


BROKEN = [
    "bet1:many:3:0:KS:10D:up:8H:10D:QD",
    "game:belote:seat=0:players=2",
    "event:{}",
    "event:[",
    event(HandSeen(0, 1, 3, 0, ())),
]


@pytest.mark.parametrize("message", BROKEN)
@pytest.mark.parametrize("page", [False, True])
def test_what_cannot_be_read_ends_the_session(message: str, page: bool) -> None:
    table = AtDealer(page=page, watches=False)
    table.hear("login", message)
    assert table.guest.failed
    assert table.guest.reason
    assert list(messages_in(UTF, [table.guest.goodbye()])) == (["quit"] if page else [])


def test_hand_that_is_told_again_is_not_repeated() -> None:
    """After a break the dealer tells the hand from its beginning."""
    table = AtDealer(page=True, watches=False)
    events, told, hand = stud_hand()
    table.hear("login", *told)
    before, lines = scene_facts(table.of(Shown)[-1].scene), list(table.lines)
    table.guest.begin_connection()
    table.hear("login", *told)
    assert scene_facts(table.of(Shown)[-1].scene) == before
    assert (table.lines, table.of(Chips)) == (lines, [Chips(500)])
    table.guest.begin_connection()  # which breaks again while the hand is told
    table.hear("login", *told[:2])
    table.guest.begin_connection()
    table.hear("login", *told)
    assert (table.lines, table.of(Chips)) == (lines, [Chips(500)])
    told, hand = acted(events, hand, Bet(3))
    table.hear(*told)
    assert table.lines[len(lines) :]
    table.hear(event(Seated(4, 18, ("Bo", "Ada", "Cy"), 1)))


BLOCKHEAD = "game:blockhead:seat=0:players=2:hands=20:stack=1000:buyin=10"


@pytest.mark.parametrize(
    ("after", "games"),
    [
        ([BLOCKHEAD], 0),
        ([BLOCKHEAD.replace("players=2", "players=3")], 0),  # somebody is out since
        ([BLOCKHEAD, BLOCKHEAD], 1),
        ([BLOCKHEAD.replace("1000", "500")], 1),
    ],
)
def test_game_that_begins_after_a_break_is_told(after: Sequence[str], games: int) -> None:
    table = AtDealer(page=True, watches=False)
    table.hear("login", BLOCKHEAD)
    table.guest.begin_connection()
    table.hear("login", *after)
    assert len(table.of(Begun)) == 1 + games


WIDE = "名" * 31 + "🃏"


def test_waiting_list_fits_and_names_the_person_first() -> None:
    lobby = InLobby(("Bo", WIDE, "Ada"), 2, 3, 4)
    assert waiting_lines(lobby, 100, 10)[:2] == [SEATED, "3 of 4 players are here:"]
    assert waiting_lines(lobby, 78, 10)[2].split() == ["Ada", "(you)", "Bo"]
    assert waiting_lines(InLobby(("Ada",), 0, 1, None), 78, 10)[1:] == ["You are the first:", "Ada (you)"]
    names = tuple(f"{WIDE}{number}" for number in range(200))
    lines = waiting_lines(InLobby(names, 150, 200, None), 78, 13)
    assert len(lines) == 13
    assert all(cell_len(line) <= 78 for line in lines)
    assert lines[2].endswith("…") or "(you)" in lines[2]
    assert lines[-1] == "and 180 more"
    assert "you" in waiting_lines(InLobby(names, 700, 900, None), 78, 13)[2]  # behind those who are named


@on_asyncio
async def test_screen_tells_once_that_the_dealer_stops(ends: Ends) -> None:
    dealer, sock = ends
    app = Casino(join=("Dealer", partial(DealerSeat, sock, UTF, Name("ada", "Ada"))))
    async with app.run_test(size=(80, 24)) as pilot:
        person = Person(app, pilot)
        due = event(AnswerDue(9.5, True))
        dealer.sendall(b"".join(map(UTF.encode, ["login", "bet1:499:2:0:KS:10D:up:8H:10D", due, due])))
        await person.asked()
        await person.reads("The dealer stops: answer within 10 seconds, or your hand is folded.")
        lines = person.table.query_one(History).lines
        assert sum("The dealer stops" in line for line in lines) == 1


@on_asyncio
async def test_end_of_the_game_closes_open_dialogs(ends: Ends) -> None:
    dealer, sock = ends
    app = Casino(join=("Dealer", partial(DealerSeat, sock, UTF, ADA)))
    async with app.run_test(size=(80, 24)) as pilot:
        person = Person(app, pilot)
        dealer.sendall(UTF.encode("login") + UTF.encode(QUESTION))
        await person.asked()
        await person.press("f8")
        await person.sees("leave the table, at any time")
        dealer.sendall(UTF.encode("done:no complete reply came"))
        await person.sees("no complete reply came", "Leave")
        assert "leave the table, at any time" not in person.screen
        await person.reads(TOO_LATE)


# Over sockets


class OverSockets:
    """A person's seat at dealers that the test plays, one after the other.

    Attributes:
        play: the person's seat; its ``run`` is under way.
        dealer: the end of the newest connection.
    """

    def __init__(self, nursery: trio.Nursery, *, page: bool, connections: int = 1) -> None:
        pairs = [socket.socketpair() for _ in range(connections)]
        self._dealers = [trio.SocketStream(trio.socket.from_stdlib_socket(dealer)) for dealer, _ in pairs]
        self._next = [person for _, person in pairs]
        self._news: SimpleQueue[News] = SimpleQueue()
        self._came = trio.Event()
        again = self._connect if page else None
        self.play = DealerSeat(self._next.pop(0), UTF, ADA, self._post, again=again)
        self.dealer = self._dealers.pop(0)
        nursery.start_soon(self.play.run)
        nursery.start_soon(self._close_at_the_end, pairs)

    async def _close_at_the_end(self, pairs: Sequence[tuple[socket.socket, socket.socket]]) -> None:
        dealers = [self.dealer, *self._dealers]
        try:
            await trio.sleep_forever()
        finally:
            for dealer in dealers:
                dealer.socket.close()
            for _, person in pairs:
                person.close()

    def _post(self, item: News) -> None:
        self._news.put(item)
        self._came.set()

    async def _connect(self) -> socket.socket:
        await trio.lowlevel.checkpoint()
        if not self._next:
            raise OSError("it is over")
        return self._next.pop(0)

    async def next(self) -> News:
        while self._news.empty():
            self._came = trio.Event()
            await self._came.wait()
        return self._news.get()

    async def hear(self, sort: type[T]) -> T:
        """The next news of this type."""
        while not isinstance(item := await self.next(), sort):
            pass
        return item

    async def say(self, *messages: str) -> None:
        await self.dealer.send_all(b"".join(map(UTF.encode, messages)))

    async def log_in(self, *messages: str) -> None:
        await self.say("login")
        assert await self.dealer.receive_some() == UTF.encode("ada-l:Ada")
        await self.say(*messages)

    async def rest(self) -> list[str]:
        heard = b""
        while data := await self.dealer.receive_some():
            heard += data
        return list(messages_in(UTF, [heard]))

    async def break_off(self) -> None:
        """End the connection; the next one takes its place."""
        await self.dealer.aclose()
        self.dealer = self._dealers.pop(0) if self._dealers else self.dealer


async def test_lost_connection_is_shown_in_words(nursery: trio.Nursery) -> None:
    here = OverSockets(nursery, page=False)
    await here.log_in()
    await here.break_off()
    assert await here.hear(Ended) == Ended(CLOSED)


async def test_page_reconnects_and_the_question_is_asked_again(nursery: trio.Nursery) -> None:
    here = OverSockets(nursery, page=True, connections=2)
    await here.log_in(QUESTION)
    first = await here.hear(Asked)
    await here.break_off()
    await here.hear(CutOff)
    await here.log_in(QUESTION)
    assert await here.next() == Said(BACK_AGAIN)
    again = await here.hear(Asked)
    assert (again.turn, again.number > first.number) == (first.turn, True)
    here.play.answer(first.number, FOLD)  # pressed before: it answers nothing
    here.play.answer(again.number, Bet(0))
    assert await here.dealer.receive_some() == UTF.encode("bet:0")
    await here.say("done:over")
    assert await here.hear(Ended) == Ended("over")


PASSES = "done:try again; the id 'ada-l' is already seated"


async def test_page_that_is_refused_for_a_moment_tries_again(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer_seat, "RETRY_SECONDS", 0.0)
    here = OverSockets(nursery, page=True, connections=3)
    await here.log_in(QUESTION)
    await here.hear(Asked)
    await here.break_off()
    await here.log_in(PASSES)
    await here.break_off()
    await here.log_in(QUESTION)
    assert [await here.next(), await here.next()] == [CutOff(), Said(BACK_AGAIN)]  # once
    await here.hear(Asked)
    await here.say("done:over")
    assert await here.hear(Ended) == Ended("over")


async def test_page_that_is_refused_for_long_says_why(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealer_seat, "AGAIN_SECONDS", 0.0)
    here = OverSockets(nursery, page=True, connections=2)
    await here.log_in()
    await here.break_off()
    await here.log_in(PASSES)
    assert await here.hear(Ended) == Ended("the id 'ada-l' is already seated")


async def test_person_who_comes_first_is_told_at_once_why_there_is_no_seat(nursery: trio.Nursery) -> None:
    here = OverSockets(nursery, page=True)
    await here.log_in(PASSES)
    assert await here.hear(Ended) == Ended("the id 'ada-l' is already seated")


async def test_page_gives_up_after_a_while(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealer_seat, "AGAIN_SECONDS", 0.0)
    here = OverSockets(nursery, page=True)
    await here.log_in()
    await here.break_off()
    ended = await here.hear(Ended)
    assert ended.reason == "The connection to the dealer broke, and it cannot be reached: it is over."


async def test_leaving_while_the_connection_is_broken(nursery: trio.Nursery) -> None:
    here = OverSockets(nursery, page=True)
    await here.log_in()
    await here.break_off()
    await here.hear(CutOff)
    here.play.leave()
    assert await here.hear(Ended) == Ended(LEFT)


@pytest.mark.parametrize(
    ("page", "messages", "stays", "told"),
    [
        (False, [QUESTION], False, ["quit"]),
        (False, [], False, []),  # the end of the connection says it
        (True, [QUESTION], False, ["quit"]),
        (True, [], False, ["quit"]),
        (True, [QUESTION], True, []),
        (True, [], True, []),
    ],
)
async def test_dealer_is_told_who_leaves_and_not_that_a_page_ends(
    page: bool, messages: Sequence[str], stays: bool, told: list[str], nursery: trio.Nursery
) -> None:
    here = OverSockets(nursery, page=page)
    await here.log_in(*messages)
    if messages:
        await here.hear(Asked)
    here.play.leave(stays=stays)
    if told:
        await here.dealer.send_eof()  # else it ends at once, and waits for nothing
    assert await here.rest() == told
    assert await here.hear(Ended) == Ended(LEFT)


@pytest.mark.parametrize(("asked", "page"), [(False, True), (True, True), (False, False)])
async def test_seat_whose_game_fails_says_that_nobody_comes_back(
    asked: bool, page: bool, nursery: trio.Nursery
) -> None:
    """Else the dealer would keep the seat, and the others would wait. Without a page it keeps none."""
    here = OverSockets(nursery, page=page)
    await here.log_in(*[QUESTION][: int(asked)], BROKEN[1])
    await here.dealer.send_eof()
    assert await here.rest() == ["fold"] * asked + ["quit"] * page
    assert (await here.hear(Ended)).reason
