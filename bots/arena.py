"""Strategies against strategies in one process: the engine's own loop, without a socket."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bots.strategy import Strategy, StrategyError, answer, tell
from protocol.games.base import IllegalAction, Settlement
from protocol.games.match import Match
from protocol.shuffle import shuffled_deck


class ArenaError(Exception):
    """A hand that a strategy broke; the text says how. An error the strategy raised itself is the cause.

    Attributes:
        player: the index of the player it stood for.
        number: of the hand.
    """

    def __init__(self, player: int, number: int, what: str) -> None:
        super().__init__(what)
        self.player = player
        self.number = number


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A finished hand: seat ``i`` was ``players[i]`` of the match.

    Attributes:
        players: the indices of the players dealt in.
        settlement: how the pot was divided.
        decisions: how many questions were asked.
    """

    players: tuple[int, ...]
    settlement: Settlement
    decisions: int


def play_hand(match: Match, strategies: Sequence[Strategy], seed: bytes, number: int) -> PlayedHand:
    """Deal and play hand ``number`` of the match; ``strategies`` stand in the order of the match's players.

    Raises:
        ArenaError: a strategy broke the rules, raised something, or gave no action.
    """
    players = match.seated
    hand = match.deal(shuffled_deck(seed, 0, number))
    decisions = 0
    try:
        while (seat := hand.to_act) is not None:
            player = players[seat]
            hand = hand.apply(answer(strategies[player], hand.view(seat)))
            decisions += 1
        settlement = hand.settle()
        for seat, player in enumerate(players):
            tell(strategies[player], settlement.status(seat))
    except (StrategyError, IllegalAction) as error:
        raise ArenaError(player, number, str(error)) from error.__cause__
    return PlayedHand(players, settlement, decisions)


def play_hands(
    start: Match, strategies: Sequence[Strategy], seed: bytes, hands: int, reset_stacks: bool
) -> Iterator[PlayedHand]:
    """``hands`` hands in a row. Stacks go back to the start before every hand, or when one player is left."""
    match = start
    for number in range(1, hands + 1):
        if len(match.seated) < 2:
            match = start
        played = play_hand(match, strategies, seed, number)
        yield played
        if not reset_stacks:
            match = match.record(played.settlement)
