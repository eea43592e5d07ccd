"""Replays of every game: events, boards, hole cards and reasons as the contract of games gives them."""

import json
from io import BytesIO, StringIO, TextIOWrapper
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from dealer.audit.hands import ReplayedHand, Step
from dealer.cli.tables import CardStyle
from dealer.replay.hand_screen import HandScreen
from dealer.replay.show import json_line, write_csv
from dealer.replayer.recording import HandFrames
from dealer.report.player_statistics import cards_seen, winning_kinds
from dealer.telling.seen_hand import SeenHand, seen_hand
from protocol.cards import Piece
from protocol.events import StreetDealt
from protocol.games.game import Game
from tests.contract.playouts import deal, moments
from tests.dealer.support.scribe import players

chances = st.integers(0, 2**32).map(Random)

#: Each example is a whole hand, shown in every way.
few = settings(max_examples=30)


def played(game: Game, chance: Random) -> ReplayedHand:
    """A hand played by chance, as it is read from a journal."""
    match, hand, _ = deal(game, chance)
    *steps, (last, _) = moments(hand, chance)
    seated = players(*[f"Player {seat}" for seat in range(len(last.starting))])
    decisions = [Step(before, before.to_act or 0, action, 0.001, None) for before, action in steps]
    return ReplayedHand(1, 0, 1, 1, 1, tuple(seated), tuple(decisions), last, last.settle(), match)


def everything_shown(seen: SeenHand) -> str:
    """What a terminal, JSON and CSV show of a hand."""
    screen = HandScreen(seen, (), CardStyle(Console(file=TextIOWrapper(BytesIO(), "ascii"))))
    lines = [line for moment in range(screen.last + 1) for line in screen.lines(moment, 100, 100)]
    sheet = StringIO()
    write_csv([seen], sheet)
    return "\n".join([*(line.plain for line in lines), json_line(seen), sheet.getvalue()])


def shown_to(hand: ReplayedHand, seat: int) -> set[Piece]:
    """Every card that a seat saw during a hand or was told at its end."""
    settlement = hand.settlement
    cards: set[Piece] = {*settlement.cards, *(card for _, cards in settlement.shown for card in cards)}
    for moment in (*(step.before for step in hand.steps), hand.last):
        public = moment.public()
        cards |= {*public.board, *(card for other in moment.live for card in public.seats[other].up)}
        cards |= set(moment.hole(seat)) if seat in moment.live else set()
    return cards


@few
@given(chance=chances)
def test_streets_show_the_board_and_the_up_cards(game: Game, chance: Random) -> None:
    hand = played(game, chance)
    streets = [event for event in seen_hand(hand, game).events if isinstance(event, StreetDealt)]
    last = hand.last.public()
    assert streets[-1].board == tuple(card.text for card in last.board)
    for seat in streets[-1].seats:
        assert seat.hidden == last.seats[seat.seat].hidden


@few
@given(chance=chances)
def test_seat_sees_no_card_that_it_was_not_shown(game: Game, chance: Random) -> None:
    hand = played(game, chance)
    secret = {card for seat in range(len(hand.players)) for card in hand.last.hole(seat)}
    seat = chance.randrange(len(hand.players))  # to draw all moments for all seats takes minutes in a long hand
    text = everything_shown(seen_hand(hand, game, seat))
    for card in secret - shown_to(hand, seat):
        assert f'"{card.text}"' not in text
        assert f"({card.text})" not in text


@few
@given(chance=chances)
def test_host_sees_all_cards_and_the_reasons_of_the_rules(game: Game, chance: Random) -> None:
    hand = played(game, chance)
    facts = json.loads(json_line(seen_hand(hand, game)))
    for seat, seen in enumerate(facts["seats"]):
        assert seen["hole"] == [card.text for card in hand.last.hole(seat)]
    for part in facts["collected"]:
        pots = [pot for pot in hand.settlement.pots if part["seat"] in pot.winners]
        assert all(pot.why in part["why"] for pot in pots)
        assert part["chips"] == hand.settlement.shares[part["seat"]]
    assert {part["seat"] for part in facts["collected"]} == {
        seat for seat, share in enumerate(hand.settlement.shares) if share
    }


@few
@given(chance=chances)
def test_report_statistics_know_winners_and_their_cards(game: Game, chance: Random) -> None:
    hand = played(game, chance)
    kinds = winning_kinds(hand.settlement)
    assert set(kinds) == {seat for seat, share in enumerate(hand.settlement.shares) if share}
    assert set(kinds.values()) <= set(game.kinds)
    for seat in range(len(hand.players)):
        assert set(cards_seen(hand, seat)) <= shown_to(hand, seat)
        assert set(hand.last.hole(seat)) <= set(cards_seen(hand, seat))


@few
@given(chance=chances)
def test_frames_after_the_betting_have_the_chips_of_the_last_street(game: Game, chance: Random) -> None:
    """Also of a hand in which the blinds put all but one player in, and nobody had a choice."""
    hand = played(game, chance)
    made, last = HandFrames(hand, game), hand.last.public()
    assert [frame.get("allIn", False) for frame in made.frames[: len(hand.steps)]] == [False] * len(hand.steps)
    for frame in made.frames:
        if frame.get("allIn"):
            assert (frame["pot"], [seat["stack"] for seat in frame["seats"]]) == (last.pot, list(hand.last.stacks))
            assert [seat.get("hidden", 0) for seat in frame["seats"] if seat.get("live")] == [
                seat.hidden for seat in last.seats if seat.live
            ]
    assert {**made.frames[-1], **made.end(None)["end"]}["pot"] == hand.last.pot
