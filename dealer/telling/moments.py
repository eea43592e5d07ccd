"""The course of a tournament, from its events: who led, who fell and by whom, the largest pots, and rare hands.

``Course`` hears events, as they happen or from a journal, and says what is worth seeing: to the page, to files that
replay a tournament, and to reports.
"""

from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from dealer.telling.phrases import OUT
from protocol.events import Event, Figures, HandOver, Left, Readmitted, RoundBegun
from protocol.games.base import FOLDED

#: Hands after which a pot can be called the largest, and somebody a new leader; before that, each would be.
EARLY_HANDS = 20

#: A winning hand is rare if at most one pot in so many was won with its kind.
RARE = 50

#: Hands from one new leader who is worth seeing to the next, at least: the lead may change all the time.
LEADER_HANDS = 10

#: Seconds for the same at least where hands are played now: on fast tables ten of them take no time.
LEADER_SECONDS = 10.0

#: Hands with the largest pots that are kept.
LARGEST = 3

#: The last changes of the lead that are kept.
LEADS = 5

#: What is kept of a hand.
Entry = TypeVar("Entry")

#: A hand as it is kept whole.
Kept = TypeVar("Kept", bound=HandOver)


class Moment(NamedTuple):
    """Something that is worth seeing, mostly a hand, and why.

    Attributes:
        kind: "out", "leader", "pot" or "rare"; files that replay a tournament have more. From figures follow "level",
            and the stages of ``Figures``.
        table: from 0.
        hand: its number at the table, from 1; 0 for what happens in no hand.
        player: whom it is about, by number: who is out, leads, or won most; None for nobody.
        amount: chips of the pot or of the leader, or the level; else 0.
        words: what everybody may know: why a player is out, or the kind of its fault; what a rare hand was won with.
        reason: of a fault, for the host and the player itself.
    """

    kind: str
    table: int = 0
    hand: int = 0
    player: int | None = None
    amount: int = 0
    words: str = ""
    reason: str | None = None


class Fall(NamedTuple):
    """A player who was out, of the tournament or of a round, and the number of who won its last chips, if anybody."""

    left: Left
    by: int | None


class Lead(NamedTuple):
    """A player who had the most chips from a hand on; ``before`` led until then, if anybody did."""

    player: int
    table: int
    hand: int
    before: int | None


class LargestPots(Generic[Entry]):
    """The hands with the largest pots, at most ``most`` of them: the largest first, of equal ones the first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pots: list[tuple[int, Entry]] = []

    @property
    def hands(self) -> list[Entry]:
        return [hand for _, hand in self._pots]

    def takes(self, chips: int) -> bool:
        """Whether a pot of so many chips would be among them."""
        return len(self._pots) < self._most or chips > self._pots[-1][0]

    def add(self, chips: int, hand: Entry) -> bool:
        """Keep a hand if its pot is among the largest; whether it is the largest so far."""
        insort(self._pots, (chips, hand), key=lambda pot: -pot[0])
        del self._pots[self._most :]
        return self._pots[0][1] is hand


class BestHands(Generic[Kept]):
    """The hands with the largest pots, and the one in which each player won most: what is told of a tournament's end.

    Attributes:
        largest: see ``LargestPots``.
        won: chips and the hand, by the number of the player.
    """

    def __init__(self) -> None:
        self.largest: LargestPots[Kept] = LargestPots(LARGEST)
        self.won: dict[int, tuple[int, Kept]] = {}

    def add(self, hand: Kept) -> bool:
        """Keep a hand if it is one of them; whether its pot is the largest so far."""
        for player, chips in zip(hand.players, hand.payoffs, strict=True):
            if chips > 0 and (player not in self.won or chips > self.won[player][0]):
                self.won[player] = chips, hand
        return self.largest.takes(hand.pot) and bool(chips_collected(hand)) and self.largest.add(hand.pot, hand)

    @property
    def hands(self) -> list[Kept]:
        """All of them, in the order in which they were played at each table."""
        kept = [*self.largest.hands, *(hand for _, hand in self.won.values())]
        unique = {(hand.table, hand.hand): hand for hand in kept}
        return [unique[place] for place in sorted(unique)]


class WinningKinds:
    """Counts the kinds of cards that main pots were won with; a kind that is not known is empty, and never rare."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def note(self, kind: str, hands: int) -> bool:
        """Count a hand; whether what its main pot was won with is rare among so many hands."""
        self._counts[kind] += 1
        return self._is_rare(kind, hands)

    def rarest(self, hands: int) -> tuple[str, int] | None:
        """The rarest kind among so many hands, and how often it won; None if no kind is rare."""
        rare = [(count, kind) for kind, count in self._counts.items() if self._is_rare(kind, hands)]
        count, kind = min(rare, default=(0, ""))
        return (kind, count) if count else None

    def _is_rare(self, kind: str, hands: int) -> bool:
        return self._counts[kind] * RARE <= hands and kind not in ("", FOLDED)


