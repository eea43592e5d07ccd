"""Episodes of many hands, house bots at the table, seats, and what is refused.

Compiled tables play by the rules, step by step, and say what is wrong with an action.
"""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

from bots.arena import ArenaError
from bots.environments.aec import TableEnv
from bots.environments.encoding import CALL_ACTION, FOLD_ACTION, mask_of, observe
from bots.environments.single import ENVIRONMENT_ID, SeatEnv
from bots.environments.table import NothingToLearnError
from bots.environments.vector import GAMES, VectorTables
from bots.strategy import Strategy
from protocol.cards import DECK
from protocol.games import blockhead, holdem_deal, stud
from protocol.games.base import FOLD, Bet, Hand, IllegalAction
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import HoldemGame
from protocol.games.registry import load_game
from protocol.games.stud import StudGame
from protocol.installed_bots import title_of
from tests.bots.helpers import Scripted


def sit_down(monkeypatch: pytest.MonkeyPatch, bot: Strategy) -> None:
    """Let every house bot be this one."""
    monkeypatch.setattr("bots.environments.table.load_bot", lambda *_name: lambda _rng: bot)


def play_out(env: TableEnv) -> dict[str, float]:
    """Call to the end of the episode: what each agent has won."""
    won = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last()
        won[agent] += reward
        env.step(None if terminated else 1)
    return won


def test_with_all_chips_in_the_ante_there_is_nothing_to_learn() -> None:
    env = TableEnv(StudGame(stack=3, ante=3), hands=None)
    with pytest.raises(NothingToLearnError, match=r"^1000 episodes ended before a learner was asked$"):
        env.reset(seed=2)


def test_players_who_are_out_terminate_before_the_others() -> None:
    env = TableEnv(StudGame(stack=12), 4, hands=None)
    left = []
    for seed in range(20):
        env.reset(seed=seed)
        won = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            _, reward, terminated, _, info = env.last()
            won[agent] += reward
            if terminated:
                left.append(len(env.agents))
            env.step(None if terminated else int(np.flatnonzero(info["action_mask"])[-1]))
        assert sorted(won.values()) == [-12, -12, -12, 36]
    assert {1, 2, 3, 4} == set(left)


def test_an_episode_has_as_many_hands_as_agreed() -> None:
    bot = Scripted(lambda turn: Bet(turn.owed))
    with pytest.MonkeyPatch.context() as patch:
        sit_down(patch, bot)
        env = TableEnv(BlockheadGame(), bots={1: "it"}, hands=7)
        env.reset(seed=1)
        won = play_out(env)
    assert len(bot.statuses) == 7
    assert len(bot.infos) == 1
    assert bot.infos[0]["seat"] == "1"
    assert list(won) == ["player_0"]


def test_same_seed_same_episodes_with_house_bots() -> None:
    one, other = (TableEnv("stud", 3, bots={0: "random", 2: "random"}, hands=5) for _ in range(2))
    for env in (one, other):
        env.reset(seed=9)
    assert play_out(one) == play_out(other)
    for env in (one, other):
        env.reset()
    np.testing.assert_array_equal(one.observe("player_1"), other.observe("player_1"))


def test_the_learner_takes_every_seat_in_turn_or_its_own() -> None:
    env = SeatEnv("holdem", ["caller", "tight"])
    seats: set[int] = set()
    for _ in range(40):
        observation, _ = env.reset(seed=None if seats else 3)
        seats.add(env._seat)
        # the place of the button, from the own seat on, says where it sits
        assert observation[6 + 3 * 3 :][:3].sum() == 1
    assert seats == {0, 1, 2}
    fixed = SeatEnv("holdem", ["caller", "tight"], seat=2)
    fixed.reset(seed=1)
    assert fixed._seat == 2


def test_hands_that_end_before_a_question_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    sit_down(monkeypatch, Scripted(lambda _turn: FOLD))
    env = SeatEnv("stud", ["folds"])
    told = []
    for seed in range(12):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].sum() > 2
        told.append(info["won_unasked"])
    assert 0 in told  # the learner opened
    assert max(told) >= 1  # the bot opened, and gave its ante away
    with pytest.raises(NothingToLearnError, match="1000 episodes ended before a learner was asked"):
        SeatEnv("dice", ["folds"], seat=1).reset(seed=1)


