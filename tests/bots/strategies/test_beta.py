"""Beta beats Alpha, sees no more than its turns, notices who is not Alpha, and breaks no rule of any variant."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.arena import play_game
from bots.strategies.alpha import Alpha
from bots.strategies.balance import Balance
from bots.strategies.beta import Beta, BetaChips
from bots.strategies.blockhead import tables
from bots.strategies.caller import Caller
from bots.strategies.gamma import Gamma
from bots.strategies.maniac import Maniac
from bots.strategies.random_bettor import RandomBettor
from bots.strategies.tight import Tight
from bots.strategy import Maker, StrategyError
from protocol.cards import DECK, Card, parse_card, parse_cards
from protocol.games.base import Action, Bet, Fold
from protocol.games.blockhead import BlockheadGame, BlockheadTurn, Ranks, deal
from protocol.installed_bots import load_bot
from protocol.wire.messages import GameInfo
from tests.bots.blockhead_games import GAME, begins, chips_a_hand, gains_of, play_games, share_won
from tests.bots.helpers import asked
from tests.protocol.helpers import decks, players

BLOCKHEAD: list[Maker] = [Alpha, Beta, BetaChips, Gamma, Balance]
YARDSTICKS: list[Maker] = [Caller, Maniac, Tight, RandomBettor]


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("bot", "other", "games", "seed", "least"),
    [
        (BetaChips, Alpha, 20_000, "2026", 14.0),
        *((Balance, other, 150, "test", 0.0) for other in (Alpha, Caller, Maniac)),
        *((Gamma, other, 600, "test", 0.0) for other in (Beta, Balance)),
    ],
)
def test_chips_a_hand(bot: Maker, other: Maker, games: int, seed: str, least: float) -> None:
    assert chips_a_hand(gains_of(bot, other, games, seed)).low >= least


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("better", "bot", "other"), [(BetaChips, Beta, Alpha), (Gamma, Beta, Maniac), (Gamma, Beta, Caller)]
)
def test_more_chips_than_another_on_the_same_cards(better: Maker, bot: Maker, other: Maker) -> None:
    more, less = (gains_of(maker, other, 150) for maker in (better, bot))
    assert chips_a_hand([mine - its for mine, its in zip(more, less, strict=True)]).low > 0


@pytest.mark.heavy
def test_beta_wins_94_percent_of_games_against_alpha() -> None:
    assert share_won(gains_of(Beta, Alpha, 20_000, "2026")).low >= 0.94


def one_hand(
    hand_deck: Sequence[Card], opener: int, seed: int, hands_before: int
) -> list[tuple[BlockheadTurn, Action]]:
    """What a beta that has played some games with Alpha is asked and answers, against a player that ignores cards."""
    beta, other = Beta(Random(seed)), RandomBettor(Random(seed))
    beta.game_begins(begins())
    beta.trusts = hands_before == 0
    beta._played = hands_before  # as late in the game as the test likes
    hand, found = deal(hand_deck, (1000, 1000), opener), []
    while (seat := hand.to_act) is not None:
        turn = hand.view(seat)
        action = beta.decide(turn) if seat == 0 else other.decide(turn)
        if seat == 0:
            found.append((turn, action))
        hand = hand.apply(action)
    return found


@settings(max_examples=150)
@given(decks, st.integers(0, 1), st.integers(0, 10**6), st.integers(0, 19), st.integers(10, 51))
def test_the_cards_it_cannot_see_change_nothing(
    deck: tuple[Card, ...], opener: int, seed: int, played: int, swapped: int
) -> None:
    changed = list(deck)
    changed[5], changed[swapped] = changed[swapped], changed[5]
    assert one_hand(changed, opener, seed, played) == one_hand(deck, opener, seed, played)


@pytest.mark.parametrize("maker", [Beta, BetaChips, Gamma])
def test_the_same_chance_gives_the_same_answers(maker: Maker) -> None:
    assert gains_of(maker, Tight, 10) == gains_of(maker, Tight, 10)
    assert gains_of(maker, Tight, 10) != gains_of(maker, Tight, 10, "another")


@pytest.mark.parametrize("other", [Caller, Maniac, Tight, Balance, RandomBettor])
def test_stranger_is_noticed_within_one_game(other: Maker) -> None:
    for number in range(20):
        beta = Beta(Random(number))
        play_games([beta, other(Random(number))], 1, f"stranger {number}")
        assert not beta.trusts


def test_next_game_keeps_the_reading_and_counts_hands_anew() -> None:
    beta = Beta(Random(1))
    play_games([beta, Caller(Random(1))], 1, "one")
    assert beta._left == 1, "at least, however many were announced"
    beta.game_begins(begins())
    assert not beta.trusts
    assert beta._left == GAME.hands


def last_street(hole: str, stack: int) -> BlockheadTurn:
    """Nothing to choose between the up cards, and a raise of 5 to answer: Alpha would have 6 or more in the hole."""
    mine, theirs = parse_cards("2D 6D 10D 6H"), parse_cards("2H 6S 10H 6C")
    return BlockheadTurn(3, stack, 45, 5, parse_card(hole), mine, (theirs,), ((1, 5),), 10)


def in_the_last_hand(maker: Maker, turn: BlockheadTurn) -> Action:
    bot = maker(Random(1))
    bot.game_begins(begins(BlockheadGame(hands=1)))
    return bot.decide(turn)


def test_beta_uses_its_lead_and_the_hands_left() -> None:
    """1003 chips win the game; of 950 only a raise can make enough, with 45 in the pot."""
    assert in_the_last_hand(Beta, last_street("8C", 1003)) == Fold()
    behind = in_the_last_hand(Beta, last_street("KC", 950))
    assert isinstance(behind, Bet)
    assert behind.amount > 5
    assert in_the_last_hand(BetaChips, last_street("8C", 1003)) != Fold()


@pytest.mark.parametrize("maker", BLOCKHEAD + YARDSTICKS)
@pytest.mark.parametrize("ranks", ["blockhead", "poker"])
@pytest.mark.parametrize(
    ("count", "hands", "stack"), [(2, 20, 1000), (2, 45, 5), (2, 3, 10**6), (3, 8, 100), (6, 6, 0)]
)
def test_every_answer_is_legal_in_every_variant(maker: Maker, ranks: Ranks, count: int, hands: int, stack: int) -> None:
    game = BlockheadGame(stack, hands, ranks)
    for seat in range(2):
        others: list[Maker] = [RandomBettor, Maniac, Tight, Caller, Alpha]
        bots = [other(Random(index)) for index, other in enumerate(others[: count - 1])]
        bots.insert(seat, maker(Random(seat)))
        played = list(play_game(game, bots, bytes(32), 1))  # an illegal answer raises ArenaError
        assert len(played) == hands


@settings(max_examples=40)
@given(decks, players, st.integers(-500, 1500), st.integers(0, 150))
def test_answers_to_unexpected_turns_are_legal(deck: tuple[Card, ...], luck: Random, stack: int, carried: int) -> None:
    bots = [maker(luck) for maker in BLOCKHEAD + YARDSTICKS]
    hand = deal(deck, (stack, stack), luck.randrange(2), carried=2 * carried)
    while (seat := hand.to_act) is not None:
        answers = [bot.decide(hand.view(seat)) for bot in bots]
        assert all(answer in hand.legal() for answer in answers)
        hand = hand.apply(luck.choice(answers))
    status = hand.settle().statuses()[0]
    for bot in bots:
        bot.hand_over(status)


@pytest.mark.parametrize("name", ["alpha", "beta", "beta-chips", "gamma", "balance"])
def test_they_are_installed_and_say_what_they_play(name: str) -> None:
    bot = load_bot(name)(Random(1))
    with pytest.raises(StrategyError, match=r"^this bot plays blockhead, not stud$"):
        bot.decide(asked("bet1:400:50:0:2C:7D:up:7D:QH"))
    with pytest.raises(StrategyError, match=r"^this bot plays blockhead, not holdem$"):
        bot.game_begins(GameInfo("holdem"))


def test_hand_that_ends_without_a_question() -> None:
    beta = Beta(Random(1))
    beta.game_begins(begins())
    hand = deal(DECK, (1000, 1000), opener=1).concede()
    beta.hand_over(hand.settle().statuses()[0])
    assert beta.trusts
    assert beta._left == GAME.hands - 1


def test_maniac_raises_ten_when_legal() -> None:
    maniacs, raised = [Maniac(Random(1)), Maniac(Random(2))], []
    hand = deal(DECK, (1000, -1000))
    while (seat := hand.to_act) is not None:
        owed, action = hand.legal().to_call, maniacs[seat].decide(hand.view(seat))
        assert isinstance(action, Bet)
        raised.append(action.amount - owed)
        hand = hand.apply(action)
    assert raised == [10, 10, 10, 0] * 3


def test_tight_plays_blockhead_by_value() -> None:
    answers = [Tight(Random(1)).decide(last_street(hole, stack=-50)) for hole in ("2C", "5C", "KC")]
    assert answers == [Fold(), Bet(5), Bet(5)]
    ahead = last_street("KC", 0)._replace(up=parse_cards("3D 6D 10D 6H"))
    assert Tight(Random(1)).decide(ahead) == Bet(15)


def test_the_shipped_tables_are_small() -> None:
    assert tables.FILE.stat().st_size < 15_000_000
