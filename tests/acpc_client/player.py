"""A program of the Annual Computer Poker Competition, as its examples are written: it shares no code with the dealer.

    python player.py HOST PORT [SEED]

It works out from the betting alone whose turn it is, as the programs of the competition do. They read a game
definition, where this one has ACPC_GAME ("limit" or "nolimit") in the environment; the blinds are 5 and 10. Like those
that use the competition's code it ends at the first match state that this code cannot read.
"""

import os
import random
import re
import socket
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))  # as a process it does not know where the tests are

from tests.acpc_client.competition import Competition

NO_LIMIT = os.environ.get("ACPC_GAME", "nolimit") == "nolimit"
STACK = 1000


class State:
    """What the betting of a match state leads to."""

    def __init__(self, betting: str, players: int) -> None:
        self.players = players
        # by position; with two players the button, position 1, has the small blind
        self.spent = [10, 5] if players == 2 else [5, 10, *[0] * (players - 2)]
        self.folded = [False] * players
        self.round, self.raises, self.size = 0, 1, 10
        self.to_act = self.all_from(1 if players == 2 else 2)
        for token in re.findall(r"r\d*|c|f|/", betting):
            if token == "/":
                self.next_round()
            else:
                self.act(token)

    def all_from(self, first: int) -> list[int]:
        """All positions, from this one on."""
        return [(first + step) % self.players for step in range(self.players)]

    @property
    def acting(self) -> list[int]:
        """Positions that still have to act, in order."""
        return [seat for seat in self.to_act if not self.folded[seat] and self.spent[seat] < STACK]

    @property
    def turn(self) -> int | None:
        """The position to act; None when the hand is over."""
        return self.acting[0] if self.acting and self.folded.count(False) > 1 else None

    def next_round(self) -> None:
        self.round += 1
        self.raises, self.size = 0, self.bet
        self.to_act = self.all_from(0)

    def act(self, token: str) -> None:
        seat = self.acting[0]
        self.to_act.remove(seat)
        most = max(self.spent)
        if token == "f":
            self.folded[seat] = True
        elif token == "c":
            self.spent[seat] = most
        else:
            self.raises += 1
            self.spent[seat] = int(token[1:]) if NO_LIMIT else min(most + self.bet, STACK)
            self.size = max(self.size, self.spent[seat] - most)
            self.to_act = self.all_from(seat)[1:]

    @property
    def bet(self) -> int:
        return 10 if self.round < 2 or NO_LIMIT else 20

    @property
    def owed(self) -> int:
        return max(self.spent) - self.spent[self.acting[0]]

    def may_raise(self) -> bool:
        others = [seat for seat in range(self.players) if not self.folded[seat] and self.spent[seat] < STACK]
        return len(others) > 1 and max(self.spent) < STACK and (NO_LIMIT or self.raises < 4)


def choose(state: State, chance: random.Random) -> str:
    wish = chance.random()
    if wish < 0.3 and state.may_raise():
        least = min(max(state.spent) + state.size, STACK)
        return f"r{chance.choice([least, min(3 * least, STACK)])}" if NO_LIMIT else "r"
    return "f" if state.owed and wish > 0.93 else "c"


def answer(line: str, chance: random.Random) -> str | None:
    """What to answer to a match state; None if it is another player's turn."""
    _, position, _, betting, cards = line.split(":")
    state = State(betting, cards.count("|") + 1)
    return f"{line}:{choose(state, chance)}" if state.turn == int(position) else None


def main(host: str, port: str, seed: str = "1") -> None:
    """Play until the dealer closes the connection."""
    chance, competition = random.Random(seed), Competition(limited=not NO_LIMIT)
    with socket.create_connection((host, int(port))) as sock, sock.makefile("rw", newline="") as stream:
        stream.write("VERSION:2.0.0\r\n")
        stream.flush()
        for line in stream:
            told = line.rstrip("\r\n")
            if not told.startswith("MATCHSTATE:"):
                continue
            competition.check(told)
            reply = answer(told, chance)
            if reply is not None:
                stream.write(f"{reply}\r\n")
                stream.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
