"""A person at a dealer's table: what the wire tells is shown, and the names of the dealer's page."""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

import pytest
from rich.cells import cell_len

from bots.human.dealer_page import DealerPage, NoPageError, PageWatch, Seen
from bots.human.panes import History
from bots.human.person_app import Casino
from bots.human.remote_table import RemoteGame
from bots.human.seat_names import Around, InLobby
from bots.human.table_picture import SEATED, waiting_lines
from bots.human.thread_bridge import ThreadBridge
from bots.human.updates import BACK_AGAIN, TOO_LATE, Asked, Begun, Chips, CutOff, Ended, News, Said, Shown, TooLate
from protocol.cards import parse_cards
from protocol.games.base import FOLD, Action, Bet
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Name
from tests.bots.helpers import Ends
from tests.bots.human.person import Person, on_asyncio
from tests.patience import PATIENCE
from tests.protocol.helpers import messages_in

T = TypeVar("T")
UTF = UtfFraming()
ADA = Name("ada-l", "Ada")


def session(ends: Ends, *messages: str, answers: Sequence[Action] = ()) -> tuple[list[News], list[str]]:
    """The news of a session in which the dealer says ``messages``, and what it hears.

    Like a dealer it waits for an answer to a question before it goes on, as long as there are ``answers``; then it
    goes on without them.
    """
    dealer, person = ends
    news: list[News] = []
    left = list(answers)

    def post(item: News) -> None:
        news.append(item)
        if isinstance(item, Asked) and left:
            bridge.answer(item.number, left.pop(0))

    bridge = ThreadBridge(post)
    thread = Thread(target=RemoteGame(person, UTF, ADA, bridge).run)
    thread.start()
    heard = b""
    waiting = len(answers)
    for message in messages:
        dealer.sendall(UTF.encode(message))
        if message == "login" or (message.startswith("bet") and waiting):
            waiting -= message != "login"
            heard += dealer.recv(4096)
    dealer.shutdown(socket.SHUT_WR)
    heard += b"".join(iter(partial(dealer.recv, 4096), b""))
    thread.join(PATIENCE)
    return news, list(messages_in(UTF, [heard]))


def scenes(news: list[News]) -> list[Shown]:
    return [item for item in news if isinstance(item, Shown)]


def lines(news: list[News]) -> list[str]:
    return [item.line for item in news if isinstance(item, Said)]


def test_stud_seats_and_folds_read_from_turns(ends: Ends) -> None:
    news, said = session(
        ends,
        "login",
        "bet1:499:3:0:KS:10D:up:8H:10D:QD",
        "bet2:489:23:0:KS:10D:10S:up:10D:10S:QD:QC",
        "status:win:KS:10D:10S",
        "done:bye",
        answers=[Bet(10), Bet(0)],
    )
    assert said == ["ada-l:Ada", "bet:10", "bet:0"]
    first, _, second, *_ = scenes(news)
    assert [seat.name for seat in first.scene.seats] == ["seat 0", "you", "seat 2"]
    assert first.scene.me == first.scene.to_act == 1
    assert [seat.hole for seat in first.scene.seats] == [(), parse_cards("KS"), ()]
    assert [seat.stack for seat in first.scene.seats] == [None, 499, None]
    assert [seat.place for seat in second.scene.seats] == ["folded", "in", "in"]
    assert second.spot is not None
    assert (second.spot.others, second.spot.gone) == ((parse_cards("QD QC"),), parse_cards("8H"))
    assert "seat 0 has folded." in lines(news)
    assert lines(news)[-1] == "Hand 1: you win. The best cards: K♠ 10♦ 10♠, a pair of tens."
    assert news[-1] == Ended("bye")
    assert Chips(499) in news


def test_blockhead_bets_and_shown_cards_from_messages(ends: Ends) -> None:
    news, said = session(
        ends,
        "login",
        "game:blockhead:seat=1:players=2:stack=1000:hands=20:ranks=blockhead",
        "bet1:990:25:5:KS:9H:8D:up:JH:QD:bets:0=5:raise:10",
        "status:win:KS:9H:8D:7C:6C:show:0=2S:1=KS",
        "done:bye",
        answers=[Bet(5)],
    )
    assert said == ["ada-l:Ada", "bet:5"]
    assert "seat 0 bets 5." in lines(news)
    assert scenes(news)[-1].scene.seats[0].hole == parse_cards("2S")
    assert lines(news)[-1] == "Hand 1: you win. The best cards: K♠ 9♥ 8♦ 7♣ 6♣, sum 40."


