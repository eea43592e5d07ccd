"""A table in this process: house bots and a person, driven by the loop that every driver of a hand uses."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bots.human.game_seat import GameSeat
from bots.human.seen_table import SeenTable
from bots.human.thread_bridge import LeftError, ThreadBridge
from bots.human.updates import Begun, Chips, Ended, HandOver, Said, Shown
from bots.strategy import Strategy, StrategyError, answer, tell
from dealer.audit.decision_value.situation import Situation
from dealer.audit.hands import Step
from dealer.telling.hand_events import HandEvents, texts
from protocol.games.base import Bet, Hand, IllegalAction, Settlement
from protocol.games.game import Game
from protocol.games.level_table import LevelTable
from protocol.games.match import Match
from protocol.games.stakes import Stakes
from protocol.person_events import HandSeen, SeatSeen
from protocol.plurals import plural
from protocol.wire.messages import GameInfo


class LocalLevels:
    """Raises the stakes of a match as a level table says, between two hands.

    Args:
        table: its levels; the first begins now.
        clock: returns seconds.

    Raises:
        ValueError: the table does not fit the game.

    Attributes:
        level: under way; the first is 1.
    """

    def __init__(self, game: Game, table: LevelTable, clock: Callable[[], float] = time.monotonic) -> None:
        self._table = table
        self._stakes = table.stakes(game)
        self._clock = clock
        self.level = 1
        self._hands = 0
        self._begun = clock()

    @property
    def stakes(self) -> Stakes:
        """What the level under way asks for."""
        return self._stakes[self.level - 1]

    @property
    def text(self) -> str:
        """The level under way with its stakes and its length, in words."""
        hands, minutes = self._table.hands(self.level), self._table.minutes(self.level)
        length = "until the end"
        if hands is not None:
            length = f"for {hands} hand{'s' if hands > 1 else ''}"
        elif minutes is not None:
            length = f"for {minutes} minute{'s' if minutes > 1 else ''}"
        return f"Level {self.level}: {self.stakes.text}, {length}."

    def settle(self, match: Match, settlement: Settlement) -> Match:
        """The match after a hand, with the stakes of the next one; players who cannot pay those are not dealt in.

        Chips move at the smallest stakes, so that nobody is sent away for those of the hand that is over.
        """
        match = match.charge(self.stakes.smallest()).record(settlement)
        self._hands += 1
        if self._due():
            self.level += 1
            self._hands, self._begun = 0, self._clock()
        return self.charge(match)

    def charge(self, match: Match) -> Match:
        """The match with the stakes of the level under way, or what its stacks can pay of them."""
        return match.charge(self.stakes.payable([match.stacks[player] for player in match.seated]))

    def _due(self) -> bool:
        hands, minutes = self._table.hands(self.level), self._table.minutes(self.level)
        played = self._clock() - self._begun
        return self._hands == hands or (minutes is not None and played >= 60 * minutes)


#: The person's place among the players.
ME = 0


@dataclass(frozen=True, slots=True)
class Player:
    """A player at the table, a house bot or the person."""

    name: str
    strategy: Strategy


@dataclass(frozen=True, slots=True)
class Setup:
    """A table before the first hand, the person in the first seat.

    Attributes:
        seat: what the seat for people knows of the game.
        players: in seat order.
        seed: all chance follows from it.
        pace: seconds between the actions of others.
        hands: to play at most; None plays until the game is over.
        levels: by which the stakes rise; None if they stay.
    """

    game: Game
    seat: GameSeat
    players: Sequence[Player]
    bridge: ThreadBridge
    seed: bytes
    pace: float
    hands: int | None = None
    levels: LevelTable | None = None


class LocalGame:
    """Games between the same players. Strategies keep what they learn from game to game."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._dealt = 0

    def run(self) -> None:
        """Play one game, from equal stacks to its end or until the person leaves."""
        bridge = self._setup.bridge
        try:
            bridge.post(Ended(self._play(), again=True))
        except LeftError:
            bridge.post(Ended("You have left the table."))
        except (StrategyError, IllegalAction) as error:
            bridge.post(Ended(f"The game cannot go on: {error}"))

    def _play(self) -> str:
        setup, number = self._setup, 0
        match = setup.game.start(len(setup.players))
        levels = LocalLevels(setup.game, setup.levels) if setup.levels else None
        match = levels.charge(match) if levels else match
        told_level = 0
        setup.bridge.post(Begun(setup.game))
        if setup.game.announced:
            for seat, player in enumerate(setup.players):
                tell(player.strategy, GameInfo.about(setup.game, seat, len(setup.players)))
        setup.bridge.post(Chips(match.stacks[ME]))
        while not match.over and ME in match.seated and number != setup.hands:
            number += 1
            self._dealt += 1  # over all games, so that playing again deals other cards
            if levels and levels.level != told_level:
                told_level = levels.level
                setup.bridge.post(Said(levels.text))
            chance = setup.game.chance
            hand = match.deal(chance.outcome(chance.draw(setup.seed, 0, self._dealt)))
            settlement = _HandAtTable(setup, match, number, _level_in_short(levels)).play(hand)
            match = levels.settle(match, settlement) if levels else match.record(settlement)
            setup.bridge.post(Chips(match.stacks[ME]))
            setup.bridge.wait_for_next_hand()
        return _outcome(levels.stakes.text if levels else setup.game.fee, match)


