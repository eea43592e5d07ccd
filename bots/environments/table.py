"""A table where learners sit with house bots: what the environments of PettingZoo and Gymnasium share."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces

from bots.arena import ArenaError
from bots.environments.encoding import Floats, Mask, choose, mask_of, observe
from bots.environments.lookup import load_encoding
from bots.strategy import Strategy, StrategyError, answer, tell
from protocol.games.base import Action, Hand, IllegalAction, Turn
from protocol.games.game import Game
from protocol.games.match import Match
from protocol.games.registry import load_game
from protocol.installed_bots import load_bot
from protocol.shuffle import SEED_BYTES
from protocol.wire.messages import GameInfo

#: Forms in which the table can be rendered: "ansi" is text.
RENDER_MODES = ("ansi",)

#: Episodes in a row that may end before a learner is asked; a bot that folds them all leaves nothing to learn.
MOST_UNASKED = 1000


class NothingToLearnError(Exception):
    """Episode after episode ended before a learner was asked."""


def check_render_mode(mode: str | None) -> None:
    """Make sure that the table can be rendered so; None is not to render it.

    Raises:
        ValueError: it cannot.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode: expected {' or '.join(map(repr, RENDER_MODES))}, or None, got {mode!r}")


class LearnersTable:
    """One episode after the other of a game, at one table.

    Args:
        game: its name, for its usual options, or the game itself.
        hands: of an episode, at most; None to play on until the match is over.

    Attributes:
        unasked: chips that each player won in hands that ended before a learner was asked, since the last reset.

    Raises:
        LookupError: there is no such game, or its encoding cannot be loaded.
        ValueError: the game is not for so many players, or an episode has no hands.
    """

    def __init__(self, game: str | Game, players: int, hands: int | None) -> None:
        if hands is not None and hands < 1:
            raise ValueError(f"an episode has at least one hand, got {hands}")
        self.game = load_game(game)() if isinstance(game, str) else game
        self.players = players
        self.encoding = load_encoding(self.game, players)
        self._hands = hands
        self.unasked = [0] * players
        self.episode: Episode
        self._asked: tuple[Turn | None, Sequence[Action | None]] = None, ()

    def observation_space(self) -> spaces.Box:
        """A new space for observations: float32, with the bounds of each number."""
        layout = self.encoding.layout
        sizes = [entry.size for entry in layout]
        low, high = (
            np.repeat([entry.low for entry in layout], sizes),
            np.repeat([entry.high for entry in layout], sizes),
        )
        return spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)

    def action_space(self) -> spaces.Discrete[Any]:
        return spaces.Discrete(len(self.encoding.actions))

    def check_seat(self, seat: int) -> None:
        """Make sure that there is such a seat.

        Raises:
            ValueError: there is no such seat.
        """
        if seat not in range(self.players):
            raise ValueError(f"seats are numbered from 0 to {self.players - 1}, got {seat}")

    def begin(self, bots: Mapping[int, Strategy], chance: np.random.Generator) -> None:
        """Begin another episode, at the first question to a learner.

        Args:
            bots: the house bots, by player.
            chance: gives the seed of the episode.

        Raises:
            ArenaError: a house bot broke the rules or failed.
            NothingToLearnError: no learner was ever asked.
        """
        self.unasked = [0] * self.players
        for _ in range(MOST_UNASKED):
            self.episode = Episode(self.game, self.players, bots, chance.bytes(SEED_BYTES), self._hands)
            if self.episode.asked is not None:
                return
            self.unasked = [had + won for had, won in zip(self.unasked, self.episode.payoffs, strict=True)]
        raise NothingToLearnError(f"{MOST_UNASKED} episodes ended before a learner was asked")

    def act(self, number: Any) -> None:
        """Let the learner who must act choose an action by its number.

        Raises:
            IllegalAction: it is not legal now; the text lists the actions that are.
            ArenaError: a house bot broke the rules or failed.
        """
        self.episode.act(choose(self.encoding.actions, self._choices(), number))

    def observation(self, player: int) -> Floats:
        return observe(self.encoding, *self.episode.seen_by(player))

    def mask(self) -> Mask:
        """A new mask for the learner who must act."""
        return mask_of(self._choices())

    def _choices(self) -> Sequence[Action | None]:
        """The actions of the question under way by number, which both the mask and the answer need."""
        asked, choices = self._asked
        if asked is not self.episode.turn:
            choices = self.encoding.choices(self.episode.turn)
            self._asked = self.episode.turn, choices
        return choices

    def text(self) -> str:
        """The table as every spectator sees it, in a few lines."""
        public = self.episode.hand.public()
        lines = [f"{self.game.title}, street {public.street}, pot {public.pot}"]
        if public.board:
            lines.append(f"board: {' '.join(piece.text for piece in public.board)}")
        for number, seat in enumerate(public.seats):
            state = "to act" if number == public.to_act else "in" if seat.live else "folded"
            up = f", shows {' '.join(piece.text for piece in seat.up)}" if seat.up else ""
            lines.append(f"seat {number}: {seat.stack} chips, {seat.put} put in, {state}{up}")
        return "\n".join(lines)


