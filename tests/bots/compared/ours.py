"""The rules and the arena of this project, as contestants."""

from collections.abc import Iterator
from functools import partial
from random import Random

from leduc.rules import LeducGame

from bots.arena import play_hands
from bots.strategies.holdem.rollouts import win_rate
from bots.strategy import Simple
from protocol.cards import DECK, parse_card
from protocol.games import game as contract
from protocol.games.base import FOLD, Action, Bet, Legal, Turn
from protocol.games.holdem import HoldemGame
from protocol.shuffle import seed_from_text
from tests.bots.compared.contest import BIG, DEEP, PLAYS, ROLLED_OUT, SMALL, STACK, Contestant, Game, Play, choose

LIBRARY = "casino-day"
SEED = seed_from_text("compared")
GAMES: dict[Game, contract.Game] = {
    "limit": HoldemGame(stack=DEEP, small_blind=SMALL, big_blind=BIG, betting="fixed-limit"),
    "no-limit": HoldemGame(stack=STACK, small_blind=SMALL, big_blind=BIG),
    "leduc": LeducGame(stack=DEEP),
}


def contestants() -> Iterator[Contestant]:
    """Rules and arena for each game and play, and roll-outs by the rules."""
    for name, game in GAMES.items():
        for play in PLAYS:
            yield Contestant(LIBRARY, "rules", name, play, partial(_play_rules, game, play, Random(1)))
            yield Contestant(LIBRARY, "arena", name, play, partial(_play_arena, game, play))
    yield Contestant(LIBRARY, "rules", "roll-outs", "calls", _roll_out)


def _action(play: Play, chance: Random, legal: Legal) -> Action:
    raises: list[Action] = [Bet(legal.raises[-1])] if legal.raises else []
    call: Action = Bet(legal.to_call)
    return choose(play, chance, call, FOLD if legal.to_call else None, raises)


def _play_rules(game: contract.Game, play: Play, chance: Random, hands: int) -> int:
    """The loop of the contract, without strategies and what they are told."""
    match = game.start(2)
    decisions = 0
    for number in range(1, hands + 1):
        hand = match.deal(game.chance.outcome(game.chance.draw(SEED, 0, number)))
        while hand.to_act is not None:
            hand = hand.apply(_action(play, chance, hand.legal()))
            decisions += 1
        hand.settle()
    return decisions


class Chooser(Simple):
    """A strategy that chooses as all contestants do."""

    def __init__(self, play: Play) -> None:
        super().__init__(Random(1))
        self.play = play

    def decide(self, turn: Turn) -> Action:
        """Choose by what is legal alone."""
        return _action(self.play, self.rng, turn.legal())


def _play_arena(game: contract.Game, play: Play, hands: int) -> int:
    """Two strategies, with a view for each decision and a status for each seat."""
    strategies = [Chooser(play), Chooser(play)]
    return sum(len(played.actions) for played in play_hands(game, strategies, SEED, hands, reset_stacks=True))


def _roll_out(hands: int) -> None:
    """The roll-outs of the bots that play without the extra ``sim``."""
    own = tuple(parse_card(text) for text in ROLLED_OUT)
    hand = HoldemGame().start(2).deal((*own, *[card for card in DECK if card not in own]))
    win_rate(hand.view(0), Random(1), hands)
