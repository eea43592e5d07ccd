"""Hands of any game, played by chance through nothing but the contract."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from protocol.cards import Piece
from protocol.games.base import Action, Hand
from protocol.games.game import Game
from protocol.games.match import Match
from protocol.shuffle import Deck

SEED = bytes(32)


def players(game: Game, chance: Random) -> int:
    """How many sit down: 2 as often as not, since many tables are small."""
    return chance.choice([game.seats[0], chance.choice(game.seats)])


def begun(game: Game, chance: Random) -> Match:
    """A match between some players: as often as not with equal stacks, else some have hardly enough to be dealt in."""
    match = game.start(players(game, chance))
    few = [stack for stack in range(-99, 100) if match.can_play(stack)]
    if chance.random() < 0.5:
        return match
    return replace(match, stacks=tuple(chance.choice([stack, *few[:5], *few[-40:]]) for stack in match.stacks))


def deal(game: Game, chance: Random) -> tuple[Match, Hand, bytes]:
    """A first hand of a match, and what chance decided in it."""
    match, drawn = begun(game, chance), game.chance.draw(SEED, 0, chance.randrange(1, 10**6))
    return match, match.deal(game.chance.outcome(drawn)), drawn


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


def own_pieces(hand: Hand, seat: int) -> tuple[Piece, ...]:
    """What belongs to a seat so far, hidden or not."""
    return (*hand.hole(seat), *hand.public().seats[seat].up)


def places_seen_by(game: Game, hand: Hand, seat: int, size: int) -> set[int]:
    """The places, in an outcome of so many pieces, of what a seat sees: its own, the board, and what lies face up."""
    layout, public = game.layout(range(size), len(hand.stacks)), hand.public()
    places: list[Any] = [*layout.board[: len(public.board)]]
    for other, view in enumerate(public.seats):
        first = 0 if other == seat else view.hidden
        places += layout.seats[other][first : view.hidden + len(view.up)]
    return set(places)


def other_outcome(game: Game, drawn: bytes, seen: set[int], chance: Random) -> tuple[Piece, ...]:
    """An outcome of chance that agrees with ``drawn`` at the places that were seen.

    The other cards of a deck are shuffled; what is no deck is drawn anew, since dice do not depend on each other.
    """
    outcome = list(game.chance.outcome(drawn))
    hidden = [place for place in range(len(outcome)) if place not in seen]
    fresh = game.chance.outcome(game.chance.draw(SEED, 1, chance.randrange(1, 10**6)))
    pieces = [outcome[place] for place in hidden]
    chance.shuffle(pieces)
    if not isinstance(game.chance, Deck):
        pieces = [fresh[place] for place in hidden]
    for place, piece in zip(hidden, pieces, strict=True):
        outcome[place] = piece
    return tuple(outcome)
