"""A Gymnasium environment: one learner at a table of house bots."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import gymnasium
from gymnasium import spaces

from bots.environments.encoding import Floats
from bots.environments.table import RENDER_MODES, LearnersTable, check_render_mode, new_bot
from protocol.games.base import IllegalAction
from protocol.games.game import Game

#: For ``gymnasium.make``, once this module is imported; ``"bots.environments.single:casino/Seat-v0"`` imports it.
ENVIRONMENT_ID = "casino/Seat-v0"

#: What an illegal action does: it gives up the hand, or it is an error.
Illegal = Literal["concede", "error"]


class SeatEnv(gymnasium.Env[Floats, Any]):
    """One seat of a game. An observation is float32, as the game's encoding has it, and a reward is chips.

    ``info`` has the ``action_mask`` while the learner must act, and after a reset ``won_unasked``, the chips of hands
    that the bots ended before it was asked. Gymnasium knows no masks, and its tools try any action. So an illegal one
    gives up the hand, as at a dealer, ends the episode, and ``info["illegal"]`` says why.

    Args:
        game: its name, for its usual options, or the game itself.
        opponents: names of house bots, in seat order behind the learner.
        seat: of the learner; None to draw it for each episode.
        hands: of an episode, at most; None to play on until the game or the match is over.
        illegal: "error" to raise an IllegalAction instead.
        render_mode: "ansi", to let ``render`` give the table as text.

    Raises:
        LookupError: there is no such game or bot, or the bot plays other games.
        ValueError: a number of players, hands or a seat that cannot be, or another word for ``illegal`` or
            ``render_mode``.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 1}  # noqa: RUF012 - Gymnasium's

    def __init__(
        self,
        game: str | Game,
        opponents: Sequence[str] = ("caller",),
        *,
        seat: int | None = None,
        hands: int | None = 1,
        illegal: Illegal = "concede",
        render_mode: str | None = None,
    ) -> None:
        if illegal not in get_args(Illegal):
            raise ValueError(f"illegal: expected {' or '.join(map(repr, get_args(Illegal)))}, got {illegal!r}")
        check_render_mode(render_mode)
        self._table = LearnersTable(game, 1 + len(opponents), hands)
        if seat is not None:
            self._table.check_seat(seat)
        self._opponents, self._fixed, self._illegal = tuple(opponents), seat, illegal
        self._seat, self._over = seat or 0, True
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = self._table.observation_space()
        self.action_space: spaces.Space[Any] = self._table.action_space()
        self._new_bots()

    def _new_bots(self) -> None:
        self._bots = [new_bot(name, self._table.game.name, self.np_random) for name in self._opponents]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begin another episode.

        Args:
            seed: all chance follows from it; and house bots forget what they have learnt. None to go on.
            options: none are known.

        Raises:
            ArenaError: a house bot broke the rules or failed.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._new_bots()
        players = self._table.players
        self._seat = int(self.np_random.integers(players)) if self._fixed is None else self._fixed
        bots = {(self._seat + 1 + number) % players: bot for number, bot in enumerate(self._bots)}
        self._table.begin(bots, self.np_random)
        self._over = False
        return self._observation(), {**self._info(), "won_unasked": self._table.unasked[self._seat]}

    def step(self, action: int) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Act; the bots act until the learner is asked again or the episode is over.

        Raises:
            IllegalAction: the action is not legal now, and the environment was made with ``illegal="error"``.
            ResetNeeded: the episode is over.
            ArenaError: a house bot broke the rules or failed.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset() before the next step()")
        illegal = {}
        try:
            self._table.act(action)
        except IllegalAction as error:
            if self._illegal == "error":
                raise
            illegal = {"illegal": str(error)}
            self._table.episode.concede()
        episode = self._table.episode
        self._over = episode.asked is None or bool(illegal)
        return self._observation(), float(episode.payoffs[self._seat]), self._over, False, {**self._info(), **illegal}

    def _observation(self) -> Floats:
        return self._table.observation(self._seat)

    def _info(self) -> dict[str, Any]:
        return {} if self._over else {"action_mask": self._table.mask()}

    def render(self) -> str | None:
        """The table as every spectator sees it; None without the render mode."""
        return self._table.text() if self.render_mode == "ansi" else None


gymnasium.register(ENVIRONMENT_ID, entry_point=f"{__name__}:SeatEnv")
