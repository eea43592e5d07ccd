"""Duplicate tournaments: everybody in every seat of every deal, and what that says about the players.

A tournament's ledger is played by functions here: all its rules, and nothing that takes time.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scipy.stats import t as student_distribution

from dealer.ledger.formats.duplicate import DealScore, Duplicate
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.ledger.standings import Standing
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.events import FOLD_CHIPS
from protocol.games.base import FOLD, Action, Bet, Hand, Turn
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.stud import StudGame
from protocol.shuffle import shuffled_places
from tests.dealer.support.rig import SEED

Decide = Callable[[Turn], Action]


@dataclass(frozen=True)
class Dealt:
    """A hand that was played: in which game, from which deck, who sat where, and chips won by seat."""

    game: int
    deck: bytes
    players: tuple[int, ...]
    payoffs: tuple[int, ...]


def start(settings: Settings, players: int) -> Ledger:
    """Players ``p0``, ``p1`` and so on."""
    return Ledger(settings, [Player(f"p{number}", f"P {number}", "function") for number in range(players)])


def finish(ledger: Ledger, decide: Sequence[Decide], leave: Mapping[int, int] | None = None) -> list[Dealt]:
    """Play the first table to its end.

    Args:
        ledger: of the tournament.
        decide: each player's answers.
        leave: players by number, with the hand in which each is thrown out.
    """
    (table,) = ledger.seating.tables
    dealt = []
    while not ledger.seating.table_over(table):
        if table.game == 0 or table.game_over:
            ledger.begin_game(table)
        dealt.append(play_hand(ledger, table, decide, leave or {}))
    return dealt


def play_hand(ledger: Ledger, table: TableState, decide: Sequence[Decide], leave: Mapping[int, int]) -> Dealt:
    """The next hand; who leaves in it does so before the first question."""
    seated, players, deck = table.seated, table.match.seated, ledger.next_deck(table)
    deal = ledger.deal(table, deck)
    hand: Hand = deal.begin(ledger.settings.game)
    for number, when in leave.items():
        if when == table.hand_number:
            ledger.leave(table.players[number], when, table.stacks_before[number], "thrown out")
    actions: list[tuple[int, int, int | None]] = []
    while (seat := hand.to_act) is not None:
        if seated[seat].left is not None:
            actions.append((seat, FOLD_CHIPS, None))
            hand = hand.concede()
        else:
            action = decide[players[seat]](hand.view(seat))
            actions.append((seat, action.amount if isinstance(action, Bet) else FOLD_CHIPS, 0))
            hand = hand.apply(action)
    settlement = hand.settle()
    ledger.finish(table, PlayedHand(HandRecord(deal, actions, []), hand, settlement))
    return Dealt(table.game, deck, players, settlement.payoffs)


def temper(salt: int) -> Decide:
    """A strategy that knows nothing but the question: the same question gets the same answer at every seat."""

    def decide(turn: Turn) -> Action:
        rng, legal = Random(f"{salt} {turn}"), turn.legal()
        if FOLD in legal and rng.random() < 0.15:
            return FOLD
        call = Bet(legal.to_call)
        raises = rng.random() < 0.3 and bool(legal.raises)
        return Bet(rng.choice(legal.raises)) if raises or call not in legal else call

    return decide


#: A game and how many play it.
TABLES = st.tuples(st.just(StudGame(200)), st.integers(2, 17)) | st.tuples(
    st.builds(BlockheadGame, hands=st.integers(1, 5), ranks=st.sampled_from(["blockhead", "poker"])), st.integers(2, 6)
)


def duplicate(game: Game, deals: int, seed: bytes = SEED) -> Settings:
    hands = game.hands if isinstance(game, BlockheadGame) else 1
    return Settings(seed, game, hands, deals, table_size=game.seats[-1], duplicate=True)


def deal_scores(ledger: Ledger) -> Duplicate:
    assert isinstance(ledger.format, Duplicate)
    return ledger.format


def by_game(dealt: list[Dealt]) -> list[list[Dealt]]:
    games = defaultdict(list)
    for hand in dealt:
        games[hand.game].append(hand)
    return [games[number] for number in sorted(games)]


def won(game: list[Dealt], players: int) -> list[int]:
    """Chips each player won in a game."""
    chips = [0] * players
    for hand in game:
        for player, payoff in zip(hand.players, hand.payoffs, strict=True):
            chips[player] += payoff
    return chips


@given(TABLES, st.integers(1, 3), st.binary(min_size=32, max_size=32), st.integers())
def test_equal_strategies_win_nothing_in_every_deal(
    table: tuple[Game, int], deals: int, seed: bytes, salt: int
) -> None:
    game, players = table
    ledger = start(duplicate(game, deals, seed), players)
    finish(ledger, [temper(salt)] * players)
    for score in deal_scores(ledger).by_player.values():
        assert [sum(score.of_deal(deal)) for deal in range(deals)] == [0] * deals
        assert (score.result.deals, score.result.chips_per_deal) == (deals, 0)
        assert score.result.interval is None  # deals that are all equal do not tell how much they vary
    assert {standing.place for standing in ledger.standings()} == {1}


@given(TABLES, st.integers(1, 3), st.integers())
def test_everybody_sits_once_in_every_seat_of_every_deal(table: tuple[Game, int], deals: int, salt: int) -> None:
    game, players = table
    settings = duplicate(game, deals)
    ledger = start(settings, players)
    dealt = finish(ledger, [temper(salt + player) for player in range(players)])
    games = by_game(dealt)
    assert len(games) == deals * players
    for deal in range(deals):
        rotations = games[deal::deals]
        for number, hands in enumerate(zip(*rotations, strict=True), deal * settings.hands + 1):
            assert {hand.deck for hand in hands} == {shuffled_places(SEED, 0, number)}
            for seat in range(players):
                assert sorted(hand.players[seat] for hand in hands) == list(range(players))
    decks = {hand.deck for hand in dealt}
    assert len(decks) == deals * settings.hands
    for played in games:
        assert len({hand.players for hand in played}) == 1
        assert sum(won(played, players)) == 0
    assert sum(standing.chips for standing in ledger.standings()) == 0


@given(TABLES, st.integers(1, 4), st.integers(), st.data())
def test_the_statistics_are_those_of_a_naive_computation(
    table: tuple[Game, int], deals: int, salt: int, data: st.DataObject
) -> None:
    game, players = table
    leave = data.draw(st.dictionaries(st.integers(2, players), st.integers(1, 9), max_size=players - 2))
    leave = {player - 1: hand for player, hand in leave.items()}
    ledger = start(duplicate(game, deals), players)
    games = by_game(finish(ledger, [temper(salt + player) for player in range(players)], leave))
    chips = [won(played, players) for played in games]
    assert len(chips) == deals * players
    for player, score in zip(ledger.players, deal_scores(ledger).by_player.values(), strict=True):
        mine = [gains[ledger.players.index(player)] for gains in chips]
        means = [sum(mine[deal::deals]) / players for deal in range(deals)]
        result, mean = score.result, sum(mine) / len(mine)
        assert result.chips_per_deal == pytest.approx(mean)
        if deals == 1:
            assert result.interval is None
            continue
        of_mean = sum((value - mean) ** 2 for value in means) / (deals - 1)
        half = student_distribution.ppf(0.975, deals - 1) * sqrt(of_mean / deals)
        expected = pytest.approx((mean - half, mean + half), abs=1e-6) if len(set(means)) > 1 else None
        assert result.interval == expected


def test_a_computation_by_hand() -> None:
    score = DealScore(2, 3, array("q", [2, 4, 1, 5, 3, 3]))
    assert score.result.chips_per_deal == 3  # from means 2 and 4, whose variance is 2
    assert score.result.interval == pytest.approx((3 - 12.7062, 3 + 12.7062), abs=1e-4)  # t for one degree of freedom


def test_only_deals_that_were_played_in_all_rotations_count() -> None:
    chips = array("q", [10, 20, 30, -1, -2, -3, 4, 5, 6])
    found = [DealScore(3, 3, chips[:games]).result for games in range(10)]
    assert [result.deals for result in found] == [0, 0, 0, 0, 0, 0, 0, 1, 2, 3]
    assert [result.chips_per_deal for result in found[6:]] == [None, 13 / 3, (13 + 23) / 6, (13 + 23 + 33) / 9]


@pytest.mark.parametrize("game", [StudGame(), BlockheadGame(hands=3)], ids=lambda game: game.name)
def test_player_who_is_out_folds_and_ranks_last(game: Game) -> None:
    ledger = start(duplicate(game, 2), 4)
    dealt = finish(ledger, [temper(player) for player in range(4)], leave={2: 3})
    assert len(by_game(dealt)) == 8
    assert all(sorted(hand.players) == [0, 1, 2, 3] for hand in dealt)
    assert all(hand.payoffs[hand.players.index(2)] <= 0 for hand in dealt[2:])
    standings = ledger.standings()
    assert sum(standing.chips for standing in standings) == 0
    assert standings[-1].player is ledger.players[2]
    assert deal_scores(ledger).progress() == {"deals": 2, "complete": 2, "rotations": 4}


def test_deals_do_not_count_with_one_player_left() -> None:
    ledger = start(duplicate(StudGame(), 5), 2)
    assert len(finish(ledger, [temper(0), temper(1)], leave={1: 7})) == 7
    assert deal_scores(ledger).progress() == {"deals": 5, "complete": 2, "rotations": 2}
    assert [standing.player for standing in ledger.standings()] == list(ledger.players)


def test_an_empty_stack_is_full_again_in_the_next_deal() -> None:
    ledger = start(duplicate(StudGame(stack=1), 10), 3)  # the ante is all there is: every hand empties one stack or two
    assert len(finish(ledger, [temper(0)] * 3)) == 30
    assert [player.hands_survived for player in ledger.players] == [30] * 3
    assert len(ledger.seating.tables[0].match.seated) < 3
    assert ledger.broke(ledger.seating.tables[0]) == []


@pytest.mark.parametrize("game", [StudGame(), BlockheadGame(hands=3)], ids=lambda game: game.name)
def test_a_voided_hand_is_dealt_again_from_the_same_deck(game: Game) -> None:
    undisturbed, disturbed = (start(duplicate(game, 2), 3) for _ in range(2))
    decide = [temper(player) for player in range(3)]
    expected = finish(undisturbed, decide)
    (table,) = disturbed.seating.tables
    disturbed.begin_game(table)
    dealt = []
    if disturbed.settings.hands > 1:
        dealt.append(play_hand(disturbed, table, decide, {}))
    disturbed.void(table)
    dealt += finish(disturbed, decide)
    assert dealt == expected
    assert (table.hand_number, table.finished, table.voided) == (len(expected) + 1, len(expected), 1)
    assert [s.chips for s in disturbed.standings()] == [s.chips for s in undisturbed.standings()]


def test_players_with_the_same_chips_share_a_place() -> None:
    ledger = start(duplicate(StudGame(), 1), 3)
    for won in ((10, 0, -10), (0, -5, 5), (0, 15, -15)):
        for player, chips in zip(ledger.players, won, strict=True):
            deal_scores(ledger).by_player[player].won.append(chips)
    assert [(standing.place, standing.chips) for standing in ledger.standings()] == [(1, 10), (1, 10), (3, -20)]


def test_the_table_fits_in_80_columns_and_loses_nothing() -> None:
    players = [Player(f"p{n}", f"{'An avatar of 32 characters':~^32}", f"pair-or-fold {n}") for n in range(17)]
    scores = Duplicate(duplicate(StudGame(), 2), players)
    for n, player in enumerate(players):
        scores.by_player[player].won.extend((-1) ** (game + n) * 99_999 * n for game in range(34))
    standings = [Standing(place, 0, player) for place, player in enumerate(players, 1)]
    console = Console(width=80, record=True, file=StringIO())
    console.print(next(scores.tables(standings)))
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    for place, player in enumerate(players, 1):
        result = scores.by_player[player].result
        (line,) = [line for line in text.splitlines() if line.startswith(f"{place:5} ")]
        assert f"{result.chips_per_deal:+.2f}" in line
