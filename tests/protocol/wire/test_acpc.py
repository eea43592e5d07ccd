"""The text of the competition at both ends: its own examples, every hand, every violation, and definitions."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.cards import UNKNOWN, parse_cards
from protocol.games.base import FOLD, Action, Bet
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_hand import HoldemHand
from protocol.wire.acpc import ForbiddenAnswer, cards_text
from protocol.wire.acpc_connection import AcpcConnection
from protocol.wire.acpc_program import GameDefinition, read_definition, read_state
from protocol.wire.connection import State
from protocol.wire.framing import LineFraming
from protocol.wire.messages import Correction, Done, GameInfo, ProtocolError, ShownTurn, Version
from tests.acpc_client.competition import Competition
from tests.acpc_client.dealer import DEFINITIONS
from tests.docs.pages import ROOT
from tests.protocol.wire.acpc_hands import (
    LIMIT,
    NO_LIMIT,
    cards_of,
    connected,
    dealt,
    deck_with,
    seat_in,
    told,
    wanted_text,
)

EXAMPLES = [
    [line.split(" ", 1) for line in example.splitlines() if not line.startswith("#")]
    for example in Path(__file__).with_name("acpc_examples.txt").read_text().strip().split("\n\n")
]


def actions_in(betting: str, hand: HoldemHand) -> Iterator[tuple[HoldemHand, Action]]:
    """Every action of a betting text, and the hand before it."""
    for letter, size in re.findall(r"([cfr])(\d*)", betting):
        legal, seat = hand.legal(), hand.to_act
        assert seat is not None
        action: Action = FOLD if letter == "f" else Bet(legal.to_call)
        if letter == "r":
            action = Bet(int(size) - hand.before[seat] - hand.put[seat] if size else legal.raises[0])
        yield hand, action
        hand = hand.apply(action)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[0][1])
def test_protocol_example_both_ways(example: list[list[str]]) -> None:
    """The dealer writes what the example shows, and reads what the program answers there."""
    *_, position, number, betting, cards = example[-1][1].split(":")
    holes, *board = cards.split("/")
    by_position = [cards_of(hole) for hole in holes.split("|")]
    game = NO_LIMIT if re.search(r"\d", betting) else LIMIT
    hand = game.start(len(by_position)).deal(deck_with([[]] * len(by_position), []))
    by_seat = [by_position[(seat - hand.button - 1) % len(by_position)] for seat in range(len(by_position))]
    hand = game.start(len(by_position)).deal(deck_with(by_seat, cards_of("".join(board))))
    seat, text, connection = seat_in(hand, int(position)), told(hand, game, int(number)), connected()
    heard = [("S->", connection.send(text.shown(seat)))]
    for before, action in list(actions_in(betting, hand)):
        reply = action
        if before.to_act == seat:
            assert connection.send(ShownTurn(before.legal())) == b""
            answer = f"{text.shown(seat).line}:{wanted_text(before, action, game)}\r\n".encode()
            heard.append(("<-C", answer))
            received = connection.receive(answer)
            assert received == action
            assert isinstance(received, Bet | type(FOLD))
            assert connection.correction is None
            reply = received
        hand = before.apply(reply)
        assert before.to_act is not None
        text.act(before.to_act, reply, hand)
        if hand.to_act is None:
            shown = [live for live, _ in hand.settle().shown]
            heard.append(("S->", connection.send(text.shown_at_end(seat, shown))))
        else:
            heard.append(("S->", connection.send(text.shown(seat))))
    assert heard == [(way, f"{line}\r\n".encode()) for way, line in example]


def test_documentation_shows_an_example_of_the_protocol() -> None:
    page = (ROOT / "protocol/docs/acpc.md").read_text()
    (shown,) = re.findall(r"^```acpc\n(.*)\n```$", page, re.MULTILINE)
    assert ["S->", shown] in [line for example in EXAMPLES for line in example]


def test_cards_have_a_letter_each_for_rank_and_suit() -> None:
    assert cards_text((*parse_cards("10D AS 2C KH"), UNKNOWN)) == "TdAs2cKh??"


games = st.sampled_from([LIMIT, NO_LIMIT, HoldemGame.from_facts({"acpc": 1, "reset_stacks": 1, "stack": 45})])


@given(game=games, players=st.integers(2, 10), seed=st.integers(0, 2**32), hands=st.integers(0, 3))
def test_every_answer_of_a_random_hand_comes_back(game: HoldemGame, players: int, seed: int, hands: int) -> None:
    """What a program answers is read as the action it means, and every state tells the hand so far."""
    chance, hand = Random(seed), dealt(game, players, seed, hands)
    text, connections = told(hand, game, 7), [connected() for _ in range(players)]
    while (seat := hand.to_act) is not None:
        for other, connection in enumerate(connections):
            connection.send(text.shown(other))
        legal = hand.legal()
        choices = [
            Bet(legal.to_call),
            FOLD if legal.to_call else Bet(0),
            *([Bet(chance.choice(legal.raises))] if legal.raises else []),
        ]
        action = chance.choice(choices)
        connections[seat].send(ShownTurn(hand.legal()))
        line = f"{text.shown(seat).line}:{wanted_text(hand, action, game)}\r\n".encode()
        place = chance.randrange(len(line))
        assert connections[seat].receive(line[:place]) is None
        assert connections[seat].receive(line[place:]) == action
        assert connections[seat].correction is None
        hand = hand.apply(action)
        text.act(seat, action, hand)
    assert [len(hole) for hole in text.cards(range(players)).split("/")[0].split("|")] == [4] * players
    assert text.betting.count("/") == hand.number - 1
    again = dealt(game, players, seed, hands)
    replayed = [*actions_in(text.betting, again)]
    before, action = replayed[-1]
    assert before.apply(action).settle() == hand.settle()


def odd_hands(players: int, betting: str, blinds: tuple[int, int], step: int = 1) -> int:
    """In how many of 300 hands the competition splits a chip; all raises in no limit are to multiples of ``step``."""
    stakes = {"small_blind": blinds[0], "big_blind": blinds[1], "stack": 24 * blinds[1]}
    game = HoldemGame.from_facts({"acpc": 1, "reset_stacks": 1, "betting": betting, **stakes})
    return sum(map(bool, (paid_apart(game, players, Random(seed), step) for seed in range(300))))


def paid_apart(game: HoldemGame, players: int, chance: Random, step: int) -> float:
    """By how many chips a seat is paid otherwise in a hand that is played by chance; see ``Competition.check``."""
    hand = dealt(game, players, chance.getrandbits(32))
    text = told(hand, game)
    while (seat := hand.to_act) is not None:
        legal, spent = hand.legal(), hand.before[seat] + hand.put[seat]
        raises = [chips for chips in legal.raises[:40] if game.betting == "fixed-limit" or (chips + spent) % step == 0]
        choices: list[Action] = [
            *[FOLD] * (legal.to_call > 0),
            *map(Bet, [*[legal.to_call] * 3, *raises[:1], *raises[-1:]]),
        ]
        action = chance.choice(choices)
        hand = hand.apply(action)
        text.act(seat, action, hand)
    paid = [hand.settle().payoffs[seat_in(hand, position)] for position in range(players)]
    line = f"STATE:0:{text.betting}:{text.cards(range(players))}:{'|'.join(map(str, paid))}:"
    return Competition.of(game).check(line)


def test_stakes_that_divide_evenly() -> None:
    """As acpc.md says. Where it promises no odd chips, the judge fails at the first hand that has some."""
    for betting in ("fixed-limit", "no-limit"):
        assert not odd_hands(2, betting, (5, 10))
        assert odd_hands(3, betting, (5, 10))
        assert not odd_hands(3, betting, (10, 20), step=2)
    assert odd_hands(3, "no-limit", (10, 20))


@given(game=st.sampled_from([LIMIT, NO_LIMIT]), players=st.integers(2, 6), seed=st.integers(0, 2**32))
def test_nobody_is_shown_hidden_cards(game: HoldemGame, players: int, seed: int) -> None:
    """A match state does not change with cards that its reader cannot see."""
    one = dealt(game, players, seed)
    deck = list(one.deck)
    viewer = seed % players
    hidden = [place for place in range(len(deck)) if place not in (2 * viewer, 2 * viewer + 1)]
    mixed = [deck[place] for place in hidden]
    Random(seed).shuffle(mixed)
    for place, card in zip(hidden, mixed, strict=True):
        deck[place] = card
    other = one._replace(deck=tuple(deck))
    assert told(one, game).shown(viewer) == told(other, game).shown(viewer)


def read(
    answer: str, game: HoldemGame = NO_LIMIT, *, strict: bool = False, before: str = ""
) -> tuple[object, Correction | None]:
    """What the dealer reads, and the correction, where the first player to act of three answers with ``answer``.

    Args:
        answer: behind the match state, or a whole line if it has a colon.
        game: with its options.
        strict: whether nothing is corrected.
        before: what happened before, as betting text.
    """
    hand = game.start(3).deal(deck_with([[]] * 3, []))
    text = told(hand, game, 4)
    for earlier, action in list(actions_in(before, hand)):
        hand = earlier.apply(action)
        assert earlier.to_act is not None
        text.act(earlier.to_act, action, hand)
    seat, connection = hand.to_act, connected(strict=strict)
    assert seat is not None
    connection.send(text.shown(seat))
    connection.send(ShownTurn(hand.legal()))
    line = answer if ":" in answer or answer.startswith(("#", ";")) else f"{text.shown(seat).line}:{answer}"
    return connection.receive(f"{line}\r\n".encode()), connection.correction


#: What a raise may be to.
RANGE = "and a raise could be to 200 at least and 20000 at most"


def asked(
    answer: str, game: HoldemGame = NO_LIMIT, *, strict: bool = False, before: str = ""
) -> tuple[object, str | None]:
    """What the dealer reads, and why it corrected that; see ``read``."""
    reply, correction = read(answer, game, strict=strict, before=before)
    return reply, correction and correction.reason


@pytest.mark.parametrize(
    ("answer", "game", "before", "taken", "wanted", "reason"),
    [
        ("r150", NO_LIMIT, "", 200, "raise to 150", f"it raised to 150, {RANGE}"),
        ("r0150", NO_LIMIT, "", 200, "raise to 150", f"it raised to 150, {RANGE}"),
        ("r0", NO_LIMIT, "", 200, "raise to 0", f"it raised to 0, {RANGE}"),
        ("r000", NO_LIMIT, "", 200, "raise to 0", f"it raised to 0, {RANGE}"),
        ("r20001", NO_LIMIT, "", 20000, "raise to 20001", f"it raised to 20001, {RANGE}"),
        ("r999999999", NO_LIMIT, "", 20000, "raise to 999999999", f"it raised to 999999999, {RANGE}"),
        ("r1234567890", NO_LIMIT, "", 20000, "raise to 1234567890", f"it raised to 1234567890, {RANGE}"),
        ("r" + 38 * "9", NO_LIMIT, "", 20000, "raise to a number of 38 digits", RANGE),
        ("r300", NO_LIMIT, "r20000c", 19900, "raise to 300", "it raised to 300, and no raise was allowed"),
        ("f", NO_LIMIT, "ccc/", 0, "fold", "it folded although nothing was owed"),
        ("r", LIMIT, "rrr", 200, "raise", "it raised, and no raise was allowed"),
    ],
)
def test_forbidden_action_is_brought_to_the_nearest_and_named(
    answer: str, game: HoldemGame, before: str, taken: int, wanted: str, reason: str
) -> None:
    action, correction = read(answer, game, before=before)
    assert action == Bet(taken)
    assert correction is not None
    assert correction.asked == wanted
    assert correction.reason.endswith(reason)


@pytest.mark.parametrize("digits", [10, 38, 4000])
def test_raise_of_many_digits_is_brought_to_the_stack(digits: int) -> None:
    largest, least = asked("r" + digits * "9"), asked("r" + digits * "0" + "1")
    assert largest[0] == asked("r20001")[0]
    assert least == asked("r1")


@pytest.mark.parametrize(("answer", "before"), [("r150", ""), ("r300", "r20000c"), ("f", "ccc/")])
def test_strict_refuses_forbidden_actions(answer: str, before: str) -> None:
    _, correction = asked(answer, before=before)
    with pytest.raises(ForbiddenAnswer) as error:
        asked(answer, before=before, strict=True)
    assert str(error.value) == correction


def test_allowed_actions_are_taken() -> None:
    """Also where nothing is corrected, and with leading zeros."""
    assert asked("r200", strict=True) == asked("r" + 50 * "0" + "200") == (Bet(200), None)


def test_nobody_raises_beyond_the_actions_that_programs_have_room_for() -> None:
    sizes = "".join(f"r{200 + 100 * step}" for step in range(61))
    assert asked("r6400", before=sizes)[1] is None
    assert asked("r6500", before=sizes + "r6300c")[1] == "it raised to 6500, and no raise was allowed"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("x", "expected 'f', 'c' or 'r' and a number of chips behind the match state, got 'x'"),
        ("", "expected 'f', 'c' or 'r' and a number of chips behind the match state, got ''"),
        ("r", "expected 'f', 'c' or 'r' and a number of chips behind the match state, got 'r'"),
        ("r-5", "expected 'f', 'c' or 'r' and a number of chips behind the match state, got 'r-5'"),
        ("c c", "got 'c c'"),
        ("C", "got 'C'"),
        ("bet:20", "expected 'MATCHSTATE:<position>:<hand>:<betting>:<cards>:<action>', got 'bet:20'"),
        ("x" * 99 + ":", "(100 characters)"),
        (
            "MATCHSTATE:2:5::||AsTs:c",
            "the answer is to 'MATCHSTATE:2:5:', but the last match state was 'MATCHSTATE:2:4:'",
        ),
        ("MATCHSTATE:2:4:c:||AsTs:c", "the answer is to 'MATCHSTATE:2:4:c', but"),
        ("MATCHSTATE:1:4::|AsTs|:c", "the answer is to 'MATCHSTATE:1:4:', but"),
        ("MATCHSTATE:2:4::||AsTs", "expected 'MATCHSTATE:"),
        ("MATCHSTATE:two:4::||AsTs:c", "expected 'MATCHSTATE:"),
    ],
)
def test_malformed_answer_is_refused(answer: str, reason: str) -> None:
    with pytest.raises(ProtocolError) as error:
        asked(answer)
    assert reason in str(error.value)


def test_limit_raise_has_no_size() -> None:
    with pytest.raises(ProtocolError, match="expected 'f', 'c' or 'r' behind the match state, got 'r200'"):
        asked("r200", LIMIT)


def test_reason_does_not_repeat_cards() -> None:
    with pytest.raises(ProtocolError) as error:
        asked("MATCHSTATE:2:9::||AsTs:c")
    assert "As" not in str(error.value)


@pytest.mark.parametrize("line", ["# a comment", ";", "MATCHSTATE:0:3:c:AsTs||:c"])
def test_comment_or_older_answer_is_ignored(line: str) -> None:
    assert asked(line) == (None, None)


@pytest.mark.parametrize("answer", ["c", "f", "r"])
@pytest.mark.parametrize(
    "pieces",
    [
        lambda line: [line + b"\r\n"],
        lambda line: [line + b"\n"],
        lambda line: [line[:-1], line[-1:] + b"\r", b"\n"],
        lambda line: [b"# a comment\r\n" + line + b"\r\n"],
        lambda line: [line + b"\r\n# a comment\r\n"],
    ],
    ids=["whole", "without CR", "in three pieces", "behind a comment", "before a comment"],
)
def test_usual_answer_is_read_however_it_comes(answer: str, pieces: Callable[[bytes], list[bytes]]) -> None:
    hand = LIMIT.start(2).deal(deck_with([[], []], []))
    text, connection = told(hand, LIMIT), connected()
    connection.send(text.shown(0))
    connection.send(ShownTurn(hand.legal()))
    *parts, last = pieces(f"{text.shown(0).line}:{answer}".encode())
    assert [connection.receive(part) for part in parts] == [None] * len(parts)
    assert connection.receive(last) == {"c": Bet(50), "f": FOLD, "r": Bet(150)}[answer]
    assert connection.state is State.SEATED


def test_answer_after_its_question_was_given_up_is_ignored() -> None:
    hand = NO_LIMIT.start(2).deal(deck_with([[], []], []))
    text, connection = told(hand, NO_LIMIT), connected()
    late = text.shown(0).line
    connection.send(text.shown(0))
    connection.send(ShownTurn(hand.legal()))
    connection.give_up()
    folded = hand.apply(Bet(50))
    text.act(0, Bet(50), folded)
    connection.send(text.shown(0))
    assert connection.receive(f"{late}:r300\r\n".encode()) is None


def test_unasked_line_is_refused_unless_it_answers_an_older_state() -> None:
    connection = connected()
    with pytest.raises(ProtocolError, match="an answer came before the first match state"):
        connection.receive(b"MATCHSTATE:0:0::AsTs|:c\r\n")
    with pytest.raises(ProtocolError, match="got 'hello'"):
        connection.receive(b"hello\r\n")


@pytest.mark.parametrize(
    "line",
    [
        b"VERSION:2.0.0\r\n",
        b"VERSION:2.0.0\n",
        b"VERSION:2.11.3\n",
        b"VERSION:2.0\n",
        b"VERSION:2\n",
        b"# hello\nVERSION:2.0.0\n",
    ],
)
def test_version_two_is_spoken(line: bytes) -> None:
    connection = AcpcConnection(LineFraming(512))
    assert connection.receive(line) == Version()


@pytest.mark.parametrize(
    "line", ["VERSION:1.0.0", "VERSION:20", "VERSION:2.", "VERSION:2.0.0.0", "version:2.0.0", "al:Al", "GET / HTTP/1.1"]
)
def test_other_first_line_is_refused(line: str) -> None:
    connection = AcpcConnection(LineFraming(512))
    with pytest.raises(ProtocolError) as error:
        connection.receive(f"{line}\r\n".encode())
    assert str(error.value) == f"expected 'VERSION:2.0.0' as the first line, got {line!r}"


def test_last_words_are_a_comment_and_other_messages_are_not_sent() -> None:
    connection = connected()
    assert connection.follows
    assert connection.send(GameInfo("holdem")) == b""
    assert connection.send_done(Done("you are out: it was late")) == b"# you are out: it was late\r\n"


def test_comment_keeps_the_words_of_its_reason_in_one_line() -> None:
    assert connected().send_done(Done("login: bet1:5\r\nstatus" + 2000 * "x")).startswith(b"# login: bet1:5??statusxxx")
    assert len(connected().send_done(Done(5000 * "x"))) == len("# \r\n") + 1000


@settings(max_examples=20)  # each plays three hands of up to ten players
@given(seed=st.integers(0, 2**32), players=st.integers(3, 10))
def test_players_who_left_keep_a_position(seed: int, players: int) -> None:
    """Programs count on as many positions as there were: who left folds behind the blinds, and the order stays."""
    match, chance = NO_LIMIT.start(players), Random(seed)
    for _ in range(3):
        hand = match.deal(DECKS[seed % len(DECKS)])
        text = told(hand, NO_LIMIT, 0, players)
        gone = players - len(match.seated)
        assert text.betting == "f" * gone
        assert text.seats_by_position.count(None) == gone
        positions = {seat: text.seats_by_position.index(seat) for seat in range(len(match.seated))}
        small, big = (next(seat for seat, chips in enumerate(hand.put) if chips == blind) for blind in (50, 100))
        assert (positions[small], positions[big]) == (0, 1)
        acted: list[tuple[int, int]] = []
        while (seat := hand.to_act) is not None and hand.number < 3:
            acted.append((hand.number, positions[seat]))
            after = hand.apply(Bet(hand.legal().to_call))
            text.act(seat, Bet(hand.legal().to_call), after)
            text.shown(seat)
            hand = after
        before_flop = [position for street, position in acted if street == 1]
        assert before_flop == [*sorted(before_flop[:-2]), 0, 1]
        after_flop = [position for street, position in acted if street == 2]
        assert after_flop == sorted(after_flop)
        while hand.to_act is not None:
            hand = hand.concede()
        match = match.record(hand.settle())
        if len(match.seated) > 2:
            match = match.without(chance.choice(match.seated))


DECKS = [dealt(NO_LIMIT, 2, seed).deck for seed in range(4)]


def test_examples_of_the_protocol() -> None:
    """Every match state is read, and it is the program's turn where the example has an answer."""
    for example in EXAMPLES:
        *_, cards = example[0][1].split(":")
        game = NO_LIMIT if any(re.search(r"r\d", line) for _, line in example) else LIMIT
        definition = GameDefinition(game, cards.count("|") + 1)
        for (way, line), (following, answer) in zip(example, [*example[1:], ["", ""]], strict=True):
            if way != "S->":
                continue
            state = read_state(line, definition)
            assert (state.turn is not None) == (following == "<-C")
            if following == "<-C":
                letter = answer[len(line) + 1]
                if letter == "c":
                    assert state.turn is not None
                    assert state.answer(Bet(state.turn.owed)) == answer
        assert state.hand.to_act is None
        assert state.status is not None