class Leads:
    """The player who has won most chips, alone, hand by hand in one round; players who are out do not lead.

    All begin a round with equal stacks. Where others dealt the hands they need not, and still count from the same
    number.

    Attributes:
        changes: how often somebody took the lead from somebody else.
        latest: the last ``LEADS`` times that somebody took it.
        leader: who has it, by number; None if nobody has it alone.
        out: players who are out; who leads then is seen after the next hand.
    """

    def __init__(self) -> None:
        self.changes = 0
        self.latest: list[Lead] = []
        self.leader: int | None = None
        self.out: set[int] = set()
        self._began: dict[int, int] = {}
        self._won: Counter[int] = Counter()
        self._hands = 0
        self._told: int | None = None
        self._told_at = 0

    def add(self, hand: HandOver) -> Iterator[Moment]:
        """Count the chips of a hand; a moment if a new leader is worth seeing."""
        self._hands += 1
        for player, stack, payoff in zip(hand.players, hand.stacks, hand.payoffs, strict=True):
            self._began.setdefault(player, 0 if hand.dealt_again else stack)
            self._won[player] += payoff
        still_in = {player: chips for player, chips in self._won.items() if player not in self.out}
        most = max(still_in.values(), default=0)
        first = [player for player, chips in still_in.items() if chips == most]
        self.leader = first[0] if len(first) == 1 else None
        if self.leader is not None:
            before = self.latest[-1].player if self.latest else None
            if self.leader != before:
                self.changes += before is not None
                self.latest = [*self.latest[1 - LEADS :], Lead(self.leader, hand.table, hand.hand, before)]
            if self.is_news(self.leader, self._hands):
                yield Moment("leader", hand.table, hand.hand, self.leader, self._began[self.leader] + most)

    def is_news(self, leader: int, hands: int, pause: float = LEADER_HANDS) -> bool:
        """Whether it is worth seeing that a player leads; at the beginning the lead changes all the time.

        Args:
            leader: by number.
            hands: so far.
            pause: hands from one new leader to the next, at least.
        """
        if leader == self._told:
            return False
        is_early = self._told is None or hands <= EARLY_HANDS
        if not is_early and hands < self._told_at + pause:
            return False
        self._told, self._told_at = leader, 0 if is_early else hands
        return not is_early


