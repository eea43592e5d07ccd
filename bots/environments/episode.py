"""Hands in a row between learners and house bots, driven from one question of a learner to the next."""

from collections.abc import Mapping, Sequence

from bots.arena import ArenaError
from bots.strategy import Strategy, StrategyError, answer, tell
from protocol.games.base import Action, Hand, IllegalAction, Turn
from protocol.games.game import Game
from protocol.games.match import Match
from protocol.wire.messages import GameInfo


class Episode:
    """A match until it is over or a number of hands is played.

    Args:
        bots: the house bots, by player. All other players are learners.
        seed: all chance of the cards follows from it.
        hands: to play at most; None to play on until the match is over.

    Attributes:
        asked: the learner who must act now; None when the episode is over.
        hand: the one under way, or the last one.
        payoffs: chips that each player has won in the hands that ended since the last action.
        out: the players who are in no later hand.

    Raises:
        ArenaError: a house bot broke the rules or failed.
    """

    def __init__(self, game: Game, players: int, bots: Mapping[int, Strategy], seed: bytes, hands: int | None) -> None:
        self._game, self._bots, self._seed, self._hands = game, bots, seed, hands
        self._match: Match = game.start(players)
        self._number = 0
        self._last_turns: dict[int, tuple[Turn, int]] = {}
        self.asked: int | None = None
        self.payoffs = [0] * players
        self.out: set[int] = set()
        self.hand: Hand
        if game.announced:
            for player, bot in bots.items():
                self._tell(player, bot, GameInfo.about(game, player, players))
        self._deal()
        self._run()

    @property
    def turn(self) -> Turn:
        """The question to the learner who must act."""
        assert self.asked is not None, "the episode is over"
        return self.hand.view(self._seat_of(self.asked))

    def seen_by(self, player: int) -> tuple[Turn, int]:
        """What a learner may know now, and its seat; where it has folded or left, what it was told last."""
        if player in self._seated:
            seat = self._seat_of(player)
            if seat in self.hand.live:
                return self.hand.view(seat), seat
        return self._last_turns[player]

    def act(self, action: Action) -> None:
        """Let the learner who must act choose.

        Raises:
            IllegalAction: the rules forbid it; the learner may choose again.
            ArenaError: a house bot broke the rules or failed.
        """
        after = self.hand.apply(action)
        self._go_on(after)

    def concede(self) -> None:
        """Let the learner who must act give up the hand, as a dealer does with a bot that breaks the rules.

        Raises:
            ArenaError: a house bot broke the rules or failed.
        """
        self._go_on(self.hand.concede())

    def _go_on(self, after: Hand) -> None:
        assert self.asked is not None, "the episode is over"
        self._last_turns[self.asked] = self.seen_by(self.asked)
        self.payoffs = [0] * len(self.payoffs)
        self.hand = after
        self._run()

    def _seat_of(self, player: int) -> int:
        return self._seated.index(player)

    def _deal(self) -> None:
        self._number += 1
        self._seated: Sequence[int] = self._match.seated
        drawn = self._game.chance.draw(self._seed, 0, self._number)
        self.hand = self._match.deal(self._game.chance.outcome(drawn))
        for seat, player in enumerate(self._seated):
            if player not in self._bots and seat in self.hand.live:
                self._last_turns[player] = self.hand.view(seat), seat

    def _run(self) -> None:
        """Let house bots act and deal further hands, until a learner must act or the episode is over."""
        while True:
            seat = self.hand.to_act
            if seat is None:
                if self._settled():
                    self.asked = None
                    return
                self._deal()
            elif (player := self._seated[seat]) in self._bots:
                self._ask(player, seat)
            else:
                self.asked = player
                return

    def _ask(self, player: int, seat: int) -> None:
        try:
            self.hand = self.hand.apply(answer(self._bots[player], self.hand.view(seat)))
        except (StrategyError, IllegalAction) as error:
            raise ArenaError(player, self._number, str(error)) from error.__cause__

    def _settled(self) -> bool:
        """Pay out the finished hand; whether it was the last one."""
        settlement = self.hand.settle()
        for player, payoff, status in zip(self._seated, settlement.payoffs, settlement.statuses(), strict=True):
            self.payoffs[player] += payoff
            if player in self._bots:
                self._tell(player, self._bots[player], status)
        self._match = self._match.record(settlement)
        sitting = {*self._match.seated, *self._match.waiting}
        self.out = set(range(len(self.payoffs))) - sitting
        return self._match.over or self._number == self._hands or self.out.issuperset(self._learners)

    @property
    def _learners(self) -> set[int]:
        return set(range(len(self.payoffs))) - set(self._bots)

    def _tell(self, player: int, bot: Strategy, news: object) -> None:
        try:
            tell(bot, news)
        except StrategyError as error:
            raise ArenaError(player, self._number, str(error)) from error.__cause__
