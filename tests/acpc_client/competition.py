"""The judge of every line that programs of the ACPC are sent, and of logs: the competition's own code, in OpenSpiel."""

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyspiel

from protocol.games.holdem import HoldemGame

#: Cards of the board that each ``/`` of a betting deals.
STREETS = (3, 1, 1)
MOST_IN_LIMIT = 4
ALL_CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@dataclass(frozen=True)
class Competition:
    """What a game definition says, beside the number of players."""

    stack: int = 1000
    small: int = 5
    big: int = 10
    limited: bool = False

    @classmethod
    def of(cls, game: HoldemGame) -> "Competition":
        """The definition that programs need for a game."""
        return cls(game.stack, game.small_blind, game.big_blind, game.betting == "fixed-limit")

    def check(self, line: str) -> float:
        """Fail unless the competition reads a match state or a line of a log, and pays the same chips.

        OpenSpiel has no fixed limit for more than four players, so such a line is not judged.

        Returns:
            By how many chips a seat is paid otherwise at most: the competition splits a chip, and we do not. Where
            ``acpc.md`` says that pots divide evenly, it fails unless this is 0.
        """
        kind, *fields = line.split(":")
        betting, cards = fields[1:3] if kind == "STATE" else fields[2:4]
        if self.limited and cards.count("|") >= MOST_IN_LIMIT:
            return 0
        state = self._play(betting, cards, line)
        assert not state.is_chance_node(), f"a street is over, but its end is missing: {line}"
        if kind != "STATE":
            return 0
        assert state.is_terminal(), f"the hand is not over: {line}"
        if not _all_known(cards, betting):
            return 0
        paid = [int(chips) for chips in fields[3].split("|")]
        apart = max(abs(ours - theirs) for ours, theirs in zip(paid, state.returns(), strict=True))
        allowed = apart == 0 if self._divides_evenly(len(paid), betting) else apart < len(paid)
        assert allowed, f"{state.returns()} is what the competition pays: {line}"
        return float(apart)

    def _divides_evenly(self, players: int, betting: str) -> bool:
        """Whether a pot has no odd chips: always for two players, and for three if everybody puts in even amounts."""
        amounts = [self.small, self.big, self.stack, *map(int, re.findall(r"\d+", betting))]
        return players == 2 or (players == 3 and not any(amount % 2 for amount in amounts))

    def _play(self, betting: str, cards: str, line: str) -> "pyspiel.State":
        """The hand after this betting. Cards that the line does not tell are any others."""
        holes, *streets = cards.split("/")
        tokens = re.findall(r"r\d*|[cf/]", betting)
        assert "".join(tokens) == betting, line
        assert [len(street) // 2 for street in streets] == [*STREETS[: tokens.count("/")]], line
        others = iter([card for card in ALL_CARDS if card not in re.findall("[^|/]{2}", cards)])
        state = _game(self, holes.count("|") + 1).new_initial_state()
        for hole in holes.split("|"):
            _deal(state, re.findall("..", hole) or [next(others), next(others)])
        left = iter(streets)
        for place, token in enumerate(tokens):
            where = f"{token!r} at {place} of {betting!r}"
            assert state.is_chance_node() == (token == "/"), f"the competition's street is another at {where}: {line}"
            if token == "/":
                _deal(state, re.findall("..", next(left)))
                continue
            number = {"f": 0, "c": 1, "r": 2}.get(token) or int(token[1:] or 0)
            assert (token == "r") <= self.limited, line
            assert number in state.legal_actions(), f"the competition does not allow {where}: {line}"
            state.apply_action(number)
        return state


def _all_known(cards: str, betting: str) -> bool:
    """Whether a log tells the cards of all who were in at the end."""
    holes = cards.split("/", maxsplit=1)[0].split("|")
    return holes.count("") <= betting.count("f")


def _deal(state: "pyspiel.State", cards: list[str]) -> None:
    for card in cards:
        state.apply_action(ALL_CARDS.index(card))


@cache
def _game(terms: Competition, players: int) -> "pyspiel.Game":
    import pyspiel  # noqa: PLC0415 - where it is missing, only the tests that come to this line are skipped

    def row(*numbers: int) -> str:
        return " ".join(map(str, numbers))

    heads_up = players == 2
    blinds = (terms.big, terms.small) if heads_up else (terms.small, terms.big, *[0] * (players - 2))
    return pyspiel.load_game(
        "universal_poker",
        {
            "betting": "limit" if terms.limited else "nolimit",
            "bettingAbstraction": "fcpa" if terms.limited else "fullgame",  # in limit, a raise has no number otherwise
            "numPlayers": players,
            "numRounds": 4,
            "blind": row(*blinds),
            "firstPlayer": row(2 if heads_up else 3, 1, 1, 1),
            "numSuits": 4,
            "numRanks": 13,
            "numHoleCards": 2,
            "numBoardCards": row(0, *STREETS),
            "stack": row(*[terms.stack] * players),
            "raiseSize": row(terms.big, terms.big, 2 * terms.big, 2 * terms.big),
            **({"maxRaises": row(3, 4, 4, 4)} if terms.limited else {}),
        },
    )
