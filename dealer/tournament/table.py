"""A table: it takes a deal from the ledger, asks each seat in turn, records the hand, and tells its result."""

from collections.abc import Mapping, Sequence
from math import inf

import structlog

from dealer.audit.hands import ReplayedHand, play_again
from dealer.faults import FaultKind, SeatLost
from dealer.journal.records import CorrectionNote
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import Deal, HandRecord, PlayedHand
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from dealer.telling.hand_events import HandEvents, Listener, LiveHand
from dealer.telling.phrases import action_phrase, end_phrases, harmless, question_phrase, seconds_phrase
from dealer.telling.seen_hand import RAIL, SeenHand, seen_hand
from dealer.tournament.people import PeopleAtHand
from dealer.tournament.presence import Presence
from dealer.tournament.tempo import ActionPauses
from dealer.tournament.time_account import TimeAccount
from protocol.events import FOLD_CHIPS, Acted, AtTable, Dealt, StreetDealt
from protocol.games.base import FOLD, Action, Bet, Hand, IllegalAction
from protocol.games.game import Game
from protocol.plurals import plural
from protocol.wire.acpc import NEEDLESS_FOLD, HandText
from protocol.wire.messages import Correction, ShownTurn
from protocol.wire.text import load_text

#: Seconds from one hand of a table that is told action by action to the next, at least; more where there are more than
#: ``MANY_TABLES``. At full speed each hand is told when it is over: all of their actions would cost too much, and they
#: would be too fast for anybody.
TOLD_SECONDS = 1.0
MANY_TABLES = 20

#: After so many questions, those of all tables together, other tasks run, however fast programs reply: 2 to 4 ms.
AT_ONCE = 100


class WatchedTable:
    """The hands of one table as they can be watched, whether they are played now or shown again from a journal.

    Attributes:
        record: of the hand under way, which grows with it; None between two hands.
        last: the last hand that was played to its end; None before there is one. It is written when ``record`` is None.
    """

    def __init__(self) -> None:
        self.record: HandRecord | None = None
        self.last: PlayedHand | None = None

    @property
    def in_play(self) -> HandRecord | None:
        """A copy of the record of the hand under way; None between two hands.

        It is made when it is asked for: a copy after every decision would slow all tables down for one that is watched.
        """
        if self.record is None:
            return None
        deal, actions, faults, corrections = self.record
        return HandRecord(deal, [*actions], [*faults], [*corrections])

    @property
    def decisions_in_play(self) -> int:
        """Questions answered in the hand under way, which the ledger has not counted yet."""
        return 0 if self.record is None else self.record.decisions


class FollowedHand:
    """One hand as programs of the ACPC follow it: they are told each of its states, and not only their turns.

    Args:
        game: what is played, which must have a text for programs of the ACPC.
        deal: of the hand.
        hand: before its first action.
        players: who are dealt in, by seat.
    """

    def __init__(self, game: Game, deal: Deal, hand: Hand, players: Sequence[Player]) -> None:
        text = load_text(game.name).acpc
        assert text is not None, f"{game.name} has no text for programs of the ACPC"
        self._text = HandText(text, text.sized(game), hand, deal.number - 1, len(deal.match.stacks))
        self._players = players

    def act(self, seat: int, action: Action, after: Hand) -> None:
        """Note an action, which ``tell`` then tells."""
        self._text.act(seat, action, after)

    def tell(self) -> None:
        """Tell everybody who follows how the hand stands. It is sent with the next question, or soon after."""
        for seat, player in enumerate(self._players):
            connection = player.seat
            if connection is not None and connection.follows:
                connection.tell(self._text.shown(seat))

    def tell_end(self, played: PlayedHand, seat: int, connection: Seat) -> None:
        """Tell one player how the hand ended, if its program follows hands."""
        if connection.follows:
            shown = [other for other, _ in played.settlement.shown]
            connection.tell(self._text.shown_at_end(seat, shown))


