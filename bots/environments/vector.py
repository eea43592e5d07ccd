"""Thousands of tables of one game at once, for two players, in compiled code: blockhead, stud and heads-up hold'em.

    tables = VectorTables("stud", 4096, seed=1)
    observations, masks = tables.reset()
    while learning:
        actions = policy(observations, masks, tables.to_act)     # int (4096,), for the seat to act of each table
        observations, masks, payoffs, ended = tables.step(actions)

Where a hand has ended, the next one has been dealt. Tests hold every step equal to the rules.
"""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.environments.kernels.dealing import first_illegal
from bots.environments.lookup import load_encoding
from protocol.cards import DECK
from protocol.games.base import IllegalAction
from protocol.games.kernels.blockhead import new_chance
from protocol.games.registry import load_game

#: The games that can be played so.
GAMES = ("blockhead", "holdem", "stud")


class VectorTables:
    """Tables of two players, all of which act at once. All hands begin with equal stacks.

    The arrays that it gives are its own, and the next step writes into them: copy what you keep.

    Args:
        game: one of ``GAMES``, with its usual options; hands of blockhead are games of one hand each.
        seed: all cards follow from it.

    Attributes:
        to_act: int32 (tables,): the seat that must act, 0 or 1.
        observations: float32 (tables, size): what it is told, as the game's encoding for two players has it.
        masks: int8 (tables, actions): which actions are legal for it.
        cards: int8 (tables, cards): those of the hand under way by index in ``DECK``, as the rules deal a deck.

    Raises:
        ValueError: a game that cannot be played so, or no table.
    """

    def __init__(self, game: str, tables: int, seed: int = 0) -> None:
        if game not in GAMES:
            raise ValueError(f"there are vectorised tables of {', '.join(GAMES)}, not of {game}")
        if tables < 1:
            raise ValueError(f"expected at least one table, got {tables}")
        self._kernel: Any = import_module(f"bots.environments.kernels.{game}")
        self.encoding = load_encoding(load_game(game)(), 2)
        self.observations = np.zeros((tables, self._kernel.SIZE), np.float32)
        self.masks = np.zeros((tables, self._kernel.ACTIONS), np.int8)
        self.cards = np.zeros((tables, self._kernel.CARDS), np.int8)
        self._state = np.zeros((tables, self._kernel.FIELDS), np.int32)
        self._payoffs = np.zeros((tables, 2), np.float32)
        self._ended = np.ones(tables, np.bool_)
        self.to_act: NDArray[np.int32] = self._state[:, self._kernel.TO_ACT]
        self.reset(seed)

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Begin a new hand at every table.

        Args:
            seed: all cards follow from it; None to go on with the chance there was.

        Returns:
            ``observations`` and ``masks``.
        """
        if seed is not None:
            self._chance = new_chance(np.uint64(seed % 2**64))
            self._deck = np.arange(len(DECK), dtype=np.int8)
            # Half of the tables begin with each opener or button, which change from hand to hand.
            self._state[:] = (np.arange(len(self._state)) % 2)[:, None]
        self._ended[:] = True
        self._go_on()
        return self.observations, self.masks

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[np.float32], NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_]]:
        """Let the seat to act of every table choose.

        Args:
            actions: whole numbers (tables,), each legal at its table.

        Returns:
            ``observations``, ``masks``, the payoffs by seat in chips, float32 (tables, 2) and 0 where the hand goes
            on, and where a hand has ended, bool (tables,).

        Raises:
            IllegalAction: an action is not legal now; nothing has been played.
            ValueError: the array has another shape or no whole numbers.
        """
        chosen = np.asarray(actions)
        if chosen.shape != self._ended.shape or not np.issubdtype(chosen.dtype, np.integer):
            expected = f"whole numbers of shape {self._ended.shape}"
            raise ValueError(f"expected {expected}, got {chosen.dtype} of shape {chosen.shape}")
        chosen = chosen.astype(np.int64, copy=False)
        if (table := first_illegal(self.masks, chosen)) >= 0:
            raise IllegalAction(self._why_illegal(table, int(chosen[table])))
        self._kernel.play(self._state, self.cards, chosen, self._payoffs, self._ended)
        self._go_on()
        return self.observations, self.masks, self._payoffs, self._ended

    def _go_on(self) -> None:
        """Deal where a hand has ended, and tell everybody."""
        self._kernel.deal(self._state, self.cards, self._ended, self._deck, self._chance)
        self._kernel.tell(self._state, self.cards, self.observations, self.masks)

    def _why_illegal(self, table: int, action: int) -> str:
        names = self.encoding.actions
        legal = ", ".join(f"{number} ({name})" for number, name in enumerate(names) if self.masks[table, number])
        wanted = f"{action} ({names[action]})" if 0 <= action < len(names) else str(action)
        return f"table {table}: action {wanted} is not legal now; legal are {legal}"