class Episode:
    """A match until it is over or a number of hands is played.

    Args:
        bots: the house bots, by player. All other players are learners.
        seed: all chance of the cards follows from it.
        hands: to play at most; None to play on until the match is over.

    Attributes:
        asked: the learner who must act now; None when the episode is over.
        hand: the one under way, or the last one.
        payoffs: chips that each player has won in the hands that ended since the last action.
        out: the players who are in no later hand.

    Raises:
        ArenaError: a house bot broke the rules or failed.
    """

    def __init__(self, game: Game, players: int, bots: Mapping[int, Strategy], seed: bytes, hands: int | None) -> None:
        self._game, self._bots, self._seed, self._hands = game, bots, seed, hands
        self._match: Match = game.start(players)
        self._number = 0
        self._last: dict[int, tuple[Hand, int]] = {}  # by learner, where it had a seat before it acted last
        self._turn: Turn
        self.asked: int | None = None
        self.payoffs = [0] * players
        self.out: set[int] = set()
        self.hand: Hand
        if game.announced:
            for player, bot in bots.items():
                self._tell(player, bot, GameInfo.about(game, player, players))
        self._deal()
        self._run()

    @property
    def turn(self) -> Turn:
        """The question to the learner who must act."""
        assert self.asked is not None, "the episode is over"
        return self._turn

    def seen_by(self, player: int) -> tuple[Turn, int]:
        """What a learner may know now, and its seat; where it has folded or left, what it was told last."""
        if player == self.asked:
            return self._turn, self._seated.index(player)
        hand, seat = self._last[player]
        if player in self._seated and (now := self._seated.index(player)) in self.hand.live:
            hand, seat = self.hand, now
        return hand.view(seat), seat

    def act(self, action: Action) -> None:
        """Let the learner who must act choose.

        Raises:
            IllegalAction: the rules forbid it; the learner may choose again.
            ArenaError: a house bot broke the rules or failed.
        """
        after = self.hand.apply(action)
        self._go_on(after)

    def concede(self) -> None:
        """Let the learner who must act give up the hand, as a dealer does with a bot that breaks the rules.

        Raises:
            ArenaError: a house bot broke the rules or failed.
        """
        self._go_on(self.hand.concede())

    def _go_on(self, after: Hand) -> None:
        assert self.asked is not None, "the episode is over"
        self._last[self.asked] = self.hand, self._seated.index(self.asked)
        self.payoffs = [0] * len(self.payoffs)
        self.hand = after
        self._run()

    def _deal(self) -> None:
        self._number += 1
        self._seated: Sequence[int] = self._match.seated
        drawn = self._game.chance.draw(self._seed, 0, self._number)
        self.hand = self._match.deal(self._game.chance.outcome(drawn))
        for seat, player in enumerate(self._seated):
            if player not in self._bots and seat in self.hand.live:
                self._last[player] = self.hand, seat

    def _run(self) -> None:
        """Let house bots act and deal further hands, until a learner must act or the episode is over."""
        while True:
            seat = self.hand.to_act
            if seat is None:
                if self._settled():
                    self.asked = None
                    return
                self._deal()
            elif (player := self._seated[seat]) in self._bots:
                self._ask(player, seat)
            else:
                self.asked, self._turn = player, self.hand.view(seat)
                return

    def _ask(self, player: int, seat: int) -> None:
        try:
            self.hand = self.hand.apply(answer(self._bots[player], self.hand.view(seat)))
        except (StrategyError, IllegalAction) as error:
            raise ArenaError(player, self._number, str(error)) from error.__cause__

    def _settled(self) -> bool:
        """Pay out the finished hand; whether it was the last one."""
        settlement = self.hand.settle()
        for player, payoff, status in zip(self._seated, settlement.payoffs, settlement.statuses(), strict=True):
            self.payoffs[player] += payoff
            if player in self._bots:
                self._tell(player, self._bots[player], status)
        self._match = self._match.record(settlement)
        sitting = {*self._match.seated, *self._match.waiting}
        self.out = set(range(len(self.payoffs))) - sitting
        return self._match.over or self._number == self._hands or self.out.issuperset(self._learners)

    @property
    def _learners(self) -> set[int]:
        return set(range(len(self.payoffs))) - set(self._bots)

    def _tell(self, player: int, bot: Strategy, news: object) -> None:
        try:
            tell(bot, news)
        except StrategyError as error:
            raise ArenaError(player, self._number, str(error)) from error.__cause__


def new_bot(name: str, game: str, chance: np.random.Generator) -> Strategy:
    """A house bot for a game, whose own chance comes from ``chance``.

    Raises:
        LookupError: there is no such bot, or it plays other games.
    """
    bot: Strategy = load_bot(name, game)(Random(chance.bytes(SEED_BYTES)))
    return bot
