"""A replay as one seat saw it shows no card that the seat could not see; early all-ins, boards, corrected actions."""

import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from dealer.audit.hands import ReplayedHand, Step
from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.tables import CardStyle
from dealer.errors import RebuildError
from dealer.replay.hand_screen import HandScreen
from dealer.replay.journal_reader import Choice, replay_items
from dealer.replay.show import json_line, replay_journal, write_csv
from dealer.telling.seen_hand import NOT_SHOWN, ChancesShown, Collected, SeatShown, SeenHand, seen_hand
from protocol.cards import DECK, Card, Suit, parse_cards
from protocol.events import Acted, StreetDealt, UpCards
from protocol.games import blockhead, stud
from protocol.games.base import FOLD, FOLDED, Action, Bet, Hand
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.ranks import three_card_strength
from protocol.games.stud import SPADE, StudGame
from tests.dealer.support.acpc_players import play_acpc
from tests.dealer.support.golden_replays import painted, write_blockhead, write_stud
from tests.dealer.support.holdem_journals import write_league
from tests.dealer.support.recorded import read_records, run_at_once, write_records
from tests.dealer.support.scribe import players as some_players
from tests.protocol.helpers import decks, players, small_stacks

Deck = Sequence[Card]
Deal = Callable[[Deck], Hand]


def chosen(hand: Hand, player: Random) -> list[Action]:
    """What a hand's seats do: few folds, so that many hands see a showdown."""
    actions: list[Action] = []
    while hand.to_act is not None:
        legal = [action for action in hand.legal() if action != FOLD or player.random() < 0.3]
        actions.append(player.choice(legal) if legal else FOLD)
        hand = hand.apply(actions[-1])
    return actions


def as_replayed(hand: Hand, actions: Sequence[Action]) -> ReplayedHand:
    """A hand with its actions, as it is read from a journal."""
    steps = []
    for number, action in enumerate(actions):
        assert hand.to_act is not None
        steps.append(Step(hand, hand.to_act, action, number / 1000, None))
        hand = hand.apply(action)
    seated = some_players(*[f"Player {seat}" for seat in range(len(hand.starting))])
    match = StudGame().start(len(seated))  # no viewer is shown it
    return ReplayedHand(1, 0, 1, 1, 1, tuple(seated), tuple(steps), hand, hand.settle(), match)


def on_screen(script: SeenHand) -> str:
    screen = HandScreen(script, (), CardStyle(Console(file=TextIOWrapper(BytesIO(), "utf-8"))))
    return "\n".join(line.plain for moment in range(screen.last + 1) for line in screen.lines(moment, 80, 100))


def before_the_end(script: SeenHand) -> str:
    return on_screen(script).partition("the end")[0].rpartition("\n")[0]


def shown(script: SeenHand) -> str:
    """Everything that any form of replay shows of a hand."""
    sheet = StringIO()
    write_csv([script], sheet)
    return on_screen(script) + json_line(script) + sheet.getvalue()


def seen_by(seat: int, hand: ReplayedHand) -> set[Any]:
    """The own hole card, what lay open at any time, and what the status told."""
    status = hand.settlement.statuses()[seat]
    moments = [step.before for step in hand.steps] + [hand.last]
    opened = {card for moment in moments for live in moment.live for card in moment.public().seats[live].up}
    return {*moments[0].hole(seat), *opened, *status.cards, *(card for _, cards in status.shown for card in cards)}


def observed(hand: ReplayedHand, seat: int) -> object:
    """What a seat sees of the end: its message, and where the chips go."""
    return hand.settlement.shares, hand.settlement.carried, hand.settlement.statuses()[seat]


def permuted(deck: Deck, kept: set[Any], shuffler: Random) -> list[Card]:
    """The deck with all but the cards that are kept changed about."""
    rest = [card for card in deck if card not in kept]
    shuffled = iter(shuffler.sample(rest, len(rest)))
    return [card if card in kept else next(shuffled) for card in deck]


