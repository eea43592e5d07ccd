"""A dealer that speaks as that of the competition does. Its rules are the competition's own code, in OpenSpiel."""

import socket
from collections.abc import Collection, Sequence
from random import Random
from types import TracebackType
from typing import Self, TextIO

import pyspiel

from tests.acpc_client.competition import ALL_CARDS, STREETS
from tests.patience import PATIENCE

COMMON = "numRounds = 4\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
LIMIT = "raiseSize = 10 10 20 20\nmaxRaises = 3 4 4 4\n"

#: The game definitions of the competition, by limit and number of players.
DEFINITIONS = {
    "limit-2": f"GAMEDEF\nlimit\nnumPlayers = 2\nblind = 10 5\nfirstPlayer = 2 1 1 1\n{LIMIT}{COMMON}",
    "limit-3": f"GAMEDEF\nlimit\nnumPlayers = 3\nblind = 5 10 0\nfirstPlayer = 3 1 1 1\n{LIMIT}{COMMON}",
    "nolimit-2": "GAMEDEF\nnolimit\nnumPlayers = 2\nstack = 20000 20000\nblind = 100 50\nfirstPlayer = 2 1 1 1\n"
    + COMMON,
    "nolimit-3": "GAMEDEF\nnolimit\nnumPlayers = 3\nstack = 2000 2000 2000\nblind = 50 100 0\nfirstPlayer = 3 1 1 1\n"
    + COMMON,
}


class CompetitionDealer:
    """A match on a port for each seat. Leaving it closes all connections.

    Args:
        definition: of the game.
        seed: of the cards.
    """

    def __init__(self, definition: str, seed: int = 1) -> None:
        told = pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(definition).get_parameters()
        self.sized = told["betting"] == "nolimit"
        abstraction = "fullgame" if self.sized else "fcpa"  # in limit, a raise has no number otherwise
        self._game = pyspiel.load_game("universal_poker", {**told, "bettingAbstraction": abstraction})
        self.players = self._game.num_players()
        self._chance = Random(seed)
        self._listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(self.players)]
        self.ports = [listener.getsockname()[1] for listener in self._listeners]
        self._seats: list[socket.socket] = []
        self._files: list[TextIO] = []
        self._left = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()
        for listener in self._listeners:
            listener.close()

    def _close(self) -> None:
        for file in self._files:  # a connection is open until its file is closed, too
            file.close()
        for seat in self._seats:
            seat.close()

    def play(self, hands: int, answers: int = 10**9) -> list[float]:
        """Play a match, or a part of it that ends when so many answers have come, and return the chips won by seat."""
        for listener in self._listeners:
            listener.settimeout(PATIENCE)
            self._seats.append(listener.accept()[0])
        self._files = [seat.makefile("r", newline="\r\n") for seat in self._seats]
        for opened, file in zip(self._seats, self._files, strict=True):
            opened.settimeout(PATIENCE)
            assert file.readline() == "VERSION:2.0.0\r\n"
        self._left = answers
        won = [0.0] * self.players
        for number in range(hands):
            returns = self._play_hand(number)
            if returns is None:
                break
            for seat in range(self.players):
                won[seat] += returns[(seat - number) % self.players]
        self._close()
        return won

    def _play_hand(self, number: int) -> Sequence[float] | None:
        """Chips won by position; None if it was broken off."""
        deck = iter(self._chance.sample(range(52), 52))
        state, betting, board, live = self._game.new_initial_state(), "", "", list(range(self.players))
        holes = [[next(deck), next(deck)] for _ in live]
        streets = iter(STREETS)
        for card in [card for hole in holes for card in hole]:
            state.apply_action(card)
        while not state.is_terminal():
            if state.is_chance_node():
                cards = [next(deck) for _ in range(next(streets))]
                for card in cards:
                    state.apply_action(card)
                betting, board = betting + "/", f"{board}/{_text(cards)}"
                continue
            if not self._left:
                return None
            position = state.current_player()
            for other in range(self.players):
                self._tell(number, other, f"{betting}:{self._cards(holes, [other])}{board}")
            action = self._answer(number, position, f"{betting}:{self._cards(holes, [position])}{board}")
            wanted = {"f": 0, "c": 1, "r": 2}.get(action) or int(action[1:] or 0)
            assert (action == "r") <= (not self.sized), action
            assert wanted in state.legal_actions(), f"{action} is not allowed after {betting}"
            state.apply_action(wanted)
            betting += action
            if action == "f":
                live.remove(position)
        for other in range(self.players):
            shown = {other, *live} if len(live) > 1 else {other}
            self._tell(number, other, f"{betting}:{self._cards(holes, shown)}{board}")
        returns: list[float] = state.returns()
        return returns

    def _tell(self, number: int, position: int, told: str) -> None:
        seat = self._seats[(position + number) % self.players]
        seat.sendall(f"MATCHSTATE:{position}:{number}:{told}\r\n".encode())

    def _answer(self, number: int, position: int, told: str) -> str:
        """The action of the player to act, behind the match state that it was told."""
        line: str = self._files[(position + number) % self.players].readline()
        state = f"MATCHSTATE:{position}:{number}:{told}:"
        assert line.startswith(state), f"{line!r} answers {state!r}"
        self._left -= 1
        return line.removeprefix(state).removesuffix("\r\n")

    def _cards(self, holes: Sequence[Sequence[int]], positions: Collection[int]) -> str:
        return "|".join(_text(cards) if place in positions else "" for place, cards in enumerate(holes))


def _text(cards: Sequence[int]) -> str:
    return "".join(ALL_CARDS[card] for card in cards)
