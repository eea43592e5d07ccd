"""Let strategies play each other in one process, without sockets, by the loop that every driver of a hand uses."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bots.strategy import Strategy, StrategyError, answer, tell
from protocol.games.base import Action, Bet, IllegalAction, Settlement
from protocol.games.game import Game
from protocol.games.match import Match
from protocol.wire.messages import GameInfo


class ArenaError(Exception):
    """A strategy broke the rules or failed in a hand; the text says how. An error that it raised is the cause.

    Attributes:
        player: the index of the strategy's player.
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
        actions: in order, each with the seat that acted; None where it gave the hand up for a fault.
    """

    players: tuple[int, ...]
    settlement: Settlement
    actions: tuple[tuple[int, Action | None], ...]

    @property
    def pot(self) -> int:
        """Chips in the pot at the end."""
        return sum(self.settlement.shares) + self.settlement.carried

    @property
    def folded(self) -> tuple[int, ...]:
        """The players who folded or gave the hand up, in that order."""
        return tuple([self.players[seat] for seat, action in self.actions if not isinstance(action, Bet)])


def play_hand(
    game: Game,
    match: Match,
    strategies: Sequence[Strategy],
    seed: bytes,
    number: int,
    forgive: Callable[[int, Exception], bool] = lambda *_: False,
) -> PlayedHand:
    """Deal and play hand ``number`` of a match of ``game``; ``strategies`` are in the order of the match's players.

    Args:
        game: what is played.
        match: before the hand.
        strategies: of the match's players.
        seed: all chance follows from it.
        number: of the hand, from 1.
        forgive: is told of the fault of a player that is asked, and says whether it only gives the hand up for that.

    Raises:
        ArenaError: a strategy broke the rules, raised something, or gave no action.
    """
    players = match.seated
    hand = match.deal(outcome_of(game, seed, number))
    actions = []
    try:
        while (seat := hand.to_act) is not None:
            player = players[seat]
            action: Action | None = None
            try:
                action = answer(strategies[player], hand.view(seat))
                hand = hand.apply(action)
            except (StrategyError, IllegalAction) as error:
                if not forgive(player, error):
                    raise
                action, hand = None, hand.concede()
            actions.append((seat, action))
        settlement = hand.settle()
        for player, status in zip(players, settlement.statuses(), strict=True):
            tell(strategies[player], status)
    except (StrategyError, IllegalAction) as error:
        raise ArenaError(player, number, str(error)) from error.__cause__
    return PlayedHand(players, settlement, tuple(actions))


@lru_cache(maxsize=1024)  # in duplicate, each seating plays the hands of a deal
def outcome_of(game: Game, seed: bytes, number: int) -> Any:
    """What chance decides in a hand."""
    return game.chance.outcome(game.chance.draw(seed, 0, number))


def play_hands(
    game: Game, strategies: Sequence[Strategy], seed: bytes, hands: int, reset_stacks: bool, first: int = 1
) -> Iterator[PlayedHand]:
    """``hands`` hands in a row, dealt from deck number ``first`` (from 1) on.

    Stacks go back to the start before every hand (``reset_stacks``), or when one player is left.

    Raises:
        ArenaError: a strategy broke the rules, raised something, or gave no action.
    """
    match = start = game.start(len(strategies))
    if game.announced:
        _announce(game, strategies, first)
    for number in range(first, first + hands):
        if match.over:
            match = start
        played = play_hand(game, match, strategies, seed, number)
        yield played
        if not reset_stacks:
            match = match.record(played.settlement)


def play_game(game: Game, strategies: Sequence[Strategy], seed: bytes, first: int) -> Iterator[PlayedHand]:
    """One whole game with equal stacks, its first hand dealt from deck number ``first`` (from 1); see ``play_hand``.

    A dealer with the same seed numbers the decks of its first table in the same way, through all games.

    Raises:
        ArenaError: a strategy broke the rules, raised something, or gave no action.
    """
    match = game.start(len(strategies))
    _announce(game, strategies, first)
    number = first
    while not match.over:
        played = play_hand(game, match, strategies, seed, number)
        yield played
        match = match.record(played.settlement)
        number += 1


def _announce(game: Game, strategies: Sequence[Strategy], number: int) -> None:
    """Tell the strategies that a game begins with hand ``number``, as a dealer's ``game:`` message does."""
    for seat, strategy in enumerate(strategies):
        announce_to(strategy, game, seat, len(strategies), number)


def announce_to(strategy: Strategy, game: Game, seat: int, players: int, number: int) -> None:
    """Tell one strategy in its seat that a game begins with hand ``number``.

    Raises:
        ArenaError: it raised something.
    """
    try:
        tell(strategy, GameInfo.about(game, seat, players))
    except StrategyError as error:
        raise ArenaError(seat, number, str(error)) from error.__cause__