def check_that_hidden_cards_do_not_matter(
    game: Game, deal: Deal, deck: Deck, seats: int, player: Random, shuffler: Random
) -> None:
    actions = chosen(deal(deck), player)
    hand = as_replayed(deal(deck), actions)
    for seat in player.sample(range(seats), 2):
        seen = seen_by(seat, hand)
        script = seen_hand(hand, game, seat)
        told = shown(script)
        at_the_end = {card for live in hand.last.live for card in hand.last.hole(live)}
        # who wins does not depend on cards of nobody who is still in
        again = as_replayed(deal(permuted(deck, seen | at_the_end, shuffler)), actions)
        assert shown(seen_hand(again, game, seat)) == told
        # it may on other hole cards: then another hand is told of at the end, and nothing before it differs
        again = as_replayed(deal(permuted(deck, seen, shuffler)), actions)
        other = seen_hand(again, game, seat)
        if observed(again, seat) == observed(hand, seat):
            assert shown(other) == told
        else:
            assert before_the_end(other) == before_the_end(script)
            assert other.events == script.events
            assert [(s.hole, s.before) for s in other.seats] == [(s.hole, s.before) for s in script.seats]


@settings(max_examples=25)
@given(decks, small_stacks, players, players)
def test_hidden_cards_do_not_matter_in_stud(deck: Deck, stacks: list[int], player: Random, shuffler: Random) -> None:
    def deal(cards: Deck) -> Hand:
        return stud.deal(cards, stacks)

    check_that_hidden_cards_do_not_matter(StudGame(), deal, deck, len(stacks), player, shuffler)


@settings(max_examples=25)
@given(decks, st.lists(st.integers(-500, 1500), min_size=2, max_size=6), players, players)
def test_hidden_cards_do_not_matter_in_blockhead(
    deck: Deck, stacks: list[int], player: Random, shuffler: Random
) -> None:
    def deal(cards: Deck) -> Hand:
        return blockhead.deal(cards, stacks)

    check_that_hidden_cards_do_not_matter(BlockheadGame(), deal, deck, len(stacks), player, shuffler)


@given(decks, small_stacks, players)
def test_host_reads_why_each_part_of_a_pot_was_won(deck: Deck, stacks: list[int], player: Random) -> None:
    """Worked out from the deck alone."""
    hand = as_replayed(stud.deal(deck, stacks), chosen(stud.deal(deck, stacks), player))
    collected = {part.seat: part for part in seen_hand(hand, StudGame()).collected}
    assert {seat: part.chips for seat, part in collected.items()} == {
        seat: share for seat, share in enumerate(hand.settlement.shares) if share
    }
    live = hand.last.live
    if len(live) == 1:
        assert collected[live[0]].why == FOLDED
        assert seen_hand(hand, StudGame()).told == ()  # the third card of its status was perhaps never dealt
        return
    strengths = {seat: three_card_strength(deck[3 * seat : 3 * seat + 3]) for seat in live}
    best = {seat for seat in live if strengths[seat] == max(strengths.values())}
    spades = {deck[3 * seat]: seat for seat in live if deck[3 * seat].suit is Suit.SPADES}
    owner = spades[max(spades)] if spades and hand.last.pot > 1 else None
    for seat, part in collected.items():
        assert ("spade in the hole" in part.why) == (seat == owner)
        assert ("a tie with" in part.why) == (seat in best and len(best) > 1)
        assert (part.why == SPADE) == (seat not in best)


def test_unknown_winner_may_have_a_spade_or_equal_cards() -> None:
    texts = []
    for hole in ("KD", "2S"):
        top = parse_cards(f"3C 4C 5C KC AH QH {hole} AD QD")
        deck = [*top, *(card for card in DECK if card not in top)]
        hand = as_replayed(stud.deal(deck, [50] * 3, 2), [Bet(0)] * 6)
        assert hand.settlement.shares == (0, 3, 3)
        texts.append(shown(seen_hand(hand, StudGame(), 0)))
        assert f'"{hole}"' not in texts[-1]
    assert texts[0] == texts[1]
    assert NOT_SHOWN in texts[0]
    assert "tie" not in texts[0]


