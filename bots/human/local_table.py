"""A table in this process: house bots and a person, driven by the loop that every driver of a hand uses."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bots.human.card_pictures import words
from bots.human.game_seat import always_call
from bots.human.narration import YOU, move, result, sentence, told, winners
from bots.human.thread_bridge import LeftError, ThreadBridge
from bots.human.updates import Begun, Chips, Ended, HandOver, Said, Scene, SeatView, Shown, Spot
from bots.strategy import Strategy, StrategyError, answer, tell
from dealer.decision_value.situation import Situation
from protocol.games.base import Action, Bet, Hand, IllegalAction, PublicHand, Settlement
from protocol.games.game import Game
from protocol.games.level_table import LevelTable
from protocol.games.match import Match
from protocol.games.stakes import Stakes
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
        players: in seat order.
        seed: all chance follows from it.
        pace: seconds between the actions of others.
        cards: how many a seat has at the end of a hand; the picture keeps room for them.
        hands: to play at most; None plays until the game is over.
        all_in: whether a seat without chips stays in the hand.
        levels: by which the stakes rise; None if they stay.
        pay_word: what it is called to pay what is owed.
    """

    game: Game
    players: Sequence[Player]
    bridge: ThreadBridge
    seed: bytes
    pace: float
    cards: int
    hands: int | None = None
    all_in: bool = False
    levels: LevelTable | None = None
    pay_word: Callable[[Any], str] = always_call


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

    def leave(self) -> None:
        """Let the person leave; ``run`` ends soon."""
        self._setup.bridge.leave()

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
    """One hand, shown step by step."""

    def __init__(self, setup: Setup, match: Match, number: int, level: str) -> None:
        self._setup = setup
        self._match = match
        self._bridge = setup.bridge
        self._number = number
        self._level = level
        self._seated = match.seated
        self._me = match.seated.index(ME)
        self._strategies = [setup.players[player].strategy for player in match.seated]
        self._names = [YOU if player == ME else setup.players[player].name for player in match.seated]
        self._views = [SeatView(name) for name in self._names]
        self._entered = False

    def play(self, hand: Hand) -> Settlement:
        """Play and settle it.

        Raises:
            LeftError: the person has left.
            StrategyError: a bot failed.
        """
        self._say(f"Hand {self._number}: {len(self._seated)} players, {hand.pot} chips in the pot.")
        self._look(hand)
        self._tell_blinds(hand)
        situation = Situation.begin(self._setup.game, self._match, hand, self._me)
        while (seat := hand.to_act) is not None:
            self._show(hand)
            self._bridge.situation = situation
            if seat != self._me:
                self._bridge.pause(self._setup.pace)
            action = answer(self._strategies[seat], hand.view(seat))
            self._entered |= seat == self._me and hand.number == 1 and isinstance(action, Bet) and action.amount > 0
            after = hand.apply(action)
            self._tell(hand, after, seat, action)
            situation, hand = situation.acted(action, after), after
        return self._settle(hand)

    def _tell_blinds(self, hand: Hand) -> None:
        """Say who has put in chips before the first action."""
        for seat, public in enumerate(hand.public().seats):
            if public.put:
                self._say(told(self._names[seat], f"post {public.put}", public.put))
                self._note(seat, f"blind {public.put}")

    def _tell(self, hand: Hand, after: Hand, seat: int, action: Action) -> None:
        """Say what a seat did, and what followed from it."""
        # The notes of the seats say whether a seat has bet on this street: then more than a call is a raise, not a bet.
        opened = any(view.note.startswith(("bet", "raise", "blind")) for view in self._views)
        did = move(action, hand.legal().to_call, not opened, self._setup.pay_word(hand.view(seat)))
        self._say(told(self._names[seat], did, hand.stacks[seat] - after.stacks[seat]))
        self._note(seat, did)
        if self._setup.all_in and isinstance(action, Bet) and action.amount and action.amount == hand.stacks[seat]:
            self._say(sentence(f"{self._names[seat]} {'are' if seat == self._me else 'is'} all in."))
        for other, (before, now) in enumerate(zip(hand.stacks, after.stacks, strict=True)):
            if now > before:
                self._say(told(self._names[other], f"get {now - before}", 0)[:-1] + " back, which nobody called.")
        for gone in sorted({*hand.live} - {*after.live} - {seat}):
            self._say(sentence(f"{self._names[gone]} cannot pay what is owed, and is folded."))
            self._note(gone, "fold")
        if after.number > hand.number:
            board = after.public().board
            cards = f": {words(board)}" if board else ""
            self._say(f"Street {after.number}{cards}, {after.pot} chips in the pot.")
            for other in after.live:
                self._note(other, "")
        self._look(after)

    def _note(self, seat: int, did: str) -> None:
        self._views[seat] = replace(self._views[seat], note=did)

    def _look(self, hand: Hand) -> None:
        """Take over what everybody sees. A seat that has folded keeps the cards it had then."""
        table = hand.public()
        for seat, public in enumerate(table.seats):
            all_in = self._setup.all_in and public.live and not public.stack
            view = replace(self._views[seat], stack=public.stack, button=seat == table.button, all_in=all_in)
            if not public.live:
                self._views[seat] = replace(view, place="folded")
            elif seat == self._me:
                self._views[seat] = replace(view, hole=hand.hole(seat), up=public.up)
            else:
                self._views[seat] = replace(view, hidden=public.hidden, up=public.up)

    def _show(self, hand: Hand, headline: str = "") -> None:
        public = hand.public()
        seats = [SeatView(player.name, place="out") for player in self._setup.players]
        for seat, player in enumerate(self._seated):
            seats[player] = self._views[seat]
        to_act = None if public.to_act is None else self._seated[public.to_act]
        cards, street = self._setup.cards, public.street
        sides = tuple(chips for chips, _ in public.side_pots())
        scene = Scene(
            tuple(seats),
            ME,
            self._number,
            street,
            public.pot,
            cards,
            to_act,
            public.board,
            sides,
            headline,
            self._level,
        )
        self._bridge.post(Shown(scene, self._spot(hand, public)))

    def _spot(self, hand: Hand, public: PublicHand) -> Spot | None:
        """What the person's chances are counted from; None once it has folded or the hand is over."""
        mine, others = self._views[self._me], [view for seat, view in enumerate(self._views) if seat != self._me]
        if mine.place != "in" or public.to_act is None:
            return None
        gone = [card for view in others if view.place == "folded" for card in view.up]
        owed = max(seat.put for seat in public.seats) - public.seats[self._me].put
        if public.to_act == self._me:
            owed = hand.legal().to_call  # less, where a call takes all chips
        reach = public.seats[self._me].put + owed
        beyond = sum(max(0, seat.put - reach) for seat in public.seats)
        return Spot(
            self._setup.game,
            (*mine.hole, *mine.up),
            tuple(view.up for view in others if view.place == "in"),
            tuple(gone),
            public.pot - beyond,
            owed,
            public.board,
        )

    def _settle(self, hand: Hand) -> Settlement:
        """Divide the pot, and show who won it; at a showdown all cards still in are turned up."""
        settlement = hand.settle()
        for strategy, status in zip(self._strategies, settlement.statuses(), strict=True):
            tell(strategy, status)
        lines = result(self._setup.game, hand, settlement, self._names)
        for line in lines:
            self._say(line)
        showdown = hand.live if len(hand.live) > 1 else ()
        for seat, share in enumerate(settlement.shares):
            view = self._views[seat]
            if seat in showdown:
                view = replace(view, hole=hand.hole(seat), hidden=0)
            self._views[seat] = replace(view, won=share, stack=hand.stacks[seat] + share, all_in=False)
        self._bridge.post(HandOver(settlement.payoffs[self._me], self._entered, settlement.why(self._me)))
        self._show(hand, _headline(settlement.payoffs[self._me], self._winners(settlement) or lines[-1]))
        return settlement

    def _winners(self, settlement: Settlement) -> str:
        """Who collected how many chips, where several did; else empty: the last line of the result tells more."""
        won = [(self._names[seat], share) for seat, share in enumerate(settlement.shares) if share]
        return sentence(f"{winners(won)}.") if len(won) > 1 else ""

    def _say(self, line: str) -> None:
        self._bridge.post(Said(line))


def _headline(payoff: int, line: str) -> str:
    return f"{line} {'You gain' if payoff > 0 else 'You lose'} {abs(payoff)}." if payoff else line