@given(game=st.sampled_from([LIMIT, NO_LIMIT]), players=st.integers(2, 10), seed=st.integers(0, 2**32), data=st.data())
def test_program_is_asked_what_the_dealer_asks(game: HoldemGame, players: int, seed: int, data: st.DataObject) -> None:
    """The same turn but for the seats, which begin with its own, and the same text for each action."""
    hand, definition = dealt(game, players, seed), GameDefinition(game, players)
    text = told(hand, game, 7)
    while (seat := hand.to_act) is not None:
        state, turn = read_state(text.shown(seat).line, definition), hand.view(seat)
        ours = state.turn
        assert ours is not None
        assert ours[:8] == turn[:8]
        assert ours.seats == (*turn.seats[seat:], *turn.seats[:seat])
        assert ours.button == (turn.button - seat) % players
        assert UNKNOWN in state.hand.hole(1)
        assert read_state(text.shown((seat + 1) % players).line, definition).turn is None
        legal = turn.legal()
        action = Bet(data.draw(st.sampled_from([legal.to_call, *legal.raises[:1], *legal.raises[-1:]])))
        assert state.answer(action) == f"{state.line}:{wanted_text(hand, action, game)}"
        hand = hand.apply(action)
        text.act(seat, action, hand)
    shown = [live for live, _ in hand.settle().shown]
    for seat in range(players):
        end = read_state(text.shown_at_end(seat, shown).line, definition)
        assert sorted(end.hand.settle().payoffs) == sorted(hand.settle().payoffs)
        assert end.status.won == hand.settle().statuses()[seat].won


