"""Every game as a PettingZoo environment: the learners are asked in turn, and house bots may sit among them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from bots.environments.encoding import Floats
from bots.environments.table import RENDER_MODES, LearnersTable, check_render_mode, new_bot
from bots.strategy import Strategy
from protocol.games.game import Game


class TableEnv(AECEnv[str, Floats, int]):
    """A table of one game. Agents are ``player_0``, ``player_1`` and so on, in the order of the seats.

    An observation is float32, as the game's encoding has it. ``infos`` of the agent to act has its ``action_mask``; and
    after a reset ``won_unasked`` of each agent, the chips of hands that house bots ended before any agent was asked. A
    reward is the chips won in hands that ended. All agents that are left terminate at the end of an episode, and an
    agent that can play no more terminates before.

    Args:
        game: its name, for its usual options, or the game itself.
        bots: names of the house bots that sit there, by seat.
        hands: of an episode, at most; None to play on until the game or the match is over.
        render_mode: "ansi", to let ``render`` give the table as text.

    Raises:
        LookupError: there is no such game or bot, or the bot plays other games.
        ValueError: a number of players, hands or a seat that cannot be, or another word for ``render_mode``.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "is_parallelizable": False}  # noqa: RUF012 - PettingZoo's

    def __init__(
        self,
        game: str | Game,
        players: int = 2,
        *,
        bots: Mapping[int, str] | None = None,
        hands: int | None = 1,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self._table = LearnersTable(game, players, hands)
        self._names = dict(bots or {})
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"casino_{self._table.game.name}_v0"}
        for seat in self._names:
            self._table.check_seat(seat)
        if len(self._names) == players:
            raise ValueError("house bots have all seats; leave one for a learner")
        self._players = {f"player_{seat}": seat for seat in range(players) if seat not in self._names}
        self.possible_agents = list(self._players)
        self._observation_spaces = {agent: self._table.observation_space() for agent in self._players}
        self._action_spaces = {agent: self._table.action_space() for agent in self._players}
        self._chance = np.random.default_rng()
        self._bots: dict[int, Strategy] = {}
        self._seat_bots()

    def _seat_bots(self) -> None:
        self._bots = {seat: new_bot(name, self._table.game.name, self._chance) for seat, name in self._names.items()}

    def observation_space(self, agent: str) -> spaces.Box:
        """See PettingZoo."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """See PettingZoo."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another episode.

        Args:
            seed: all chance follows from it; and house bots forget what they have learnt. None to go on.
            options: none are known.

        Raises:
            ArenaError: a house bot broke the rules or failed.
        """
        if seed is not None:
            self._chance = np.random.default_rng(seed)
            self._seat_bots()
        self._table.begin(self._bots, self._chance)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._show()
        for agent in self.agents:
            self.infos[agent]["won_unasked"] = self._table.unasked[self._players[agent]]

    def step(self, action: int | None) -> None:
        """Let the agent to act choose; None for one that has terminated.

        Raises:
            IllegalAction: the action is not legal now; the text lists those that are. The agent may choose again.
            ArenaError: a house bot broke the rules or failed.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._table.act(action)
        self._cumulative_rewards[agent] = 0.0
        for other in self.agents:
            self.rewards[other] = float(self._table.episode.payoffs[self._players[other]])
        self._accumulate_rewards()
        self._show()

    def _show(self) -> None:
        """Tell who must act, who is out, and what is legal."""
        episode = self._table.episode
        over = episode.asked is None
        self.terminations = {agent: over or self._players[agent] in episode.out for agent in self.agents}
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if not over:
            self.agent_selection = f"player_{episode.asked}"
            self.infos[self.agent_selection]["action_mask"] = self._table.mask()
        self._deads_step_first()

    def observe(self, agent: str) -> Floats:
        """What an agent may know now; where it has folded or is out, what it was told last."""
        return self._table.observation(self._players[agent])

    def render(self) -> str | None:
        """The table as every spectator sees it; None without the render mode."""
        return self._table.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""
