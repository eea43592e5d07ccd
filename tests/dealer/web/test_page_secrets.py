"""What the page must not show: hole cards before a hand ends, ids, and text that programs sent."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.audit.hands import play_so_far
from dealer.faults import Fault, FaultKind
from dealer.journal.records import FinishedHandRecord
from dealer.journal.writer import Journal
from dealer.ledger.played_hand import Deal, HandRecord, PlayedHand
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.tournament.table import WatchedTable
from dealer.tournament.tournament import Tournament
from protocol.cards import DECK, Card
from protocol.games.base import FOLD, Action, Bet, Hand
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.stud import StudGame
from protocol.shuffle import Deck
from tests.dealer.support.rig import SEED
from tests.dealer.support.stage import NearBoard

#: Games, and cards of the deck that belong to each seat, the hole card first.
GAMES: dict[str, tuple[Game, int]] = {"stud": (StudGame(), 3), "blockhead": (BlockheadGame(), 5)}

Stage = tuple[Scene, Tournament]


def stage(
    game: str, players: int, *, open_cards: bool = False, duplicate: bool = False, table_size: int = 0, games: int = 2
) -> Stage:
    """A tournament without programs, whose first hand is about to be dealt."""
    settings = Settings(SEED, GAMES[game][0], hands=5, games=games, duplicate=duplicate, table_size=table_size)
    scene = Scene(NewTournament(settings, players), open_cards)
    seated = [Player(f"id-of-{number}", f"Avatar {number}", "a program") for number in range(players)]
    scene.tournament = scene.opening.begin(Journal(None), seated, None)
    scene.tournament.ledger.begin_game(scene.tournament.tables[0])
    return scene, scene.tournament


class PlayedTable(WatchedTable):
    """A table at which the test acts for everybody."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__()
        self.state = tournament.tables[0]
        self.game = tournament.settings.game
        tournament.runs[self.state.number] = self

    def deal(self, deck: Sequence[Card]) -> None:
        state = self.state
        state.hand_number += 1
        players = tuple(player.number for player in state.seated)
        assert isinstance(self.game.chance, Deck)
        places = bytes(map(self.game.chance.cards.index, deck))
        self.record = HandRecord(Deal(state.number, state.hand_number, 1, players, state.match, places), [], [])

    @property
    def hand(self) -> Hand:
        assert self.record is not None
        return play_so_far(self.record.deal.begin(self.game), self.record)[1]

    def act(self, action: Action | None, microseconds: int = 1000) -> None:
        """Let the seat to act do something; None if the dealer folds for it."""
        seat, record = self.hand.to_act, self.record
        assert seat is not None
        assert record is not None
        told = (seat, action.amount if isinstance(action, Bet) else -1, None if action is None else microseconds)
        self.record = record._replace(actions=[*record.actions, told])

    def finish(self) -> FinishedHandRecord:
        """Let everybody check or call to the end; the journal's record of the hand."""
        while self.hand.to_act is not None:
            self.act(Bet(self.hand.legal().to_call))
        assert self.record is not None
        self.last, self.record = PlayedHand(self.record, self.hand, self.hand.settle()), None
        return self.last.told


def deal(tournament: Tournament, deck: Sequence[Card]) -> PlayedTable:
    """The first table of a tournament, with a hand dealt from a deck."""
    table = PlayedTable(tournament)
    table.deal(deck)
    return table


async def seen(scene: Scene) -> bytes:
    """Every byte that a viewer is sent who begins to watch now."""
    board = NearBoard(scene)
    with board.watched(None, "127.0.0.1"):
        return board.since(0, None)


def parts(sent: bytes) -> dict[str, Any]:
    messages = (message.split("\ndata: ") for message in sent.decode().split("\n\n") if message)
    return {name.removeprefix("event: "): json.loads(data) for name, data in messages}