class Course:
    """The course of a tournament, which follows from its events.

    Args:
        hands: that were played before the first that is heard.
        live: whether figures are heard as well. Then they say who leads. From a journal, chips won hand by hand do.

    Attributes:
        falls: in the order in which they happened, of all rounds, without players who were let in again.
        leads: of the last round; from a journal.
        best: hands of all rounds.
    """

    def __init__(self, hands: int = 0, *, live: bool = False) -> None:
        self.falls: list[Fall] = []
        self.leads = Leads()
        self.best: BestHands[HandOver] = BestHands()
        self._hands = hands
        self._live = live
        self._figures: Figures | None = None
        self._kinds, self._won_with = WinningKinds(), dict[str, HandOver]()
        self._last_at: dict[int, HandOver] = {}
        self._last_won: dict[int, HandOver] = {}

    @property
    def largest(self) -> list[HandOver]:
        """The hands with the largest pots, see ``LargestPots``."""
        return self.best.largest.hands

    @property
    def rarest(self) -> tuple[HandOver, int] | None:
        """The last hand whose main pot was won with the rarest kind of cards, and how often; None if none was rare."""
        rarest = self._kinds.rarest(self._hands)
        return rarest and (self._won_with[rarest[0]], rarest[1])

    def hear(self, event: Event) -> list[Moment]:
        """Take the next event, in the order of the journal; what is worth seeing now."""
        match event:
            case RoundBegun():
                self.leads = Leads()
                self._come_back(event.readmitted)
            case Readmitted():
                self._come_back([event.player])
            case Left():
                return [self._fall(event)]
            case HandOver():
                return list(self._add(event))
            case Figures():
                return list(self._look(event))
        return []

    def hand_of(self, moment: Moment) -> HandOver | None:
        """The hand to see for a moment that was told just now; None if it is not known, or it was ended by a fault."""
        kept = self._last_won.get(moment.player or 0) if moment.kind == "leader" else self._last_at.get(moment.table)
        return kept if kept and kept.hand == moment.hand and moment.reason is None else None

    def _add(self, hand: HandOver) -> Iterator[Moment]:
        self._last_at[hand.table] = hand
        self._last_won |= {player: hand for player, chips in zip(hand.players, hand.payoffs, strict=True) if chips > 0}
        self._hands += 1
        if self.best.add(hand) and self._hands > EARLY_HANDS and max(hand.payoffs) > 0:
            yield Moment("pot", hand.table, hand.hand, hand.players[best_seat(hand.payoffs)], hand.pot)
        for pot in hand.pots[:1]:
            if pot.shares:
                self._won_with[pot.kind] = hand
                if self._kinds.note(pot.kind, self._hands):
                    seat, _ = pot.shares[0]
                    yield Moment("rare", hand.table, hand.hand, hand.players[seat], words=pot.kind)
        if not self._live:
            yield from self.leads.add(hand)

    def _look(self, figures: Figures) -> Iterator[Moment]:
        """What is worth seeing in new figures; nothing of what was before the first is news."""
        before, self._figures = self._figures or figures, figures
        if figures.level is not None and figures.level != before.level:
            yield Moment("level", amount=figures.level)
        if figures.stage is not None and figures.stage != before.stage:
            yield Moment(figures.stage)
        first = [row for row in figures.rows if row.place == 1]
        pause = max(LEADER_HANDS, LEADER_SECONDS * figures.hands_per_second)
        if len(first) == 1 and self.leads.is_news(first[0].player, self._hands, pause):
            won = self._last_won.get(first[0].player)
            table, hand = (0, 0) if won is None else (won.table, won.hand)
            yield Moment("leader", table, hand, first[0].player, round(first[0].score))

    def _fall(self, event: Left) -> Moment:
        by = None if event.kind is not None else self._knocked_out_by(event.player, self._last_at.get(event.table))
        self.falls.append(Fall(event, by))
        self.leads.out.add(event.player)
        told = None if event.reason is None else event.reason.removeprefix(OUT)
        words, reason = (told or "", None) if event.kind is None else (event.kind, told)
        return Moment("out", event.table, event.hand, event.player, words=words, reason=reason)

    def _come_back(self, players: Collection[int]) -> None:
        """Players whom the host has let in again have not fallen."""
        self.falls = [fall for fall in self.falls if fall.left.player not in players]
        self.leads.out.difference_update(players)

    @staticmethod
    def _knocked_out_by(player: int, hand: HandOver | None) -> int | None:
        """The player who won most of the last chips of another; None if some are left, which do not pay for a hand.

        What each player put in is shared among the winners by their shares of the pot. So it is who collected most.
        """
        if hand is None or player not in hand.players:
            return None
        seat = hand.players.index(player)
        if hand.stacks[seat] + hand.payoffs[seat] > 0:
            return None
        collected = chips_collected(hand)
        return hand.players[max(sorted(collected), key=collected.__getitem__)] if collected else None


def best_seat(payoffs: Sequence[int]) -> int:
    """The seat that won most chips of others; of equal ones the first."""
    return max(range(len(payoffs)), key=payoffs.__getitem__)


def chips_collected(hand: HandOver) -> Counter[int]:
    """The chips that seats collected from all pots of a hand, by the number of the seat."""
    collected: Counter[int] = Counter()
    for pot in hand.pots:
        collected.update({seat: chips for seat, chips in pot.shares if chips})
    return collected


def won_with(hand: HandOver, seat: int) -> str:
    """With what a seat won its pots, in words and cards: "a flush, king high"; empty if all others had folded."""
    won = (pot for pot in hand.pots if seat in dict(pot.shares) and pot.kind != FOLDED)
    return " and ".join(dict.fromkeys(pot.why for pot in won if pot.why is not None))
