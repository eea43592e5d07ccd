"""What Texas Hold'em adds to a check: hands with stacks of all sizes in each limit, and what explains a mistake.

How well a program plays is not judged, so there are no further lines of the rubric.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import get_args

from dealer.checker.cases.deals import TEMPERS, Deal, Part, RandomPlayers, chance_of, compliance_parts, draw_by_seed
from dealer.checker.cases.game_cases import GameCases
from dealer.checker.scoring.causes import QuestionText
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_betting import Limit
from protocol.games.holdem_hand import SEATS
from protocol.wire.messages import GameInfo

LIMITS: tuple[Limit, ...] = get_args(Limit)

#: Antes that are dealt in turn: none, one from everybody, one that the big blind pays for all.
ANTES: tuple[dict[str, int], ...] = ({}, {"ante": 2}, {"big_blind_ante": 10})

#: Chips of a player, a range drawn by chance: about a blind, a few blinds, or many. Between stacks of all three there
#: are calls for less, raises that are all in for less than a full one, and side pots.
STACKS = (range(1, 25), range(25, 150), range(150, 1001))


def parts(seed: str, hands: int) -> list[Part]:
    """The parts of a check; ``hands`` is the number of hands of each of the longer parts."""
    of_limits = [_stacks_of_all_sizes(seed, f"{limit} hands", games_of(limit), hands) for limit in LIMITS]
    return [*compliance_parts(HoldemGame(), seed, hands), *of_limits]


def parts_of(game: Game, seed: str, hands: int) -> list[Part]:
    """The parts of a check with options that were given, such as a preset."""
    return [*compliance_parts(game, seed, hands), _stacks_of_all_sizes(seed, "hands", [game], hands)]


def games_of(limit: Limit) -> list[Game]:
    """The game with this limit, with each sort of antes."""
    return [HoldemGame.from_facts({"betting": limit, **antes}) for antes in ANTES]


def _stacks_of_all_sizes(seed: str, what: str, games: Sequence[Game], hands: int) -> Part:
    name = f"{what}, stacks of all sizes"
    return Part(name, unequal_hands(chance_of(seed, name), games, hands), hands, "the end")


def unequal_hands(rng: Random, games: Sequence[Game], hands: int) -> Iterator[Deal]:
    """Single hands between players with very different stacks; every second one is heads-up."""
    for number in range(hands):
        game = games[number % len(games)]
        seats = game.table_seats
        players = seats[0] if number % 2 else rng.choice(seats[1:])
        stacks = tuple([rng.choice(rng.choice(STACKS)) for _ in range(players)])
        match, seat = replace(game.start(players), stacks=stacks), rng.randrange(players)
        others = RandomPlayers(rng, *TEMPERS[number // 2 % len(TEMPERS)])
        yield Deal(match.deal(draw_by_seed(game)(rng)), seat, others, GameInfo.about(game, seat, players))


def _players(fields: Sequence[str]) -> int:
    """How many players a question shows."""
    return sum("/" in field for field in fields)


CASES = GameCases(
    parts,
    parts_of=parts_of,
    text=QuestionText(
        literals={
            "board": "stands before the cards on the board",
            "raise": "stands before the least and the largest raise",
            "seats": "stands before the players",
            "button": "stands before the seat with the button",
        },
        news={
            "bet2": "which has three cards on the board",
            "bet3": "which has a fourth card on the board",
            "bet4": "which has a fifth card on the board",
        },
        players=_players,
        most_players=SEATS[-1],
        behind_own="board",
    ),
)
