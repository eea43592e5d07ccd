"""Every step of a hand in words, for the log of a host who follows a table closely.

The log shows what every spectator sees, step by step: no card that lies face down. The cards of a showdown and the
result follow when the record of the hand is written, like everything that is told of a result. Hole cards that
were not shown are in the journal alone.
"""

from collections.abc import Mapping, Sequence

import structlog

from dealer.audit.hands import ReplayedHand, Step, play_again
from dealer.faults import Fault, FaultKind
from dealer.journal.records import FOLDED
from dealer.ledger.deal import Deal
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.lobby.player import Player
from dealer.replay.phrases import action_phrase, harmless, question_phrase, seconds_phrase
from dealer.replay.seen_hand import RAIL, Acted, SeenHand, StreetOpened, seen_hand, step_events, street_opened
from protocol.games.base import FOLD, Bet, Hand
from protocol.games.game import Game
from protocol.plurals import plural

log = structlog.get_logger()


class HandLog:
    """Logs the steps of hands at a table, at the level debug; each line has the numbers of table and hand."""

    def __init__(self, game: Game, players: Sequence[Player]) -> None:
        self._game = game
        self._players = players
        self._names: tuple[str, ...] = ()
        self._where: Mapping[str, int] = {}
        self._faults = 0

    def dealt(self, deal: Deal, hand: Hand) -> None:
        """A hand begins: who is dealt in, and what each seat has to put in before the first choice."""
        seated = [self._players[number] for number in deal.players]
        self._names = tuple(f"{harmless(player.avatar)} (seat {seat})" for seat, player in enumerate(seated))
        self._where = {"table": deal.table, "hand": deal.number}
        self._faults = 0
        public = hand.public()
        stacks = [f"{name} has {chips}" for name, chips in zip(self._names, hand.starting, strict=True)]
        self._say(f"hand {deal.number} is dealt at level {deal.level}: {', '.join(stacks)}")
        if public.button is not None:
            self._say(f"{self._names[public.button]} has the button")
        for seat, name in enumerate(self._names):
            put = public.seats[seat].put
            before = hand.starting[seat] - hand.stacks[seat] - put
            if before:
                self._say(f"{name} pays {before} into the pot")
            if put:
                self._say(f"{name} posts {put}")
        self._street(street_opened(hand), hand)

    def asked(self, hand: Hand, seat: int) -> None:
        """A seat is asked for its choice."""
        self._say(f"{self._names[seat]} is asked: {question_phrase(hand.legal(), hand.pot, hand.stacks[seat])}")

    def acted(self, before: Hand, seat: int, after: Hand, record: HandRecord) -> None:
        """A seat has acted, or the dealer for it, as the last action of the record says."""
        _, chips, microseconds = record.actions[-1]
        fault = None
        if len(record.faults) > self._faults:
            _, kind, reason = record.faults[-1]
            fault = Fault(FaultKind(kind), reason)
            self._faults = len(record.faults)
        given = Bet(chips) if chips != FOLDED else None if microseconds is None else FOLD
        seconds = None if microseconds is None else microseconds / 1e6
        asked = dict(record.corrections).get(len(record.actions) - 1)
        for event in step_events(Step(before, seat, given, seconds, fault, asked), after, RAIL):
            if isinstance(event, Acted):
                self._action(event)
            else:
                self._street(event, after)

    def ended(self, played: PlayedHand) -> None:
        """A hand is over and written: cards that were shown, who collects what and why, and the new stacks."""
        deal, record = played.deal, played.record
        steps, last = play_again(deal.begin(self._game), record)
        seated = tuple([self._players[number] for number in deal.players])
        replayed = ReplayedHand(
            0, deal.table, deal.number, 1, deal.level, seated, tuple(steps), last, played.settlement, deal.match
        )
        self._result(seen_hand(replayed, self._game, RAIL, end_only=True))

    def _say(self, text: str) -> None:
        log.debug(text, **self._where)

    def _street(self, street: StreetOpened, hand: Hand) -> None:
        cards = [f"board {' '.join(street.board)}"] if street.board else []
        cards += [f"{self._names[seat.seat]} has {' '.join(seat.cards)} face up" for seat in street.seats if seat.cards]
        self._say(f"street {street.street} begins, pot {street.pot}{': ' if cards else ''}{', '.join(cards)}")
        for number, (chips, seats) in enumerate(hand.public().side_pots()):
            pot = f"side pot {number}" if number else "the main pot"
            self._say(f"{pot} has {plural(chips, 'chip')}, for {', '.join(self._names[seat] for seat in seats)}")

    def _action(self, act: Acted) -> None:
        pot = f", pot {act.pot + act.chips}" if act.chips else ""
        time = "" if act.microseconds is None else f", after {seconds_phrase(act.microseconds)}"
        self._say(f"{self._names[act.seat]} {action_phrase(act)}{pot}{time}")

    def _result(self, seen: SeenHand) -> None:
        for told in seen.told:
            self._say(f"{self._names[told.seat]} shows {' '.join(told.cards)}: {told.worth}")
        for part in seen.collected:
            self._say(f"{self._names[part.seat]} collects {part.chips} of {seen.pot}: {part.why}")
        if seen.carried:
            self._say(f"equal best cards: {seen.carried} chips wait for the next hand")
        stacks = [f"{self._names[seat.seat]} {seat.after} ({seat.after - seat.before:+})" for seat in seen.seats]
        self._say(f"hand {seen.hand} is over: {', '.join(stacks)}")
