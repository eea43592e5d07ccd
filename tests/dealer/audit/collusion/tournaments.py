"""Tournaments in one process, as fast as they can be played, for the tests of evidence of collusion."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from typing import Any

from bots.strategy import Simple, Strategy, answer, load_maker, tell
from dealer.audit.collusion.cards.sampling import Known, PotShare
from dealer.audit.collusion.decisions import Decision, decisions
from dealer.audit.collusion.harm import PairTest, pair_tests
from protocol.estimates.many_tests import holm
from protocol.games.base import FOLD, Action, Bet, Fold, Hand
from protocol.games.game import Game
from protocol.games.registry import load_game
from protocol.wire.messages import GameInfo

#: A player of these tests that plays every game.
SENSIBLE = "sensible"

#: House bots that are fast enough to play thousands of hands, among them the adaptive ones.
STYLES = {
    "stud": (SENSIBLE, "tight", "pair-or-fold", "caller", "maniac", "random", "stud"),
    "holdem": (
        SENSIBLE,
        "tight",
        "caller",
        "maniac",
        "random",
        "sklansky",
        "simple",
        "cornell-easy",
        "equity",
        "holdem",
    ),
    "blockhead": (SENSIBLE, "alpha", "beta", "gamma", "balance", "caller", "maniac", "random"),
}

#: Players 0 and 1 of a tournament with a pair that cooperates: one gives chips, the other one gets them.
GIVER, RECEIVER = 0, 1

#: What a cooperating player does when it is alone with its partner: given its number, the hand, and its usual action.
Scheme = Callable[[int, Hand, Action], Action]


class Sensible(Simple):
    """Calls where its cards win often enough for the price, and raises with better ones; a usual style of beginners."""

    def __init__(self, rng: Random, game: Game, pot_share: PotShare) -> None:
        super().__init__(rng)
        self._game, self._pot_share = game, pot_share
        self._least, self._bold = rng.uniform(0.4, 0.6), rng.uniform(0.6, 0.75)

    def decide(self, turn: Any) -> Action:
        """Decide by the own cards, the board, and the price."""
        legal = turn.legal()
        share = self._pot_share(self._game, Known(turn.own, (), (), getattr(turn, "board", ())))
        if share >= self._bold and len(legal.raises) and self.rng.random() < 0.5:
            return Bet(legal.raises[min(len(legal.raises) - 1, turn.pot // 2)])
        stays = not legal.to_call or share >= max(self._least, legal.to_call / (turn.pot + legal.to_call))
        return Bet(legal.to_call) if stays and legal.call else FOLD


@dataclass
class Room:
    """Players of one game, and the decisions that they make.

    Attributes:
        game: with its usual options.
        names: of the house bots that play, by number.
        seed: all chance follows from it.
        scheme: of players 0 and 1, who cooperate; None if all are honest.
    """

    game: Game
    names: Sequence[str]
    seed: str
    scheme: Scheme | None = None
    decisions: list[Decision] = field(default_factory=list)
    hands: int = 0

    def __post_init__(self) -> None:
        self._chance = Random(self.seed)
        self._pot_share: PotShare = import_module(f"dealer.audit.collusion.cards.{self.game.name}").pot_share
        self._bots: list[Strategy] = [
            self._bot(name, Random(f"{self.seed} {number}")) for number, name in enumerate(self.names)
        ]

    def _bot(self, name: str, chance: Random) -> Strategy:
        return Sensible(chance, self.game, self._pot_share) if name == SENSIBLE else load_maker(name)(chance)

    def play_at(self, players: Sequence[int], hands: int, *, reset: bool) -> None:
        """Hands of players at one table. Stacks go back to the start before each, or when one player is left."""
        if self.game.announced:
            for seat, player in enumerate(players):
                tell(self._bots[player], GameInfo.about(self.game, seat, len(players)))
        match = start = self.game.start(len(players))
        for _ in range(hands):
            if match.over:
                match = start
            seated = [players[place] for place in match.seated]
            outcome = self.game.chance.outcome(self.game.chance.draw(self._chance.randbytes(32), 0, 1))
            settlement = self._play(self.game.number_players(match.deal(outcome), seated), seated)
            match = match if reset else match.record(settlement)

    def _play(self, hand: Hand, players: Sequence[int]) -> Any:
        steps: list[tuple[Hand, int, Action | None]] = []
        while (seat := hand.to_act) is not None:
            action = self._act(hand, seat, players)
            steps.append((hand, seat, action))
            hand = hand.apply(action)
        settlement = hand.settle()
        for player, status in zip(players, settlement.statuses(), strict=True):
            if status is not None:
                tell(self._bots[player], status)
        self.decisions.extend(decisions(self.game, self._pot_share, self.hands, players, steps, hand))
        self.hands += 1
        return settlement

    def _act(self, hand: Hand, seat: int, players: Sequence[int]) -> Action:
        usual = answer(self._bots[players[seat]], hand.view(seat))
        alone = {players[live] for live in hand.live} == {GIVER, RECEIVER}
        return self.scheme(players[seat], hand, usual) if self.scheme and alone else usual

    def one_table(self, hands: int) -> None:
        """All at one table, in the same seats throughout."""
        self.play_at(range(len(self.names)), hands, reset=True)

    def freezeouts(self, hands: int) -> None:
        """All at one table, with the chips that they have won, until one player is left, and again."""
        self.play_at(range(len(self.names)), hands, reset=False)

    def redrawn(self, hands: int, size: int, every: int) -> None:
        """Several tables, whose seats are drawn anew after so many hands."""
        for _ in range(hands // every):
            order = self._chance.sample(range(len(self.names)), len(self.names))
            for first in range(0, len(order) - 1, size):
                self.play_at(order[first : first + size], every, reset=True)

    def pairs(self, hands: int, every: int) -> None:
        """Every two players against each other, in turns."""
        for game in range(hands // every):
            for one in range(len(self.names)):
                for other in range(one):
                    self.play_at((one, other) if game % 2 else (other, one), every, reset=not self.game.in_games)

    def evidence(self, level: float) -> list[PairTest]:
        """The tests that are evidence at a level for all of them together."""
        tests, _ = pair_tests(self.decisions)
        corrected = holm([test.p_value for test in tests])
        return [test for test, p_value in zip(tests, corrected, strict=True) if p_value <= level]


def room(game: str, names: Sequence[str], seed: str, scheme: Scheme | None = None) -> Room:
    """Players of a game with its usual options."""
    return Room(load_game(game).from_facts({}), names, seed, scheme)


def folds_to_bets(player: int, hand: Hand, usual: Action) -> Action:
    """The receiver bets, and the giver folds."""
    legal = hand.legal()
    if player == GIVER:
        return FOLD if legal.to_call else usual
    return usual if legal.to_call or not legal.raises else Bet(legal.raises[0])


def builds_and_folds(player: int, hand: Hand, usual: Action) -> Action:
    """The giver raises on the first street, and folds to a bet later; the receiver bets."""
    legal = hand.legal()
    if player == RECEIVER:
        return Bet(legal.to_call or (legal.raises[0] if legal.raises else 0))
    if hand.number == 1:
        return Bet(legal.raises[len(legal.raises) // 4] if legal.raises else legal.to_call)
    return FOLD if legal.to_call else Bet(0)


def plays_softly(player: int, hand: Hand, usual: Action) -> Action:
    """Neither raises."""
    return usual if isinstance(usual, Fold) else Bet(hand.legal().to_call)


def folds_by_signal(player: int, hand: Hand, usual: Action) -> Action:
    """In half of the hands the receiver raises by an odd number of chips, to which the giver folds."""
    legal = hand.legal()
    stack = hand.starting[hand.to_act or 0]
    if player == RECEIVER:
        signals = hand.hole(hand.to_act or 0)[0].text[-1] in "SHsh" and stack
        odd = [amount for amount in legal.raises[:4] if (amount - legal.to_call) % 2]
        return Bet(odd[0]) if signals and odd and not legal.to_call else usual
    return FOLD if legal.to_call % 2 else usual


SCHEMES: dict[str, Scheme] = {
    "folds to bets": folds_to_bets,
    "builds the pot and folds": builds_and_folds,
    "plays softly": plays_softly,
    "folds by signal": folds_by_signal,
}