def test_seat_does_not_see_the_whole_deck() -> None:
    deal = stud.deal(DECK, [100] * 17)
    hand = as_replayed(deal, chosen(deal, Random(1)))
    everything = shown(seen_hand(hand, StudGame()))
    own = shown(seen_hand(hand, StudGame(), 3))
    assert all(card.text in everything for card in DECK[0:51:3])
    assert sum(f'"{card}"' in own for card in DECK[0:51:3]) <= 2


@pytest.mark.parametrize("form", [json_line, None])
def test_reasons_are_shown_to_their_own_player_only(form: Callable[[object], str] | None, tmp_path: Path) -> None:
    """It may quote the program's hole card."""
    path = write_stud(tmp_path / "a.journal")

    def everything(seat: str | None) -> str:
        choice = Choice(seat=seat)
        return "\n".join(map(form, replay_items(path, choice))) if form else " ".join(painted(path, choice).split())

    quoted = "my hole card is 9C"
    assert quoted in everything(None)
    assert quoted in everything("p2")
    for other in ("p0", "p1", "p3", "0", "2"):
        assert (quoted in everything(other)) == (other == "2")
        assert "malformed" in everything(other)


def test_ids_are_shown_to_host_and_owner_only(tmp_path: Path) -> None:
    path = write_blockhead(tmp_path / "a.journal")
    for seat, ids in ((None, {"p0", "p1", "p2"}), ("p1", {"p1"})):
        text = "".join(map(json_line, replay_items(path, Choice(seat=seat))))
        assert {id for id in ("p0", "p1", "p2") if f'"{id}"' in text} == ids
        assert not any(id in painted(path, Choice(seat=seat)) for id in ("p0", "p1", "p2"))


@pytest.mark.parametrize("write", [write_stud, write_blockhead])
@pytest.mark.parametrize("seat", [None, "p0"])
def test_seed_is_not_shown_before_the_end(write: Callable[[Path], Path], seat: str | None, tmp_path: Path) -> None:
    path = write(tmp_path / "a.journal")
    lines = [
        json_line(item) for item in replay_items(path, Choice(seat=seat)) if '"type": "end"' not in json_line(item)
    ]
    text = "".join(lines) + painted(path, Choice(seat=seat))
    assert "seed" not in text
    assert bytes(32).hex() not in text
    assert (bytes([3]) * 32).hex() not in text


def test_hand_without_any_choice_is_shown() -> None:
    hand = as_replayed(stud.deal(DECK, [1, 1, 1]), [])
    script = seen_hand(hand, StudGame(), 1)
    (street,) = script.events
    assert isinstance(street, StreetDealt)
    assert [len(seat.cards) for seat in street.seats] == [2, 2, 2]
    assert sum(part.chips for part in script.collected) == script.pot == 3
    assert "Street 2, pot 3" in on_screen(script)