def test_holdem_winners_and_chips_from_a_status(ends: Ends) -> None:
    news, said = session(
        ends,
        "login",
        "game:holdem:seat=1:players=2:stack=1000:betting=no-limit:small_blind=5:big_blind=10",
        "bet1:990:20:0:KS:QS:board:raise:10:990:seats:0/990/10/live:1/990/10/live:button:0",
        "status:win:QS:QD:QC:KS:8C:show:0=4C2H:1=KSQS:won:1=20",
        "bet1:1000:15:5:KS:2S:board:raise:15:1000:seats:0/980/10/live:1/1000/5/live:button:1",
        "status:lose:won:0=15",
        "done:bye",
        answers=[Bet(0), FOLD],
    )
    assert said == ["ada-l:Ada", "bet:0", "fold"]
    results = [line for line in lines(news) if line.startswith("Hand") and ":" in line]
    assert results == [
        "Hand 1: you win 20. The best cards: Q♠ Q♦ Q♣ K♠ 8♣, three queens.",
        "Hand 2: seat 0 wins 15: all others folded.",
    ]
    assert scenes(news)[2].scene.seats[0].hole == parse_cards("4C 2H")


def test_status_of_a_hand_without_chips(ends: Ends) -> None:
    news, _ = session(
        ends,
        "login",
        "game:holdem:seat=1:players=2:stack=1000:preset=cornell:betting=no-limit:small_blind=0:big_blind=0",
        "bet1:1000:0:0:KS:QS:board:raise:10:1000:seats:0/1000/0/live:1/1000/0/live:button:0",
        "status:lose",
        "done:bye",
        answers=[FOLD],
    )
    assert lines(news)[-1] == "Hand 1: nobody wins any chips."


def test_late_answer_is_noticed(ends: Ends) -> None:
    news, said = session(ends, "login", "bet1:499:3:0:KS:10D:up:8H:10D:QD", "done:no complete reply came")
    assert TooLate() in news
    assert news[-1] == Ended("no complete reply came")
    assert said == ["ada-l:Ada", "fold"]


def test_lost_connection_is_shown_in_words(ends: Ends) -> None:
    news, _ = session(ends, "login")
    assert news[-1] == Ended("the dealer closed the connection without saying why.")


@on_asyncio
async def test_end_of_the_game_closes_open_dialogs(ends: Ends) -> None:
    dealer, sock = ends

    app = Casino(join=("Dealer", partial(RemoteGame, sock, UTF, ADA)))
    async with app.run_test(size=(80, 24)) as pilot:
        person = Person(app, pilot)
        dealer.sendall(UTF.encode("login") + UTF.encode("bet1:499:3:0:KS:10D:up:8H:10D:QD"))
        await person.asked()
        await person.press("f8")
        await person.sees("leave the table, at any time")
        dealer.sendall(UTF.encode("done:no complete reply came"))
        await person.sees("no complete reply came", "Leave")
        assert "leave the table, at any time" not in person.screen
        await person.reads(TOO_LATE)


WIDE = "名" * 31 + "🃏"


@contextmanager
def served(status: int, body: bytes) -> Iterator[int]:
    """A server that gives one request this answer; its port."""

    head = f"HTTP/1.1 {status} told\r\nconnection: close\r\n\r\n".encode()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            with listener.accept()[0] as client:
                client.recv(4096)
                client.sendall(head + body)

        thread = Thread(target=answer)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(PATIENCE)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, b"{}"),
        (200, b"<html>"),
        (200, b"[]"),
        (200, b'{"hand": 7, "lobby": null, "hurry": null}'),
        (302, b""),
        (200, b"\xff"),
    ],
)
def test_another_page_at_that_port_is_left_alone(ends: Ends, status: int, body: bytes) -> None:
    with served(status, body) as port, pytest.raises(NoPageError):
        DealerPage(ends[1], port).look()


def test_names_that_could_move_the_cursor_lose_that(ends: Ends) -> None:
    with served(200, b'{"hand": null, "lobby": [["A\\u001b[2J", "B"], 1, null], "hurry": null}') as port:
        assert DealerPage(ends[1], port).look() == Around(None, InLobby(["A[2J", "B"], 1, None))


def test_watch_without_a_page_ends_by_itself(ends: Ends) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    said: list[Seen] = []
    watch = PageWatch(DealerPage(ends[1], port), said.append)
    for number in range(1, 4):
        watch.ask(number)
    watch.start()
    watch.thread.join(PATIENCE)
    assert not watch.thread.is_alive()
    assert said == []


