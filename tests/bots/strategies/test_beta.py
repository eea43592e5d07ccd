"""Beta beats Alpha and breaks no rule of any variant; gamma learns from hands that are over; ``balance`` remembers."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.arena import play_game
from bots.strategies.alpha import Alpha, alpha_move
from bots.strategies.balance import Balance
from bots.strategies.beta import Beta, BetaChips
from bots.strategies.blockhead import tables
from bots.strategies.blockhead.action_memory import Memory
from bots.strategies.blockhead.best_answer import Exploit
from bots.strategies.blockhead.habits import Habits, kind
from bots.strategies.blockhead.near_equilibrium import BalanceTables
from bots.strategies.blockhead.turn_numbers import AHEAD, BEHIND, CALL, FOLD, LEVEL, MOVES, VALUES, Before, Sight, Spot
from bots.strategies.caller import Caller
from bots.strategies.gamma import Gamma
from bots.strategies.maniac import Maniac
from bots.strategies.random_bettor import RandomBettor
from bots.strategies.tight import Tight
from bots.strategy import Maker, Strategy, StrategyError
from protocol.cards import DECK, Card, parse_card, parse_cards
from protocol.estimates.intervals import Estimate
from protocol.games.base import Action, Bet, Fold
from protocol.games.blockhead import STREETS, BlockheadGame, BlockheadTurn, Ranks, card_value, deal
from protocol.installed_bots import load_bot
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo
from tests.bots.helpers import asked, estimate
from tests.protocol.helpers import decks, players

GAME = BlockheadGame()


def begins(game: BlockheadGame = GAME, players: int = 2) -> GameInfo:
    """What a player is told before a game."""
    facts = {"seat": 0, "players": players, **game.facts}
    return GameInfo(game.name, tuple((key, str(fact)) for key, fact in facts.items()))


def play_games(pair: Sequence[Strategy], games: int, seed: str, game: BlockheadGame = GAME) -> list[int]:
    """Chips that the first wins in each game; the two change seats after each."""
    gains = []
    for number in range(games):
        seat = number % 2
        seated = pair if seat == 0 else pair[::-1]
        hands = play_game(game, seated, seed_from_text(seed), number * game.hands + 1)
        gains.append(sum([hand.settlement.payoffs[seat] for hand in hands]))
    return gains


def gains_of(maker: Maker, other: Maker, games: int, seed: str = "test") -> list[int]:
    """The same, for new strategies."""
    return play_games([maker(Random(f"{seed}/one")), other(Random(f"{seed}/other"))], games, seed)


def chips_a_hand(gains: Sequence[float]) -> Estimate:
    """Chips won a hand, games being independent."""
    return estimate(gains).scaled(1 / GAME.hands)


def share_won(gains: Sequence[int]) -> Estimate:
    """The share of games won."""
    return estimate([gain > 0 for gain in gains])


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


# Gamma learns from hands that are over; ``balance`` remembers earlier streets; what a call is worth.

CALLED, BIG = MOVES.index(CALL), MOVES.index(10)
#: Raised by 10 on the last street, with as much in sight on both sides.
RAISED = Spot(STREETS, 100, (10,), 0)


def holding(value: int) -> list[float]:
    """The weights of a hole that was shown."""
    return [float(hole == value) for hole in range(11)]


def see(habits: Habits, spot: Spot, move: int, hole: int, times: int) -> None:
    """Hands in which the opponent made one move, and showed its hole."""
    for _ in range(times):
        habits.new_hand()
        habits.saw(spot, move)
        habits.hand_over(holding(hole))


def test_habits_are_used_against_strangers_only_and_kept_in_the_next_game() -> None:
    gamma = Gamma(Random(1))
    play_games([gamma, Alpha(Random(1))], 3, "alpha")
    assert gamma._habits.hands == 60
    assert gamma.trusts
    gamma = Gamma(Random(1))
    play_games([gamma, Caller(Random(1))], 2, "caller")
    gamma.game_begins(begins())
    assert gamma._habits.hands == 40
    assert gamma._habits.chances(RAISED)[CALLED][10] > 0.6, "the caller never raises what is good"


@pytest.mark.parametrize("street", [1, 2, 3])
def test_an_unknown_opponent_is_taken_to_play_like_alpha(street: int) -> None:
    """Far from every threshold of Alpha's, its move is nearly certain."""
    for diff, put_in in ((-20, ()), (25, ()), (-20, (0,)), (-25, (1,)), (30, (10,)), (-25, (0, 10))):
        spot = Spot(street, 30, put_in, diff)
        expected = alpha_move(street == STREETS, spot.prior, spot.pot, len(spot.sizes), 5 - diff)
        assert Habits().chances(spot)[kind(expected)][5] > 0.85


