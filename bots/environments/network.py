"""A small neural network in numpy: what each action is worth, from an observation."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.environments.encoding import Floats

#: Of Adam (Kingma and Ba, 2015), as its authors propose.
MEAN_DECAY, SQUARE_DECAY, TINY = 0.9, 0.999, 1e-8


class Network(NamedTuple):
    """Two layers of weights with rectified units between them; all float32.

    Attributes:
        scale: (size,): what each number of an observation is divided by.
        first, first_bias: (size, units) and (units,).
        second, second_bias: (units, actions) and (actions,).
    """

    scale: Floats
    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats

    @classmethod
    def new(cls, scale: Floats, units: int, actions: int, chance: np.random.Generator) -> "Network":
        """A network that has learned nothing."""
        size = len(scale)
        first = chance.normal(0, np.sqrt(2 / size), (size, units)).astype(np.float32)
        second = chance.normal(0, np.sqrt(1 / units), (units, actions)).astype(np.float32)
        return cls(scale, first, np.zeros(units, np.float32), second, np.zeros(actions, np.float32))

    def values(self, observations: Floats) -> Floats:
        """What each action is worth: (observations, actions)."""
        units = np.maximum((observations / self.scale) @ self.first + self.first_bias, 0)
        found: Floats = units @ self.second + self.second_bias
        return found

    def best(self, observations: Floats, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """The legal action that is worth most, for each observation."""
        values = np.where(masks, self.values(observations), -np.inf)
        best: NDArray[np.int64] = values.argmax(axis=1)
        return best


class Trainer:
    """Improves a network by Adam, in place: towards what actions were really worth."""

    def __init__(self, network: Network, rate: float) -> None:
        self._network = network
        self.rate = rate
        self._means = [np.zeros_like(weights) for weights in network[1:]]
        self._squares = [np.zeros_like(weights) for weights in network[1:]]
        self._steps = 0

    def improve(self, observations: Floats, actions: NDArray[np.int64], worth: Floats) -> None:
        """Move the values of the actions chosen nearer to what they were worth, by the mean squared error.

        Args:
            observations: (n, size).
            actions: (n,).
            worth: (n,).
        """
        network, count = self._network, len(actions)
        scaled = observations / network.scale
        units = np.maximum(scaled @ network.first + network.first_bias, 0)
        wrong = np.zeros((count, len(network.second_bias)), np.float32)
        rows = np.arange(count)
        values = units @ network.second + network.second_bias
        wrong[rows, actions] = (values[rows, actions] - worth) / count
        back = (wrong @ network.second.T) * (units > 0)
        self._step([scaled.T @ back, back.sum(axis=0), units.T @ wrong, wrong.sum(axis=0)])

    def _step(self, gradients: list[Floats]) -> None:
        self._steps += 1
        rate = self.rate * np.sqrt(1 - SQUARE_DECAY**self._steps) / (1 - MEAN_DECAY**self._steps)
        for number, gradient in enumerate(gradients):
            self._means[number] += (1 - MEAN_DECAY) * (gradient - self._means[number])
            self._squares[number] += (1 - SQUARE_DECAY) * (gradient * gradient - self._squares[number])
            step = rate * self._means[number] / (np.sqrt(self._squares[number]) + TINY)
            np.subtract(self._network[1 + number], step, out=self._network[1 + number], casting="same_kind")