def test_waiting_list_fits_and_names_the_person_first() -> None:
    lobby = InLobby(["Bo", WIDE, "Ada"], 2, 4)
    assert waiting_lines(lobby, 100, 10)[:2] == [SEATED, "3 of 4 players are here:"]
    assert waiting_lines(lobby, 78, 10)[2].split() == ["Ada", "(you)", "Bo"]
    assert waiting_lines(InLobby(["Ada"], 0, None), 78, 10)[1:] == ["You are the first:", "Ada (you)"]
    crowd = InLobby([f"{WIDE}{number}" for number in range(200)], 150, None)
    lines = waiting_lines(crowd, 78, 13)
    assert len(lines) == 13
    assert all(cell_len(line) <= 78 for line in lines)
    assert lines[2].endswith("…") or "(you)" in lines[2]
    assert lines[-1] == "and 180 more"


@on_asyncio
async def test_screen_tells_once_that_the_dealer_stops(ends: Ends) -> None:
    dealer, sock = ends
    app = Casino(join=("Dealer", partial(RemoteGame, sock, UTF, Name("ada", "Ada"))))
    async with app.run_test(size=(80, 24)) as pilot:
        person = Person(app, pilot)
        dealer.sendall(UTF.encode("login") + UTF.encode("bet1:499:2:0:KS:10D:up:8H:10D"))
        await person.asked()
        for number in (0, 1, 1):  # before the question, and twice while it is open
            person.table.call_later(person.table._learn, Seen(number, Around(hurry=9.5)))
        await person.reads("The dealer stops: answer within 10 seconds, or your hand is folded.")
        lines = person.table.query_one(History).lines
        assert sum("The dealer stops" in line for line in lines) == 1


class TwoDealers:
    """A session whose connection to the dealer breaks, and with a page, the connection that follows.

    Attributes:
        news: of the session.
        game: of the person; its ``run`` is under way.
    """

    def __init__(self, person: socket.socket, *next_person: socket.socket, page: bool = True) -> None:
        self.news: SimpleQueue[News] = SimpleQueue()
        self.bridge = ThreadBridge(self.news.put)
        self._next = [*next_person]
        self.game = RemoteGame(person, UTF, ADA, self.bridge, again=self._connect if page else None)
        self.thread = Thread(target=self.game.run)
        self.thread.start()

    def _connect(self) -> socket.socket:
        if not self._next:
            raise OSError("it is over")
        return self._next.pop(0)

    def hear(self, sort: type[T]) -> T:
        """The next news of this type."""
        while not isinstance(item := self.news.get(timeout=PATIENCE), sort):
            pass
        return item


TURN = "bet1:499:3:0:KS:10D:up:8H:10D:QD"


def log_in(dealer: socket.socket, *messages: str) -> None:
    dealer.sendall(UTF.encode("login"))
    assert dealer.recv(4096) == UTF.encode("ada-l:Ada")
    for message in messages:
        dealer.sendall(UTF.encode(message))


def test_page_reconnects_and_the_question_is_asked_again(ends: Ends) -> None:
    dealer, person = ends
    new_dealer, new_person = socket.socketpair()
    with new_dealer:
        playing = TwoDealers(person, new_person)
        log_in(dealer, TURN)
        first = playing.hear(Asked)
        dealer.close()
        playing.hear(CutOff)
        log_in(new_dealer, TURN)
        lines = []
        while not isinstance(item := playing.news.get(timeout=PATIENCE), Asked):
            lines += [item.line] if isinstance(item, Said) else []
        assert lines == [BACK_AGAIN]  # the table is as it was, and is not told again
        assert (item.turn, item.number > first.number) == (first.turn, True)
        playing.bridge.answer(first.number, FOLD)  # pressed before: it answers nothing
        playing.bridge.answer(item.number, Bet(0))
        assert new_dealer.recv(4096) == UTF.encode("bet:0")
        new_dealer.sendall(UTF.encode("done:over"))
        assert playing.hear(Ended) == Ended("over")
        playing.thread.join(PATIENCE)