class Table(WatchedTable):
    """Plays the hands that the ledger deals to one table, one after the other.

    Args:
        state: the table in the ledger.
        ledger: of the tournament.
        journal: where every hand is written before anyone is told its result.
        presence: is told of players who give no acceptable answer, and of corrected actions.
        pauses: between the actions of slow hands.
        listeners: are told hands action by action, see ``TOLD_SECONDS``. Others may be added and removed at any time.
        log_steps: whether every step of every hand goes to the log.
    """

    def __init__(
        self,
        state: TableState,
        ledger: Ledger,
        journal: Journal,
        presence: Presence,
        pauses: ActionPauses,
        *,
        listeners: Sequence[Listener] = (),
        log_steps: bool = False,
    ) -> None:
        super().__init__()
        self.state = state
        self.pauses = pauses
        self._ledger = ledger
        self._journal = journal
        self._presence = presence
        self._game = ledger.settings.game
        self._time_account = TimeAccount.of(ledger)
        self._listeners = listeners
        self._told = -inf
        self._told_apart = TOLD_SECONDS * max(1.0, len(ledger.seating.round_tables) / MANY_TABLES)
        self._hand_log = HandLog(self._game, ledger.players) if log_steps else None
        self._followed: FollowedHand | None = None
        self._people: PeopleAtHand | None = None
        self._corrections: list[CorrectionNote] = []
        self._to_tell: list[tuple[Player, Seat | None]] = []
        self._asked = 0
        self._in_a_row = max(AT_ONCE // len(ledger.seating.round_tables), 1)

    async def play_hand(self) -> None:
        """Play one hand from ante to payoff, record it, and only then tell its result."""
        self.last = played = await self.play(self._ledger.deal(self.state, self._ledger.next_deck(self.state)))
        # The record is written before chips move or anybody is told: if the dealer dies before that, the hand is
        # void for all; after that, it counts for all.
        if self._journal.is_read:
            self._journal.record(played.told)
        await self._journal.saved()
        self._ledger.finish(self.state, played)
        self.tell_results(played)

    async def play(self, deal: Deal) -> PlayedHand:
        """Play a hand from ante to payoff. Nobody is told how it ended until ``tell_results``."""
        self._corrections = []
        self.record = record = HandRecord(deal, [], [], self._corrections)
        players = [self._ledger.players[number] for number in deal.players]
        self._people = None
        if any(player.watches for player in players):
            self._people = self._presence.people[self.state] = PeopleAtHand(players)
        hand = deal.begin(self._game)
        live = self._live(deal, record)
        if live is not None:
            live.begin(hand)
        followed = None if self._ledger.settings.acpc is None else FollowedHand(self._game, deal, hand, players)
        self._followed = followed
        pauses, log, actions = self.pauses, self._hand_log, record.actions
        while (seat := hand.to_act) is not None:
            if pauses.due(len(actions)):
                await pauses.wait(len(actions))
            if followed is not None:
                # Not before the pause: a program answers the state as soon as it comes, and it must be asked by then.
                followed.tell()
            if log is not None:
                log.asked(hand, seat)
            before, hand = hand, await self._ask(hand, seat, players[seat], record)
            if live is not None:
                live.acted(before, hand)
            if followed is not None:
                _, chips, _ = actions[-1]
                followed.act(seat, FOLD if chips == FOLD_CHIPS else Bet(chips), hand)
        pauses.hand_over(len(actions))
        self._to_tell = [(player, player.seat) for player in players]
        return PlayedHand(record, hand, hand.settle())

    def tell_results(self, played: PlayedHand) -> None:
        """Tell every player of the hand just played how it ended. Call it when the record is written.

        A player who has come back since on another connection is told nothing: that connection did not play the hand.
        """
        self.record = None
        if self._hand_log is not None:
            self._hand_log.ended(played)
        if self._people is not None:
            self._people.end(played, self._game, self._ledger.players)
            del self._presence.people[self.state]
        statuses = played.settlement.statuses()
        for seat, (player, connection) in enumerate(self._to_tell):
            if connection is not None and player.seat is connection:
                if self._followed is not None:
                    self._followed.tell_end(played, seat, connection)
                if statuses[seat] is not None:
                    connection.tell(statuses[seat])

    def _live(self, deal: Deal, record: HandRecord) -> LiveHand | None:
        """Tells the hand action by action; None if nobody is told so."""
        listeners: list[Listener] = [] if self._hand_log is None else [self._hand_log.hear]
        if self._people is not None:
            listeners.append(self._people.hear)
        if self._listeners and self.pauses.dealt >= self._told + self._told_apart:
            self._told = self.pauses.dealt
            listeners += self._listeners
        if not listeners:
            return None
        return LiveHand(HandEvents.of_deal(deal, self.state.game), record, listeners)

    async def _ask(self, hand: Hand, seat: int, player: Player, record: HandRecord) -> Hand:
        """The hand after the player's answer, or after a fold or a check if no acceptable answer came."""
        connection, within = player.seat, inf
        while connection is not None:
            try:
                follows = self._followed is not None and connection.follows
                if follows and self._time_account is not None:
                    connection.time_left = self._time_account.left(player, seat, record)
                self._asked += 1
                if self._people is not None:
                    self._people.catch_up(player)
                at_once = self._asked % self._in_a_row > 0
                turn = ShownTurn(hand.legal()) if follows else hand.view(seat)
                action = await connection.ask(turn, at_once=at_once, within=within)
                correction = connection.correction if follows else None
                if not isinstance(action, Bet) and self._must_check(hand):
                    action, correction = Bet(0), NEEDLESS_FOLD
                after = hand.apply(action)
            except SeatLost as lost:
                back = await self._presence.back_through_page(player, connection, lost)
                if back is not None:
                    connection, within = player.seat, min(within, back)
                    continue
                # A player who has come back on another connection meanwhile lost the old one only, and is not judged.
                if player.seat is connection:
                    self._judge(player, lost, seat, record)
            except IllegalAction as illegal:
                self._judge(player, SeatLost(FaultKind.ILLEGAL, str(illegal), connected=True), seat, record)
            else:
                if correction is not None:
                    self._note_correction(player, correction, record)
                chips = action.amount if isinstance(action, Bet) else FOLD_CHIPS
                record.actions.append((seat, chips, int(connection.reply_seconds * 1e6)))
                return after
            break
        if self._must_check(hand):
            record.actions.append((seat, 0, None))
            return hand.apply(Bet(0))
        record.actions.append((seat, FOLD_CHIPS, None))
        return hand.concede()

    def _must_check(self, hand: Hand) -> bool:
        """Whether a check takes the place of a fold: programs of the ACPC know no fold of a seat that owes nothing."""
        return self._followed is not None and not hand.legal().to_call

    def _note_correction(self, player: Player, correction: Correction, record: HandRecord) -> None:
        """Note how the answer just given was corrected."""
        self._corrections.append((len(record.actions), correction.asked))
        self._presence.note_correction(player, correction.reason)

    def _judge(self, player: Player, lost: SeatLost, seat: int, record: HandRecord) -> None:
        """Have a player judged who gave no acceptable answer, and note the fault if it was one."""
        if self._presence.judge(player, lost):
            record.faults.append((seat, lost.fault.kind, lost.fault.reason))


log = structlog.get_logger()


class HandLog:
    """Logs the steps of hands at a table in words, at the level debug; each line has the numbers of table and hand.

    It tells what every spectator sees: no card that lies face down. The cards of a showdown and the result follow when
    the record of the hand is written. Hole cards that were not shown are in the journal alone.
    """

    def __init__(self, game: Game, players: Sequence[Player]) -> None:
        self._game = game
        self._players = players
        self._names: tuple[str, ...] = ()
        self._where: Mapping[str, int] = {}

    def hear(self, event: AtTable) -> None:
        """Log an event of a hand under way."""
        match event:
            case Dealt():
                self._dealt(event)
            case StreetDealt():
                self._street(event)
            case Acted():
                self._action(event)

    def _dealt(self, deal: Dealt) -> None:
        """A hand begins: who is dealt in, and what each seat has to put in before the first choice."""
        seated = [self._players[number] for number in deal.players]
        self._names = tuple(f"{harmless(player.avatar)} (seat {seat})" for seat, player in enumerate(seated))
        self._where = {"table": deal.table, "hand": deal.hand}
        stacks = [f"{name} has {chips}" for name, chips in zip(self._names, deal.stacks, strict=True)]
        self._say(f"hand {deal.hand} is dealt at level {deal.level}: {', '.join(stacks)}")
        if deal.button is not None:
            self._say(f"{self._names[deal.button]} has the button")
        for name, ante, blind in zip(self._names, deal.antes, deal.blinds, strict=True):
            if ante:
                self._say(f"{name} pays {ante} into the pot")
            if blind:
                self._say(f"{name} posts {blind}")

    def asked(self, hand: Hand, seat: int) -> None:
        """A seat is asked for its choice."""
        self._say(f"{self._names[seat]} is asked: {question_phrase(hand.legal(), hand.pot, hand.stacks[seat])}")

    def ended(self, played: PlayedHand) -> None:
        """A hand is over and written: cards that were shown, who collects what and why, and the new stacks."""
        steps, _ = play_again(played.deal.begin(self._game), played.record)
        replayed = ReplayedHand.of(played, steps, self._players)
        self._result(seen_hand(replayed, self._game, RAIL, end_only=True))

    def _say(self, text: str) -> None:
        log.debug(text, **self._where)

    def _street(self, street: StreetDealt) -> None:
        cards = [f"board {' '.join(street.board)}"] if street.board else []
        cards += [f"{self._names[seat.seat]} has {' '.join(seat.cards)} face up" for seat in street.seats if seat.cards]
        self._say(f"street {street.street} begins, pot {street.pot}{': ' if cards else ''}{', '.join(cards)}")
        for number, (chips, seats) in enumerate(street.pots):
            pot = f"side pot {number}" if number else "the main pot"
            self._say(f"{pot} has {plural(chips, 'chip')}, for {', '.join(self._names[seat] for seat in seats)}")

    def _action(self, act: Acted) -> None:
        pot = f", pot {act.pot + act.chips}" if act.chips else ""
        time = "" if act.microseconds is None else f", after {seconds_phrase(act.microseconds)}"
        self._say(f"{self._names[act.seat]} {action_phrase(act)}{pot}{time}")

    def _result(self, seen: SeenHand) -> None:
        for told in seen.told:
            self._say(f"{self._names[told.seat]} shows {' '.join(told.cards)}: {told.worth}")
        for number, words in end_phrases(seen.collected, seen.carried):
            self._say(words if number is None else f"{self._names[number]} {words}")
        stacks = [f"{self._names[seat.seat]} {seat.after} ({seat.after - seat.before:+})" for seat in seen.seats]
        self._say(f"hand {seen.hand} is over: {', '.join(stacks)}")