def test_habits_are_weighted_by_possible_cards() -> None:
    habits = Habits()
    before = habits.chances(RAISED)
    see(habits, RAISED, CALL, hole=3, times=50)
    after = habits.chances(RAISED)
    assert after[CALLED][3] > 0.9
    assert before[CALLED][3] < 0.5
    assert after[CALLED][10] == before[CALLED][10], "nothing was seen of strong cards"
    assert habits.explain([1.0] * 11) == [1.0] * 11, "no hand is under way"


@pytest.mark.parametrize(("seen", "other", "moves"), [(1, 2, 1), (2, 1, 1), (1, 3, 0), (3, 1, 0), (2, 3, 0)])
def test_streets_are_told_apart(seen: int, other: int, moves: int) -> None:
    """What is seen on one street says less of the other early street, and nothing of the last one."""
    # with a delta of -7 Alpha folds on every street
    habits, spot = Habits(), RAISED._replace(pot=30, diff=10)
    there, elsewhere = spot._replace(street=seen), spot._replace(street=other)
    before = habits.chances(elsewhere)[BIG][3]
    see(habits, there, 10, hole=3, times=20)
    assert habits.chances(there)[BIG][3] > 0.8
    assert (habits.chances(elsewhere)[BIG][3] - before > 0.1) == bool(moves)
    assert habits.chances(elsewhere)[BIG][3] < 0.8


def test_old_hands_are_forgotten() -> None:
    habits = Habits()
    see(habits, RAISED, 10, hole=3, times=320)
    see(habits, RAISED, CALL, hole=3, times=20)
    assert habits.chances(RAISED)[CALLED][3] > 0.7


def test_chances_add_up() -> None:
    habits = Habits()
    for luck in map(Random, range(200)):
        put_in = luck.choice(((), (0,), (1,), (10,), (0, 5), (10, 20), (10, 20, 20)))
        spot = Spot(luck.randint(1, 3), luck.randint(20, 300), put_in, luck.randint(-36, 36))
        see(habits, spot, luck.choice(MOVES[bool(put_in) ^ 1 :]), luck.randint(1, 10), 1)
        for chances in zip(*habits.chances(spot), strict=True):
            assert sum(chances) == pytest.approx(1)
            assert min(chances) >= 0


def test_a_hand_is_counted_once() -> None:
    habits = Habits()
    habits.saw(RAISED, CALL)
    habits.hand_over([1.0] * 11)
    after = habits.chances(RAISED)
    habits.hand_over([1.0] * 11)
    assert habits.chances(RAISED) == after


@pytest.mark.parametrize(("other", "tables"), [(Balance, True), (Maniac, False), (Caller, False)])
def test_who_plays_from_the_tables_is_recognised(other: type[Balance | Maniac | Caller], tables: bool) -> None:
    for number in range(3):
        gamma = Gamma(Random(number))
        play_games([gamma, other(Random(number))], 3, f"tables {number}")
        assert (gamma._odds > 0) == tables


class Nobody:
    """A watcher that looks at nothing."""

    def new_hand(self) -> None:
        """A hand begins."""

    def saw(self, spot: Spot, move: int) -> None:
        """The opponent moved."""


def sight(street: int, pot: int, put_in: tuple[int, ...]) -> Sight:
    """A turn with a 7 in the hole and as much in sight on both sides."""
    owed = 0
    for chips in put_in:
        owed = chips - owed
    return Sight(street, 1000, pot, owed, 7, 0, (7,), put_in, 10)


