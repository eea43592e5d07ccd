"""A table in this process: house bots and a person, driven by the loop that every driver of a hand uses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bots.human.narration import YOU, move, result, sentence, told
from bots.human.odds import CARDS_OF
from bots.human.thread_bridge import Desk, LeftError
from bots.human.updates import Chips, Ended, Said, Scene, SeatView, Shown, Spot
from bots.strategy import Strategy, StrategyError, answer, tell
from protocol.games.base import Action, Hand, IllegalAction, Settlement
from protocol.games.game import Game
from protocol.games.match import Match
from protocol.shuffle import shuffled_deck
from protocol.wire.messages import GameInfo

ME = 0
"""The person's place among the players."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table."""

    name: str
    strategy: Strategy


@dataclass(frozen=True, slots=True)
class Setup:
    """A table before the first hand, the person in the first seat.

    Attributes:
        game: what is played.
        players: in seat order.
        desk: where the person is.
        seed: every deck follows from it.
        pace: seconds between what others do.
        hands: of stud to play at most; None plays until one has all chips.
    """

    game: Game
    players: Sequence[Player]
    desk: Desk
    seed: bytes
    pace: float
    hands: int | None = None

    @property
    def poker(self) -> bool:
        """Whether poker hands decide a game of blockhead."""
        return self.game.facts.get("ranks") == "poker"


class LocalGame:
    """Games between the same players. Strategies keep what they learn from game to game."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._dealt = 0

    def run(self) -> None:
        """Play one game, from equal stacks to its end or until the person leaves."""
        desk = self._setup.desk
        try:
            desk.post(Ended(self._play(), again=True))
        except LeftError:
            desk.post(Ended("You have left the table."))
        except (StrategyError, IllegalAction) as error:
            desk.post(Ended(f"The game cannot go on: {error}"))

    def leave(self) -> None:
        """Let the person get up; ``run`` ends soon."""
        self._setup.desk.leave()

    def _play(self) -> str:
        setup, number = self._setup, 0
        match = setup.game.start(len(setup.players))
        if setup.game.announced:
            for seat, player in enumerate(setup.players):
                tell(player.strategy, GameInfo.about(setup.game, seat, len(setup.players)))
        setup.desk.post(Chips(match.stacks[ME]))
        while not match.over and ME in match.seated and number != setup.hands:
            number += 1
            self._dealt += 1
            deck = shuffled_deck(setup.seed, 0, self._dealt)
            match = match.record(_HandAtTable(setup, match, number).play(match.deal(deck)))
            setup.desk.post(Chips(match.stacks[ME]))
            setup.desk.wait_for_next_hand()
        return _outcome(setup.game, match)


def _outcome(game: Game, match: Match) -> str:
    mine = match.stacks[ME]
    better = sum(stack > mine for stack in match.stacks)
    if ME not in match.seated:
        return f"You are out: {mine} chips do not pay {game.fee}."
    if better:
        return f"The game is over: you have {mine} chips, and {better} of the others have more."
    equal = match.stacks.count(mine) > 1
    return f"The game is over: a draw, with {mine} chips." if equal else f"You have won, with {mine} chips."


class _HandAtTable:
    """One hand, shown as it goes."""

    def __init__(self, setup: Setup, match: Match, number: int) -> None:
        self._setup = setup
        self._desk = setup.desk
        self._number = number
        self._seated = match.seated
        self._strategies = [setup.players[player].strategy for player in match.seated]
        self._names = [YOU if player == ME else setup.players[player].name for player in match.seated]
        self._views = {seat: SeatView(name) for seat, name in enumerate(self._names)}

    def play(self, hand: Hand) -> Settlement:
        """Play and settle it.

        Raises:
            LeftError: the person has left.
            StrategyError: a bot failed.
        """
        self._say(f"Hand {self._number}: {len(self._seated)} players, {hand.pot} chips in the pot.")
        self._look(hand)
        while (seat := hand.to_act) is not None:
            self._show(hand)
            if self._seated[seat] != ME:
                self._desk.pause(self._setup.pace)
            turn = hand.view(seat)
            action = answer(self._strategies[seat], turn)
            after = hand.apply(action)
            self._tell(hand, after, seat, action)
            hand = after
        return self._settle(hand)

    def _tell(self, hand: Hand, after: Hand, seat: int, action: Action) -> None:
        opened = any(view.note.startswith(("bet", "raise")) for view in self._views.values())
        did = move(action, hand.legal().to_call, not opened)
        self._say(told(self._names[seat], did, hand.stacks[seat] - after.stacks[seat]))
        self._views[seat] = replace(self._views[seat], note=did)
        for gone in sorted({*hand.live} - {*after.live} - {seat}):
            self._say(sentence(f"{self._names[gone]} cannot pay what is owed, and is folded."))
            self._views[gone] = replace(self._views[gone], note="fold")
        if after.number > hand.number:
            self._say(f"Street {after.number}, {after.pot} chips in the pot.")
            for other in after.live:
                self._views[other] = replace(self._views[other], note="")
        self._look(after)

    def _look(self, hand: Hand) -> None:
        """Take note of what everybody can see; who has folded is remembered as last seen."""
        public = hand.public()
        for seat, view in self._views.items():
            if seat in hand.live:
                self._views[seat] = replace(view, stack=hand.stacks[seat], up=public.seats[seat].up)
            else:
                self._views[seat] = replace(view, stack=hand.stacks[seat], place="folded")
        me = self._seated.index(ME)
        if me in hand.live:
            self._views[me] = replace(self._views[me], hole=hand.hole(me)[0])

    def _show(self, hand: Hand, headline: str = "") -> None:
        seats = [SeatView(player.name, place="out") for player in self._setup.players]
        for seat, player in enumerate(self._seated):
            seats[player] = self._views[seat]
        to_act = None if hand.to_act is None else self._seated[hand.to_act]
        cards = CARDS_OF[self._setup.game.name]
        scene = Scene(tuple(seats), ME, self._number, hand.number, hand.pot, cards, to_act, headline)
        self._desk.post(Shown(scene, self._spot(hand)))

    def _spot(self, hand: Hand) -> Spot | None:
        """What the person may count its chances from; None once it has folded or the hand is over."""
        me = self._seated.index(ME)
        if me not in hand.live or hand.to_act is None:
            return None
        turn = hand.view(me)
        others = tuple(self._views[seat].up for seat in hand.live if seat != me)
        gone = [card for view in self._views.values() if view.place == "folded" for card in view.up]
        game = self._setup.game.name
        return Spot(game, turn.own, others, tuple(gone), turn.pot, turn.owed, self._setup.poker)

    def _settle(self, hand: Hand) -> Settlement:
        settlement = hand.settle()
        for strategy, status in zip(self._strategies, settlement.statuses(), strict=True):
            tell(strategy, status)
        lines = result(self._setup.game.name, hand, settlement, self._names, self._setup.poker)
        for line in lines:
            self._say(line)
        for seat, share in enumerate(settlement.shares):
            holds = hand.hole(seat)[0] if len(hand.live) > 1 and seat in hand.live else self._views[seat].hole
            note = f"win {share}" if share else self._views[seat].note
            stack = hand.stacks[seat] + share
            self._views[seat] = replace(self._views[seat], hole=holds, note=note, stack=stack)
        self._show(hand, _headline(settlement.payoffs[self._seated.index(ME)], lines[-1]))
        return settlement

    def _say(self, line: str) -> None:
        self._desk.post(Said(line))


def _headline(payoff: int, line: str) -> str:
    return f"{line} {'You gain' if payoff > 0 else 'You lose'} {abs(payoff)}." if payoff else line