def test_page_that_reconnects_tells_a_game_once(ends: Ends) -> None:
    dealer, person = ends
    new_dealer, new_person = socket.socketpair()
    game = "game:blockhead:seat=0:players=2:hands=20:stack=1000:buyin=10"
    with new_dealer:
        playing = TwoDealers(person, new_person)
        log_in(dealer, game)
        playing.hear(Begun)
        dealer.close()
        playing.hear(CutOff)
        log_in(new_dealer, game, "done:over")
        news = []
        while not isinstance(item := playing.news.get(timeout=PATIENCE), Ended):
            news.append(item)
        assert news == [Said(BACK_AGAIN)]
        playing.thread.join(PATIENCE)


def after_a_break(ends: Ends, before: Sequence[str], after: Sequence[str], *answers: Action) -> list[News]:
    """The news of a page whose connection breaks behind the messages ``before``, from the next connection on.

    A question among ``after`` is the last message, and is folded.
    """
    dealer, person = ends
    new_dealer, new_person = socket.socketpair()
    questions = sum(message.startswith("bet") for message in before)
    with new_dealer:
        playing = TwoDealers(person, new_person)
        log_in(dealer, *before)
        for number in range(questions):
            asked = playing.hear(Asked).number
            if number < len(answers):
                playing.bridge.answer(asked, answers[number])
                dealer.recv(4096)
        dealer.close()
        playing.hear(CutOff)
        log_in(new_dealer, *after)
        news: list[News] = []
        if after[-1].startswith("bet"):
            while not isinstance(item := playing.news.get(timeout=PATIENCE), Asked):
                news.append(item)
            playing.bridge.answer(item.number, FOLD)
            new_dealer.recv(4096)
        new_dealer.sendall(UTF.encode("done:over"))
        while not isinstance(item := playing.news.get(timeout=PATIENCE), Ended):
            news.append(item)
        playing.thread.join(PATIENCE)
    return news


OTHER_CARDS = "bet1:498:3:0:2C:9D:up:8H:9D:QD"
LATER = "bet2:499:3:0:KS:10D:10S:up:8H:2H:10D:10S:QD:QC"
FEWER_CHIPS_IN_THE_POT = "bet1:499:2:0:KS:10D:up:8H:10D"


@pytest.mark.parametrize("turn", [OTHER_CARDS, FEWER_CHIPS_IN_THE_POT])
def test_question_of_the_next_hand_after_a_break_is_shown_as_that(turn: str, ends: Ends) -> None:
    news = after_a_break(ends, [TURN], [turn])
    assert "Hand 2." in lines(news)
    shown = scenes(news)[0].scene
    assert (shown.hand, len(shown.seats)) == (2, turn.partition("up:")[2].count(":") + 1)


def test_question_after_a_fold_is_of_the_next_hand(ends: Ends) -> None:
    assert "Hand 2." in lines(after_a_break(ends, [TURN], [LATER], FOLD))


@pytest.mark.parametrize(("answer", "turn"), [(Bet(0), LATER), (Bet(1), TURN), (FOLD, TURN)])
def test_question_of_the_same_hand_after_a_break_goes_on_with_it(answer: Action, turn: str, ends: Ends) -> None:
    """An answer may be lost with the connection; then the same question comes again."""
    news = after_a_break(ends, [TURN], [turn], answer)
    assert not any(line.startswith("Hand") for line in lines(news))
    shown = scenes(news)[0]
    assert (shown.scene.hand, shown.scene.seats[1].place) == (1, "in")
    assert shown.spot is not None


BLOCKHEAD = "game:blockhead:seat=0:players=2:hands=20:stack=1000:buyin=10"


@pytest.mark.parametrize(
    ("after", "games"),
    [
        ([BLOCKHEAD], 0),
        ([BLOCKHEAD, BLOCKHEAD], 1),
        ([BLOCKHEAD, "status:lose:KS:9H:8D:7C:6C", BLOCKHEAD], 1),
        ([BLOCKHEAD.replace("1000", "500")], 1),
    ],
)
def test_game_that_begins_after_a_break_is_told(after: Sequence[str], games: int, ends: Ends) -> None:
    news = after_a_break(ends, [BLOCKHEAD], after)
    assert sum(isinstance(item, Begun) for item in news) == games


PASSES = "done:try again; the id 'ada-l' is already seated"