def test_definitions_of_the_competition() -> None:
    for name, text in DEFINITIONS.items():
        limit, players = name.split("-")
        for written in (text, text.upper(), text.replace(" = ", " "), f"# a comment\n\n{text}"):
            definition = read_definition(written)
            assert definition.players == int(players)
            assert definition.game.betting == ("fixed-limit" if limit == "limit" else "no-limit")
            assert definition.game.small_blind * 2 == definition.game.big_blind
    assert read_definition(DEFINITIONS["nolimit-3"]).game.stack == 2000


KUHN = (
    "GAMEDEF\nlimit\nnumPlayers = 3\nnumRounds = 1\nblind = 1 1 1\nraiseSize = 1\nfirstPlayer = 1\nmaxRaises = 1\n"
    "numSuits = 1\nnumRanks = 4\nnumHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n"
)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ((DEFINITIONS["limit-3"], KUHN), "numRounds: expected 4, got 1"),
        ((DEFINITIONS["limit-3"], "hello"), "expected a game definition of the competition"),
        (("numRanks = 13", "numRanks = 9"), "numRanks: expected 13, got 9"),
        (("numHoleCards = 2", "numHoleCards = 4"), "numHoleCards: expected 2, got 4"),
        (("numBoardCards = 0 3 1 1", ""), "numBoardCards: expected 0 3 1 1, got nothing"),
        (("numPlayers = 3", "numPlayers = 11"), "numPlayers: expected 2 to 10, got 11"),
        (("numPlayers = 3", "numPlayers = many"), "numPlayers: expected a number, got nothing"),
        (("blind = 5 10 0", "blind = 5 10"), "blind: expected"),
        (("blind = 5 10 0", "blind = 10 5 0"), "blind: expected 5 10 0, got 10 5 0"),
        (("blind = 5 10 0", "blind = 5 10 20"), "blind: expected 10 20 0, got 5 10 20"),
        (("firstPlayer = 3 1 1 1", "firstPlayer = 1 1 1 1"), "firstPlayer: expected 3 1 1 1, got 1 1 1 1"),
        (("raiseSize = 10 10 20 20", "raiseSize = 10 10 10 10"), "raiseSize: expected 10 10 20 20, got 10 10 10 10"),
        (("maxRaises = 3 4 4 4", ""), "maxRaises: expected 3 4 4 4, got nothing"),
        (("limit\n", "nolimit\n"), "maxRaises: expected nothing in no limit"),
        (("limit\n", "limit\nstack = 100 100 100\n"), "count on chips for every bet, 240; got 100"),
        (("limit\n", "limit\nstack = 1000 1000 900\n"), "stack: expected 1000 1000 1000, got 1000 1000 900"),
    ],
)
def test_definition_of_another_game_is_refused(changed: tuple[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        read_definition(DEFINITIONS["limit-3"].replace(*changed))