def _level_in_short(levels: LocalLevels | None) -> str:
    """The level under way for the status line; empty without levels."""
    return f"level {levels.level} ({'/'.join(map(str, levels.stakes.facts.values()))})" if levels else ""


def _outcome(fee: str, match: Match) -> str:
    """How the game ended for the person, in words; ``fee`` is what the next hand asks for."""
    mine = match.stacks[ME]
    better = sum(stack > mine for stack in match.stacks)
    if ME not in match.seated:
        return (
            f"You are out: {plural(mine, 'chip')} cannot pay {fee}." if mine else "You are out: you have no chips left."
        )
    if better:
        others = "another player has" if better == 1 else f"{better} others have"
        return f"The game is over: you have {plural(mine, 'chip')}, and {others} more."
    equal = match.stacks.count(mine) > 1
    return f"The game is over: a draw, with {mine} chips." if equal else f"You have won, with {mine} chips."


class _HandAtTable:
    """One hand, shown event by event, as at a dealer's table."""

    def __init__(self, setup: Setup, match: Match, number: int, level: str) -> None:
        self._setup = setup
        self._match = match
        self._bridge = setup.bridge
        self._number = number
        self._level = level
        self._seated = match.seated
        self._me = match.seated.index(ME)
        self._strategies = [setup.players[player].strategy for player in match.seated]
        self._events = HandEvents(0, number, 1, 1, match.seated)
        self._entered = False

    def play(self, hand: Hand) -> Settlement:
        """Play and settle it.

        Raises:
            LeftError: the person has left.
            StrategyError: a bot failed.
        """
        dealt, street = self._events.begin(hand)
        names = [self._setup.players[player].name for player in self._seated]
        self._table = SeenTable(self._setup.game, self._setup.seat, self._number, names, self._me, dealt, self._level)
        self._say(self._table.hear(street))
        situation = Situation.begin(self._setup.game, self._match, hand, self._me)
        while (seat := hand.to_act) is not None:
            if seat == self._me:
                self._table.ask(hand.view(seat))
            self._show()
            self._bridge.put = self._table.put
            self._bridge.situation = situation if self._setup.seat.coach else None
            if seat != self._me:
                self._bridge.pause(self._setup.pace)
            action = answer(self._strategies[seat], hand.view(seat))
            self._entered |= seat == self._me and hand.number == 1 and isinstance(action, Bet) and action.amount > 0
            after = hand.apply(action)
            for event in self._events.step(Step(hand, seat, action, None, None), after):
                self._say(self._table.hear(event))
            situation, hand = situation.acted(action, after), after
        return self._settle(hand)

    def _show(self) -> None:
        self._bridge.post(Shown(self._table.scene(), self._table.spot()))

    def _settle(self, hand: Hand) -> Settlement:
        """Divide the pot, and show who won it; at a showdown all cards still in are turned up."""
        settlement = hand.settle()
        for strategy, status in zip(self._strategies, settlement.statuses(), strict=True):
            tell(strategy, status)
        self._say(self._table.end(hand_seen(self._setup.game, self._number, hand, settlement)))
        self._bridge.post(HandOver(settlement.payoffs[self._me], self._entered, settlement.why(self._me)))
        self._show()
        return settlement

    def _say(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._bridge.post(Said(line))


def hand_seen(game: Game, number: int, hand: Hand, settlement: Settlement) -> HandSeen:
    """The end of a hand with that number, as everybody at a table of house bots sees it."""
    public, showdown = hand.public(), hand.live if len(hand.live) > 1 else ()
    seats = []
    for seat, share in enumerate(settlement.shares):
        cards = (*hand.hole(seat), *public.seats[seat].up) if seat in showdown else ()
        worth = game.describe((*cards, *public.board)) if cards else ""
        seats.append(SeatSeen(texts(cards), worth, share, settlement.why(seat), hand.stacks[seat] + share))
    return HandSeen(0, number, hand.pot, settlement.carried, tuple(seats))