def test_page_that_is_refused_for_a_moment_tries_again(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.human.remote_table.RETRY_SECONDS", 0.0)
    dealer, person = ends
    (busy, refused), (new_dealer, new_person) = socket.socketpair(), socket.socketpair()
    with busy, new_dealer:
        playing = TwoDealers(person, refused, new_person)
        log_in(dealer, TURN)
        playing.hear(Asked)
        dealer.close()
        log_in(busy, PASSES)
        log_in(new_dealer, TURN)
        news = []
        while not isinstance(item := playing.news.get(timeout=PATIENCE), Asked):
            news.append(item)
        assert news == [CutOff(), Said(BACK_AGAIN)]  # once
        new_dealer.sendall(UTF.encode("done:over"))
        assert playing.hear(Ended) == Ended("over")
        playing.thread.join(PATIENCE)


def test_page_that_is_refused_for_long_says_why(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.human.remote_table.AGAIN_SECONDS", 0.0)
    dealer, person = ends
    busy, refused = socket.socketpair()
    with busy:
        playing = TwoDealers(person, refused)
        log_in(dealer)
        dealer.close()
        log_in(busy, PASSES)
        assert playing.hear(Ended) == Ended("the id 'ada-l' is already seated")
        playing.thread.join(PATIENCE)


def test_person_who_comes_first_is_told_at_once_why_there_is_no_seat(ends: Ends) -> None:
    dealer, person = ends
    playing = TwoDealers(person)
    log_in(dealer, PASSES)
    assert playing.hear(Ended) == Ended("the id 'ada-l' is already seated")
    playing.thread.join(PATIENCE)


def test_page_gives_up_after_a_while(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.human.remote_table.AGAIN_SECONDS", 0.0)
    dealer, person = ends
    playing = TwoDealers(person)
    log_in(dealer)
    dealer.close()
    assert playing.hear(Ended).reason == "The connection to the dealer broke, and it cannot be reached: it is over."
    playing.thread.join(PATIENCE)


def test_leaving_while_the_connection_is_broken(ends: Ends) -> None:
    dealer, person = ends
    playing = TwoDealers(person)
    log_in(dealer)
    dealer.close()
    playing.hear(CutOff)
    playing.game.leave()
    assert playing.hear(Ended) == Ended("You have left the table.")
    playing.thread.join(PATIENCE)


@pytest.mark.parametrize(
    ("page", "messages", "stays", "told"),
    [
        (False, [TURN], False, "quit"),
        (False, [], False, ""),  # the end of the connection says it
        (True, [TURN], False, "quit"),
        (True, [], False, "quit"),
        (True, [TURN], True, ""),
        (True, [], True, ""),
    ],
)
def test_dealer_is_told_who_leaves_and_not_that_a_page_ends(
    page: bool, messages: Sequence[str], stays: bool, told: str, ends: Ends
) -> None:
    dealer, person = ends
    playing = TwoDealers(person, page=page)
    log_in(dealer, *messages)
    if messages:
        playing.hear(Asked)
    playing.bridge.stays = stays
    playing.game.leave()
    if page or messages:  # else it ends at once, and waits for nothing
        dealer.shutdown(socket.SHUT_WR)
    heard = b"".join(iter(partial(dealer.recv, 4096), b""))
    assert heard == (UTF.encode(told) if told else b"")
    assert playing.hear(Ended) == Ended("You have left the table.")
    playing.thread.join(PATIENCE)


BAD_STACK = "bet1:many:3:0:KS:10D:up:8H:10D:QD"
UNKNOWN_GAME = "game:belote:seat=0:players=2"


@pytest.mark.parametrize("message", [BAD_STACK, UNKNOWN_GAME])
@pytest.mark.parametrize(("asked", "stays"), [(False, False), (True, False), (False, True)])
def test_page_whose_game_fails_says_that_nobody_comes_back(message: str, asked: bool, stays: bool, ends: Ends) -> None:
    """Else the dealer would keep the seat, and the others would wait."""
    dealer, person = ends
    playing = TwoDealers(person)
    playing.bridge.stays = stays
    log_in(dealer, *[TURN][: int(asked)])
    if asked:
        asked_first = playing.hear(Asked)
        dealer.sendall(UTF.encode(message))
        playing.bridge.answer(asked_first.number, FOLD)
    else:
        dealer.sendall(UTF.encode(message))
    dealer.shutdown(socket.SHUT_WR)
    heard = b"".join(iter(partial(dealer.recv, 4096), b""))
    assert [*messages_in(UTF, [heard])] == ["fold"] * asked + ["quit"] * (not stays)
    assert playing.hear(Ended).reason
    playing.thread.join(PATIENCE)


def test_program_without_a_page_ends_without_a_word(ends: Ends) -> None:
    """Nothing was asked, so that a word would be a mistake; and the dealer keeps no seat for it."""
    _, said = session(ends, "login", UNKNOWN_GAME)
    assert said == ["ada-l:Ada"]