def with_other_holes(deck: list[Card], seats: int, cards: int, choice: Random) -> list[Card]:
    """The same up cards; in the hole, others of those that nobody sees."""
    hidden = [*range(0, seats * cards, cards), *range(seats * cards, len(deck))]
    mixed = choice.sample(hidden, len(hidden))
    other = list(deck)
    for place, source in zip(hidden, mixed, strict=True):
        other[place] = deck[source]
    return other


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20)  # each reads the whole page at every moment of two hands
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 6))
def test_no_byte_depends_on_a_hole_card_before_a_hand_ends(game: str, seed: int, seats: int) -> None:
    import trio  # noqa: PLC0415 - hypothesis runs plain functions

    async def compare() -> None:
        cards, choice = GAMES[game][1], Random(seed)
        deck = choice.sample(DECK, len(DECK))
        scenes = [stage(game, seats), stage(game, seats)]
        tables = [
            deal(scenes[0][1], deck),
            deal(scenes[1][1], with_other_holes(deck, seats, cards, choice)),
        ]
        while True:
            assert await seen(scenes[0][0]) == await seen(scenes[1][0])
            if tables[0].hand.to_act is None:
                return  # over by the rules, but not yet told
            step = choice.getrandbits(32)
            for table in tables:
                table.act(Random(step).choice(list(table.hand.legal())))

    trio.run(compare)


@pytest.mark.parametrize("game", GAMES)
async def test_all_cards_are_shown_when_the_hand_has_ended(game: str) -> None:
    scene, tournament = stage(game, 3)
    played = deal(tournament, DECK)
    before = parts(await seen(scene))["table"]
    assert not any("hole" in seat for seat in before["seats"])
    played.finish()
    table = parts(await seen(scene))["table"]
    cards = GAMES[game][1]
    assert [seat["hole"] for seat in table["seats"]] == [[DECK[seat * cards].text] for seat in range(3)]
    assert table["over"]
    assert sum(seat.get("won", 0) for seat in table["seats"]) == table["pot"] - table["carried"]
    assert any("collects" in words for _, words, _ in table["log"])


async def test_open_cards_are_shown_at_once() -> None:
    scene, tournament = stage("stud", 2, open_cards=True)
    deal(tournament, DECK)
    assert [seat["hole"] for seat in parts(await seen(scene))["table"]["seats"]] == [["2C"], ["2S"]]


async def test_duplicate_tournament_hides_hole_cards() -> None:
    scene, tournament = stage("blockhead", 3, duplicate=True)
    deal(tournament, DECK).finish()
    table = parts(await seen(scene))["table"]
    assert table["over"]
    assert not any("hole" in seat or "worth" in seat for seat in table["seats"])
    assert {seat["why"] for seat in table["seats"] if "won" in seat} == {"cards that were not shown"}
    assert [words for _, words, _ in table["log"] if "collects" in words] == ["collects 30: cards that were not shown"]


async def test_duplicate_tournament_shows_who_won_by_folds() -> None:
    scene, tournament = stage("stud", 2, duplicate=True)
    played = deal(tournament, DECK)
    played.act(FOLD)
    played.finish()
    table = parts(await seen(scene))["table"]
    assert {seat["why"] for seat in table["seats"] if "won" in seat} == {"all others folded"}


async def test_neither_ids_nor_what_a_program_sent_are_shown() -> None:
    scene, tournament = stage("stud", 3)
    table, (first, second, _) = tournament.tables[0], tournament.players
    fault = Fault(FaultKind.MALFORMED, "expected 'fold' or 'bet:<chips>', got 'id-of-0:Avatar 0:my secret'")
    first.faults.append(fault)
    tournament.ledger.leave(first, 1, 500, f"you are out: {fault.reason}")
    second.faults.append(fault)
    tournament.ledger.tidy(table)
    sent = await seen(scene)
    assert b"id-of" not in sent
    assert b"secret" not in sent
    news = parts(sent)["news"]
    words = "its reply was not an action: expected 'fold' or 'bet:<chips>'"
    assert news == {"out": [[0, 1, "malformed", words]], "faults": [[1, "malformed", words]]}


async def test_the_seed_is_kept_until_the_end_is_on_the_disk() -> None:
    scene, tournament = stage("stud", 2)
    assert SEED.hex().encode() not in await seen(scene)
    tournament.ended = True
    facts = parts(await seen(scene))["scene"]
    assert (facts["phase"], facts["seed"]) == ("over", SEED.hex())
