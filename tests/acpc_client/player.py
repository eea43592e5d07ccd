"""A program of the Annual Computer Poker Competition, as its examples are written: it shares no code with the dealer.

    python player.py HOST PORT [SEED]

It works out from the betting alone whose turn it is, as the programs of the competition do. The environment has what
they read from a game definition: ACPC_GAME is "limit" or "nolimit", ACPC_PLAYERS the number of players, and the blinds
are 5 and 10.
"""

import os
import random
import re
import socket
import sys

NO_LIMIT = os.environ.get("ACPC_GAME", "nolimit") == "nolimit"
PLAYERS = int(os.environ.get("ACPC_PLAYERS", "2"))
STACK = 1000
#: By position; with two players the button, position 1, has the small blind.
BLINDS = [10, 5] if PLAYERS == 2 else [5, 10, *[0] * (PLAYERS - 2)]
#: The position that acts first on each street.
FIRST = [1, 0, 0, 0] if PLAYERS == 2 else [2 % PLAYERS, 0, 0, 0]


class State:
    """What the betting of a match state leads to."""

    def __init__(self, betting: str) -> None:
        self.spent, self.folded = list(BLINDS), [False] * PLAYERS
        self.round, self.raises, self.size = 0, 1, 10
        self.to_act = [(FIRST[0] + step) % PLAYERS for step in range(PLAYERS)]
        for token in re.findall(r"r\d*|c|f|/", betting):
            if token == "/":
                self.next_round()
            else:
                self.act(token)

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
        self.to_act = [(FIRST[self.round] + step) % PLAYERS for step in range(PLAYERS)]

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
            self.to_act = [(seat + step) % PLAYERS for step in range(1, PLAYERS)]

    @property
    def bet(self) -> int:
        return 10 if self.round < 2 or NO_LIMIT else 20

    @property
    def owed(self) -> int:
        return max(self.spent) - self.spent[self.acting[0]]

    def may_raise(self) -> bool:
        others = [seat for seat in range(PLAYERS) if not self.folded[seat] and self.spent[seat] < STACK]
        return len(others) > 1 and max(self.spent) < STACK and (NO_LIMIT or self.raises < 4)


def choose(state: State, chance: random.Random) -> str:
    """An allowed action."""
    wish = chance.random()
    if wish < 0.3 and state.may_raise():
        least = min(max(state.spent) + state.size, STACK)
        return f"r{chance.choice([least, min(3 * least, STACK)])}" if NO_LIMIT else "r"
    return "f" if state.owed and wish > 0.93 else "c"


def answer(line: str, chance: random.Random) -> str | None:
    """What to answer to a match state; None if it is another player's turn."""
    _, position, _, betting, _ = line.split(":")
    state = State(betting)
    return f"{line}:{choose(state, chance)}" if state.turn == int(position) else None


def main(host: str, port: str, seed: str = "1") -> None:
    """Play until the dealer closes the connection."""
    chance = random.Random(seed)
    with socket.create_connection((host, int(port))) as sock, sock.makefile("rw", newline="") as stream:
        stream.write("VERSION:2.0.0\r\n")
        stream.flush()
        for line in stream:
            told = line.rstrip("\r\n")
            reply = answer(told, chance) if told.startswith("MATCHSTATE:") else None
            if reply is not None:
                stream.write(f"{reply}\r\n")
                stream.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