def test_illegal_action_gives_up_the_hand_and_says_why() -> None:
    env = SeatEnv("blockhead")
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (-10.0, True, False)
    assert info["illegal"].startswith("action 0 (fold) is not legal now; legal are 1 (check or call), 2 (raise by 1)")
    assert "action_mask" not in info
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(1)
    strict = SeatEnv("blockhead", illegal="error")
    strict.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"^action 0 "):
        strict.step(0)
    strict.step(1)


OTHER_GAME = r"^the bot 'equity' plays .*holdem.*, not stud$"
MODE = r"^render_mode: expected 'ansi', or None, got 'human'$"


def made(**options: Any) -> object:
    return gymnasium.make(ENVIRONMENT_ID, game="stud", **options)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: TableEnv("stud", 1), ValueError, r"^stud is for 2 to 17 players, not for 1$"),
        (lambda: TableEnv("stud", hands=0), ValueError, r"^an episode has at least one hand, got 0$"),
        (lambda: TableEnv("stud", bots={2: "caller"}), ValueError, r"^seats are numbered from 0 to 1, got 2$"),
        (lambda: TableEnv("stud", bots={0: "caller", 1: "tight"}), ValueError, "leave one for a learner"),
        (lambda: TableEnv("stud", bots={0: "nobody"}), LookupError, "^there is no bot 'nobody'"),
        (lambda: TableEnv("whist"), LookupError, "^there is no game 'whist'"),
        (lambda: SeatEnv("dice", ["caller", "caller"]), ValueError, r"^dice is for 2 players, not for 3$"),
        (lambda: SeatEnv("stud", render_mode="human"), ValueError, MODE),
        (lambda: TableEnv("stud", render_mode="human"), ValueError, MODE),
        (lambda: SeatEnv("dice", seat=2), ValueError, r"^seats are numbered from 0 to 1, got 2$"),
        (lambda: TableEnv("stud", players=2, bots={0: "equity"}), LookupError, OTHER_GAME),
        (lambda: SeatEnv("stud", ["equity"]), LookupError, OTHER_GAME),
        (lambda: made(opponents=["equity"]), LookupError, OTHER_GAME),
        (lambda: made(illegal="eror"), ValueError, r"^illegal: expected 'concede' or 'error', got 'eror'$"),
    ],
)
def test_what_cannot_be_is_refused(make: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make()


def test_house_bots_that_break_the_rules_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    sit_down(monkeypatch, Scripted(lambda _turn: Bet(999)))
    env = TableEnv("stud", bots={1: "wreck"})
    env.reset(seed=3)
    with pytest.raises(ArenaError, match=r"^you bet 999") as caught:
        env.step(1)
    assert caught.value.player == 1


def test_render_shows_the_public_table_only() -> None:
    env = TableEnv("stud", render_mode="ansi")
    env.reset(seed=1)
    text = env.render() or ""
    hand = env._table.episode.hand
    assert text.startswith("three-card stud, street 1, pot 2\nseat 0: 499 chips")
    assert all(hand.hole(seat)[0].text not in text.split() for seat in range(2))
    assert TableEnv("stud").render() is None
    assert title_of("caller") == "caller"


def test_reset_does_not_read_the_installed_packages_again(monkeypatch: pytest.MonkeyPatch) -> None:
    env = SeatEnv("stud", ("caller", "tight"))
    monkeypatch.setattr("importlib.metadata.distributions", lambda: pytest.fail("packages are read again"))
    env.reset(seed=1)


TABLES = 48
STEPS = 250
MORE = pytest.mark.parametrize("seed", [1, *[pytest.param(seed, marks=pytest.mark.heavy) for seed in range(2, 12)]])


def deal_by_the_rules(game: str, cards: NDArray[np.int8], to_act: int) -> Hand:
    """The hand that a compiled table has dealt, whose first seat to act is that of its opener or button."""
    first = [DECK[card] for card in cards]
    deck = (*first, *[card for card in DECK if card not in first])
    stack = load_game(game)().stack
    if game == "stud":
        return stud.deal(deck, (stack, stack))
    if game == "blockhead":
        return blockhead.deal(deck, (stack, stack), to_act, last=True)
    rules = HoldemGame()
    blinds = (rules.small_blind, rules.big_blind) if to_act == 0 else (rules.big_blind, rules.small_blind)
    return holdem_deal.deal(deck, (stack, stack), rules.bets, button=to_act, blinds=blinds)


def random_actions(masks: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    """Legal actions: at half of the tables folds are rare, so that hands come to a showdown."""
    weights = chance.random(masks.shape) * masks
    weights[::2, FOLD_ACTION] *= 0.3
    weights[1::2, CALL_ACTION] *= 3
    weights[::8, -1] *= 30  # the largest raise, until stacks are gone
    return np.asarray(weights.argmax(axis=1))


@MORE
@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_that_of_the_rules(game: str, seed: int) -> None:
    tables = VectorTables(game, TABLES, seed)
    encoding, chance = tables.encoding, np.random.default_rng(seed)
    hands = [deal_by_the_rules(game, tables.cards[table], tables.to_act[table]) for table in range(TABLES)]
    ended_hands, showdowns = 0, 0
    for _ in range(STEPS):
        for table, hand in enumerate(hands):
            seat = hand.to_act
            assert seat is not None
            assert seat == tables.to_act[table]
            turn = hand.view(seat)
            np.testing.assert_array_equal(tables.observations[table], observe(encoding, turn, seat))
            np.testing.assert_array_equal(tables.masks[table], mask_of(encoding.choices(turn)))
        actions = random_actions(tables.masks, chance)
        chosen: list[Any] = [
            encoding.choices(hand.view(hand.to_act or 0))[action] for hand, action in zip(hands, actions, strict=True)
        ]
        hands = [hand.apply(action) for hand, action in zip(hands, chosen, strict=True)]
        _, _, payoffs, ended = tables.step(actions)
        for table, hand in enumerate(hands):
            assert ended[table] == (hand.to_act is None)
            settled = hand.settle().payoffs if ended[table] else (0, 0)
            assert tuple(payoffs[table]) == settled
            if ended[table]:
                ended_hands += 1
                showdowns += len(hand.live) > 1
                hands[table] = deal_by_the_rules(game, tables.cards[table], tables.to_act[table])
    assert showdowns > 100
    assert ended_hands - showdowns > 100


@pytest.mark.parametrize("game", GAMES)
def test_same_seed_deals_the_same_cards(game: str) -> None:
    one, other = VectorTables(game, 8, seed=5), VectorTables(game, 8, seed=6)
    assert not np.array_equal(one.cards, other.cards)
    one.step(np.ones(8, np.int8))
    observations, masks = one.reset(6)
    np.testing.assert_array_equal(one.cards, other.cards)
    np.testing.assert_array_equal(observations, other.observations)
    np.testing.assert_array_equal(masks, other.masks)


def test_cards_are_dealt_evenly() -> None:
    tables = VectorTables("blockhead", 5000, seed=3)
    counts = np.zeros(len(DECK))
    for _ in range(20):
        counts += np.bincount(tables.cards.ravel(), minlength=len(DECK))
        tables.reset()
        assert all(len(set(hand)) == len(hand) for hand in tables.cards[:50].tolist())
    expected = counts.sum() / len(DECK)
    # the sum is distributed as chi-squared with 51 degrees of freedom, which has 5 times its standard deviation at 102
    assert ((counts - expected) ** 2 / expected).sum() < 102


def test_each_seat_opens_half_of_the_hands() -> None:
    tables = VectorTables("holdem", 100, seed=3)
    assert tables.to_act.sum() == 50
    before = tables.to_act.copy()
    tables.step(np.full(100, FOLD_ACTION))
    np.testing.assert_array_equal(tables.to_act, 1 - before)


def test_illegal_actions_are_named_and_change_nothing() -> None:
    tables = VectorTables("blockhead", 3, seed=1)
    before = tables.observations.copy()
    with pytest.raises(IllegalAction, match=r"^table 1: action 0 \(fold\) is not legal now; legal are 1 \(check or"):
        tables.step(np.array([1, 0, 1]))
    with pytest.raises(IllegalAction, match=r"^table 2: action 12 is not legal now"):
        tables.step(np.array([1, 1, 12]))
    np.testing.assert_array_equal(tables.observations, before)


def test_what_cannot_be_played_so() -> None:
    for actions in (np.ones(2, np.int64), np.ones(3), [[1, 1, 1]]):
        with pytest.raises(ValueError, match=r"^expected whole numbers of shape \(3,\), got "):
            VectorTables("blockhead", 3).step(actions)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^there are vectorised tables of blockhead, holdem, stud, not of dice$"):
        VectorTables("dice", 3)
    with pytest.raises(ValueError, match=r"^expected at least one table, got 0$"):
        VectorTables("stud", 0)