def after(*streets: tuple[tuple[int, ...], int], carry: int = 0) -> Before:
    """What is remembered after streets of which we know the bets before our last turn, and our move there."""
    memory, pot = Memory(Nobody()), 20 + carry
    for street, (put_in, move) in enumerate(streets, 1):
        turn = sight(street, pot + sum(put_in), put_in)
        memory.turn(turn)
        memory.moved(turn, move)
        pot += 2 * (sum(turn.sizes) + max(move, 0))
    memory.turn(sight(len(streets) + 1, pot, ()))
    return memory.before


@pytest.mark.parametrize(("size", "chips"), [(1, 1), (3, 1), (4, 10), (5, 10), (10, 10)])
def test_a_raise_counts_as_1_or_10_on_later_streets(size: int, chips: int) -> None:
    assert after(((), size)) == Before(1, chips)
    assert after(((size,), CALL)) == Before(1, chips)
    assert after(((0, size), CALL)) == Before(2, chips)


def test_streets_add_up_and_carried_chips_are_told_apart() -> None:
    # 3, raised by 5 and called; then both check
    assert after(((3,), 5), carry=40) == Before(2, 11, 40)
    assert after(((3,), 5), ((0,), CALL), carry=40) == Before(0, 11, 40)
    assert after(((), CALL), ((), 2)) == Before(1, 1)


@pytest.mark.parametrize(
    ("diff", "standing"),
    [(-30, BEHIND), (-4, BEHIND), (-3, LEVEL), (0, LEVEL), (3, LEVEL), (4, AHEAD), (30, AHEAD)],
)
@pytest.mark.parametrize("opens", [True, False])
def test_who_was_clearly_ahead_on_the_street_before_is_told_apart(diff: int, standing: int, opens: bool) -> None:
    """A difference is ours; what is remembered is how the opener stood."""
    memory = Memory(Nobody())
    turn = sight(1, 20, () if opens else (0,))._replace(diff=diff if opens else -diff)
    memory.turn(turn)
    memory.moved(turn, CALL)
    memory.turn(sight(2, 20, () if opens else (0,)))
    assert memory.before == Before(0, 0, standing=standing)


def test_a_raise_of_5_is_no_three_raises_of_1() -> None:
    """On later streets the hand is played as after a raise of 10, though 5 chips are nearer to 3 than to 10."""
    tables = BalanceTables(Random(0))
    weights = tables.weights(sight(2, 30, ()), after(((), 5)))
    assert weights == tables.weights(sight(2, 40, ()), Before(1, 10))
    assert weights != tables.weights(sight(2, 26, ()), Before(1, 3))


POT, OWED = 90, 10
#: The value of each card.
CARDS = [card_value(card) for card in DECK]


@lru_cache
def drawn(cards: int) -> Counter[int]:
    """How often each difference comes, when both draw so many cards from decks without end."""
    if not cards:
        return Counter({0: 1})
    one = Counter(mine - other for mine, other in product(CARDS, CARDS))
    ways: Counter[int] = Counter()
    for (before, times), (more, of_one) in product(drawn(cards - 1).items(), one.items()):
        ways[before + more] += times * of_one
    return ways


@lru_cache
def share(cards: int, margin: int) -> Fraction:
    """The share of the pot to expect with so many cards to come for each; a tie counts half."""
    won = sum((2 * (margin + more > 0) + (margin + more == 0)) * times for more, times in drawn(cards).items())
    return Fraction(won, 2 * 52 ** (2 * cards))


@pytest.mark.parametrize("street", [1, 2, 3])
def test_worth_of_a_call_with_every_difference_and_hole_card(street: int) -> None:
    habits = Habits()
    for diff, hole, other in product(range(-9 * (street + 1), 9 * (street + 1) + 1), VALUES, VALUES):
        turn = Sight(street, 1000, POT, OWED, hole, diff, (), (OWED,), 10)
        values = Exploit(turn, [float(value == other) for value in range(11)], habits).values()
        expected = share(STREETS - street, diff + hole - other) * (POT + OWED) - OWED
        assert values[CALL] == pytest.approx(float(expected), abs=1e-6)
        assert values[FOLD] == 0