# Hands watched again: chances before each street of an early all-in, boards, and corrected actions.


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Hands with short stacks, of which many are all in before the river."""
    return write_league(tmp_path / "a.journal", Random(5), HoldemGame(stack=100), hands=40)


def hands(path: Path, choice: Choice = Choice()) -> list[SeenHand]:  # noqa: B008 - frozen
    return [item for item in replay_items(path, choice) if isinstance(item, SeenHand)]


def run_out(seen: SeenHand) -> list[StreetDealt | ChancesShown]:
    """What follows the last action."""
    last = max(number for number, event in enumerate(seen.events) if isinstance(event, Acted))
    return [event for event in seen.events[last + 1 :] if not isinstance(event, Acted)]


def test_chances_stand_before_each_street_that_follows(league: Path) -> None:
    found = [run_out(seen) for seen in hands(league) if any(isinstance(event, ChancesShown) for event in seen.events)]
    assert {len(events) for events in found} >= {2, 6}
    for events in found:
        streets = [event.street for event in events]
        first = streets[0]
        assert streets == sorted([*range(first, 4), *range(first + 1, 5)])
        for before, after in zip(events[::2], events[1::2], strict=True):
            assert isinstance(before, ChancesShown)
            assert isinstance(after, StreetDealt)
            assert sum(seat.win for seat in before.seats) == pytest.approx(1, abs=0.001)
            assert len(after.board) == after.street + 1


def test_every_seat_sees_the_same_chances(league: Path) -> None:
    host = {seen.hand: seen for seen in hands(league, Choice(table=0))}
    for seen in hands(league, Choice(table=0, seat="0")):
        assert run_out(seen) == run_out(host[seen.hand])


def test_chances_are_exported_and_painted(league: Path) -> None:
    seen = next(seen for seen in hands(league) if any(isinstance(event, ChancesShown) for event in seen.events))
    events = json.loads(json_line(seen))["events"]
    (first, *_) = [event for event in events if event["event"] == "chances"]
    assert {*first} == {"event", "street", "seats"}
    assert {*first["seats"][0]} == {"seat", "cards", "win"}
    text = painted(league, Choice(table=seen.table, hand=seen.hand))
    assert "Cards are shown; chances to win" in text
    for seat in first["seats"]:
        assert f" {100 * seat['win']:.1f} %" in text


def hand_with_a_board(viewer: int | None) -> SeenHand:
    """Two seats with two hole cards each; one is dealt in, and three cards of the board lie on the table."""
    holes = [("KD", "7C"), ("AS", "2H")]
    seats = tuple(
        SeatShown(seat, f"p{seat}", f"Player {seat}", hole if viewer in (None, seat) else None, 100, 100 + gain)
        for seat, hole, gain in zip((0, 1), holes, (5, -5), strict=True)
    )
    on_table = (UpCards(0, (), 2, 95), UpCards(1, (), 2, 95))
    return SeenHand(
        0, 1, 1, 1, viewer, seats,
        (
            StreetDealt(0, 1, 1, 10, (), on_table),
            Acted(0, 1, 1, 0, "check", 0, 10, 0, 95, 1000),
            StreetDealt(0, 1, 2, 10, ("3C", "10H", "QS"), on_table),
            Acted(0, 1, 2, 1, "fold", 0, 10, 0, 95, 1000),
        ),
        (), 10, 0, (Collected(0, 10, "all others folded"),),
    )  # fmt: skip


def printed(seen: SeenHand, encoding: str) -> str:
    style = CardStyle(Console(file=TextIOWrapper(BytesIO(), encoding)))
    return "\n".join(line.plain for line in HandScreen(seen, (), style).printed(80))


def test_cards_as_the_terminal_can_show_them() -> None:
    assert "(K♦ 7♣)" in printed(hand_with_a_board(None), "utf-8")
    plain = printed(hand_with_a_board(None), "ascii")
    assert "(KD 7C)" in plain
    assert "Street 2 is dealt: 3C 10H QS" in plain
    assert plain.isascii()


def test_a_seat_sees_the_backs_of_others_cards() -> None:
    text = printed(hand_with_a_board(0), "ascii")
    assert text.count("(KD 7C)") == text.count("(?? ??)") == 1


def test_board_and_hole_cards_are_in_the_json() -> None:
    facts = json.loads(json_line(hand_with_a_board(1)))
    assert [seat["hole"] for seat in facts["seats"]] == [None, ["AS", "2H"]]
    assert [event["board"] for event in facts["events"] if event["event"] == "street"] == [[], ["3C", "10H", "QS"]]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two programs, of which the second folds with nothing owed."""
    path = tmp_path / "a.journal"
    run_at_once(partial(play_acpc, path))
    return path


