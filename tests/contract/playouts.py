"""Hands of any game, played by chance through nothing but the contract."""

from collections.abc import Iterator
from random import Random

from protocol.cards import Card
from protocol.games.base import Action, Hand
from protocol.games.game import Game
from protocol.games.match import Match

SEED = bytes(32)


def players(game: Game, chance: Random) -> int:
    """How many sit down: 2 as often as not, since many tables are small."""
    return chance.choice([game.seats[0], chance.choice(game.seats)])


def deal(game: Game, chance: Random) -> tuple[Hand, bytes]:
    """A first hand between some players, and what chance decided in it."""
    drawn = game.chance.draw(SEED, 0, chance.randrange(1, 10**6))
    return game.start(players(game, chance)).deal(game.chance.outcome(drawn)), drawn


def choose(hand: Hand, chance: Random) -> Action:
    """A legal action; folds are rare, so that hands come to a showdown."""
    actions = list(hand.legal())
    return chance.choices(actions, [1 if "Fold" in type(action).__name__ else 4 for action in actions])[0]


def moments(hand: Hand, chance: Random) -> Iterator[tuple[Hand, Action | None]]:
    """Every state of a hand with the action that follows it; None behind the last."""
    while hand.to_act is not None:
        action = choose(hand, chance)
        yield hand, action
        hand = hand.apply(action)
    yield hand, None


def play(hand: Hand, chance: Random) -> Hand:
    """The hand at its end."""
    *_, (last, _) = moments(hand, chance)
    return last


def play_matches(game: Game, chance: Random, hands: int) -> Iterator[Match]:
    """The match behind each of some hands in a row, until nobody can play on."""
    match = game.start(players(game, chance))
    for number in range(1, hands + 1):
        if match.over:
            return
        last = play(match.deal(game.chance.outcome(game.chance.draw(SEED, 1, number))), chance)
        match = match.record(last.settle())
        yield match


def seen_by(hand: Hand, seat: int) -> set[Card]:
    """The cards that a seat knows: its own, the board, and everybody's up cards."""
    public = hand.public()
    return {*hand.view(seat).own, *public.board, *(card for other in public.seats for card in other.up)}