async def lines(journal: Path, capsys: pytest.CaptureFixture[str], seat: str | None, as_json: bool) -> list[str]:
    assert replay_journal(journal, Choice(seat=seat), as_json, False) == 0
    return capsys.readouterr().out.splitlines()


def shown_run_out(
    journal: Path, capsys: pytest.CaptureFixture[str], seat: str | None = None, as_json: bool = False
) -> str:
    return "\n".join(trio.run(lines, journal, capsys, seat, as_json))


def test_each_correction_stands_behind_its_hand(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = [json.loads(line) for line in shown_run_out(journal, capsys, as_json=True).splitlines()]
    corrections = [note for note in told if note["type"] == "corrected"]
    recorded = [record for record in read_records(journal) if record["type"] == "corrected"]
    assert [(note["hand"], note["reason"]) for note in corrections] == [
        (record["hand"], record["reason"]) for record in recorded
    ]
    assert {note["id"] for note in corrections} == {"acpc-2"}
    for note in corrections:
        before = [item for item in told[: told.index(note)] if item["type"] == "hand"]
        assert before[-1]["hand"] == note["hand"]


def test_a_correction_in_words(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown_run_out(journal, capsys)
    assert re.search(r"An action of acpc-2 in hand \d+ was corrected: the rules forbid what it wanted\.", text)
    assert "it folded although nothing was owed" in text


def test_each_correction_is_named_at_its_action(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = [
        item for item in map(json.loads, shown_run_out(journal, capsys, as_json=True).splitlines()) if "events" in item
    ]
    asked = [
        (hand["hand"], event["asked"])
        for hand in hands
        for event in hand["events"]
        if event["event"] == "action" and event["asked"]
    ]
    told = [(record["hand"], record["reason"]) for record in read_records(journal) if record["type"] == "corrected"]
    assert len(asked) == len(told)
    for (hand, words), (number, reason) in zip(asked, told, strict=True):
        assert hand == number
        if words == "fold":
            assert reason == "it folded although nothing was owed"
        else:
            least = re.search(r"a raise could be to (\d+) at least", reason)
            assert words == (f"raise to 1, counted as {least[1]}" if least else "raise to 1")
    assert {words.split(" ")[0] for _, words in asked} == {"fold", "raise"}


def test_an_action_that_was_corrected_in_words(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every viewer sees what was asked for: it is an action, and no text of a program."""
    for seat in (None, "acpc-1", "acpc-2"):
        text = shown_run_out(journal, capsys, seat)
        assert "checks (asked to fold)" in text
        assert re.search(r"raises \d+, puts in \d+ \(asked to raise to 1, counted as \d+\)", text)


def altered(journal: Path, corrections: object, *, told: bool = True) -> str:
    """What the audit says of a hand with other corrections; without the records that tell of them if not ``told``."""
    records = [record for record in read_records(journal) if told or record["type"] != "corrected"]
    first = next(record for record in records if "corrections" in record)
    first["corrections"] = corrections or first["corrections"]
    path = journal.parent / "altered"
    path.unlink(missing_ok=True)
    write_records(path, records)
    with pytest.raises(RebuildError) as error:
        list(LedgerRebuild(path).hands())
    return str(error.value)


def test_corrections_that_fit_no_action_are_named(journal: Path) -> None:
    assert "corrections: action 99 is no check, call or raise of a program" in altered(journal, [[99, "fold"]])
    assert "corrections[0][1]: expected text, got 5" in altered(journal, [[0, 5]])
    assert "corrections: no record tells that seat" in altered(journal, None, told=False)


def test_another_seat_is_not_told_the_reason(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, other = (shown_run_out(journal, capsys, seat) for seat in ("acpc-2", "acpc-1"))
    assert "it folded although nothing was owed" in own
    assert "was corrected" in other
    assert "it folded although nothing was owed" not in other
