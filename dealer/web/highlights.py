"""Hands worth seeing, such as the largest pots; honours of the winners; and moments, which are told as they happen.

The journal tells each hand as it ends. What only a show needs is looked for in a show, where hands are few.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dealer.audit.hands import play_so_far
from dealer.journal.records import FinishedHandRecord
from dealer.ledger.played_hand import HandRecord
from dealer.telling.moments import EARLY_HANDS, WinningKinds
from protocol.events import Figures
from protocol.games.base import FOLDED, Settlement
from protocol.games.game import Game


class Win(NamedTuple):
    """A hand that a player won.

    Attributes:
        player: its number.
        chips: won in it, without those that the player had put in itself.
        pot: chips of all players.
        record: of the hand.
    """

    player: int
    chips: int
    pot: int
    record: HandRecord

    def why(self, game: Game) -> str:
        """The strength that the player won with, in words and cards; empty if it collected nothing."""
        return _settlement(self.record, game).why(self.record.deal.players.index(self.player))


class Highlight(NamedTuple):
    """A finished hand worth seeing again.

    Attributes:
        record: of the hand.
        kind: "out", "leader", "pot" or "rare".
        player: whom it is about, by number: who went out, or who won.
        words: what a rare hand was won with; else empty.
    """

    record: HandRecord
    kind: str
    player: int
    words: str = ""


class Highlights:
    """Chooses among the hands that end.

    Args:
        game: that is played.
        hands: that were played before the first that is heard.

    Attributes:
        largest: the hand with the largest pot; None before there is one.
        best: the hand in which each player won most, by number.
        newest: the last hand worth seeing; None before there is one.
    """

    def __init__(self, game: Game, hands: int = 0) -> None:
        self.largest: Win | None = None
        self.best: dict[int, Win] = {}
        self.newest: Highlight | None = None
        self._game = game
        self._hands, self._shown = hands, 0
        self._kinds = WinningKinds()
        self._won: dict[int, HandRecord] = {}

    def hear(self, record: FinishedHandRecord, played: HandRecord, *, is_show: bool, eliminates: bool) -> None:
        """Take a finished hand.

        Args:
            record: of the journal.
            played: the same hand with its deal.
            is_show: whether it may be shown again, with its cards.
            eliminates: whether a player without chips is out.
        """
        self._hands += 1
        grew = self.keep(record, played)
        if is_show:
            self._shown += 1
            won = [player for player, chips in zip(record.players, record.payoffs, strict=True) if chips > 0]
            self._won.update(dict.fromkeys(won, played))
            broke = _broke(record) if eliminates else None
            winner, is_largest = _winner(record)[0], grew and self._hands > EARLY_HANDS
            self.newest = self._choose(played, winner, broke, is_largest=is_largest) or self.newest

    def keep(self, record: FinishedHandRecord, played: HandRecord) -> bool:
        """Keep a finished hand if it is one of the best; whether its pot is the largest so far."""
        for player, chips in zip(record.players, record.payoffs, strict=True):
            if chips > 0 and (player not in self.best or chips > self.best[player].chips):
                self.best[player] = Win(player, chips, record.pot, played)
        winner, most = _winner(record)
        grew = most > 0 and (self.largest is None or record.pot > self.largest.pot)
        if grew:
            self.largest = Win(winner, most, record.pot, played)
        return grew

    def lead_taken(self, player: int) -> None:
        """Note that a player leads now: the hand that it won last is worth seeing, unless that is known already."""
        record = self._won.get(player)
        if (
            record is not None
            and self._hands > EARLY_HANDS
            and (self.newest is None or self.newest.record is not record)
        ):
            self.newest = Highlight(record, "leader", player)

    def _choose(self, played: HandRecord, winner: int, broke: int | None, *, is_largest: bool) -> Highlight | None:
        kind = self._kind(played)
        is_rare = self._kinds.note(kind, self._shown)
        if broke is not None:
            return Highlight(played, "out", broke)
        if is_largest:
            return Highlight(played, "pot", winner)
        if is_rare:
            return Highlight(played, "rare", winner, kind)
        return None

    def _kind(self, played: HandRecord) -> str:
        """The kind of strength that won the main pot."""
        pots = _settlement(played, self._game).pots
        return pots[0].kind if pots else FOLDED


def _winner(record: FinishedHandRecord) -> tuple[int, int]:
    """The player who won most in a hand, and the chips."""
    return max(zip(record.players, record.payoffs, strict=True), key=lambda payoff: payoff[1])


def _broke(record: FinishedHandRecord) -> int | None:
    """The first player who lost its last chips in a hand; None if nobody did."""
    stacks = zip(record.players, record.stacks, record.payoffs, strict=True)
    return next((player for player, stack, chips in stacks if stack > 0 >= stack + chips), None)


def _settlement(record: HandRecord, game: Game) -> Settlement:
    """Who won what in a finished hand."""
    hand = play_so_far(record.deal.begin(game), record)[1]
    return record.deal.settle(game, hand)[1]


#: Replies that a program must have given to be compared by their times.
REPLIES = 20


def honours(figures: Figures, highlights: Highlights, game: Game, *, told: bool) -> dict[str, Any]:
    """The honours of a tournament that has ended, each as numbers and words; None for one that nobody earned.

    Args:
        figures: of its end.
        highlights: the hands that were heard.
        game: that was played.
        told: whether it may be said what hands were won with.

    Returns:
        ``best`` and ``pot`` as player, chips, number of the hand, and why it was won; ``fastest`` and ``steadiest`` as
        player and milliseconds within which half of its replies came, or 99 of 100.
    """

    def win(won: Win | None, chips: int) -> list[Any] | None:
        if won is None:
            return None
        return [won.player, chips, won.record.deal.number, won.why(game) if told else ""]

    best = highlights.best.get(figures.rows[0].player) if figures.rows else None
    largest = highlights.largest
    rows = [row for row in figures.rows if row.replies >= REPLIES]
    return {
        "best": win(best, best.chips if best else 0),
        "pot": win(largest, largest.pot if largest else 0),
        "fastest": _quickest([(row.reply or 0.0, row.player) for row in rows]),
        "steadiest": _quickest([(row.slowest or 0.0, row.player) for row in rows]),
    }


def _quickest(times: Sequence[tuple[float, int]]) -> list[Any] | None:
    """The player with the shortest of at least two times, and that time."""
    if len(times) < 2:
        return None
    time, player = min(times)
    return [player, time]


#: Moments that are told at once; who comes later needs no older ones.
KEPT = 6

#: Seconds between two new leaders that are told, at least: on fast tables the lead may change many times in a second.
LEADER_SECONDS = 10.0


class Moment(NamedTuple):
    """A moment, as the page is told it.

    Attributes:
        number: rises by 1 from moment to moment.
        kind: "out", "leader", "pot", "level", "final" or "heads-up".
        player: whom it is about, by number; None for the last three.
        words: why a player is out; else empty.
        amount: chips of the leader or of the pot, or the level.
    """

    number: int
    kind: str
    player: int | None = None
    words: str = ""
    amount: int = 0


class Moments:
    """Finds moments by comparing what the page is told with what it was told before.

    Attributes:
        latest: the last ones.
        leader: who was the last to be told as the leader; None before there was one.
    """

    def __init__(self) -> None:
        self.latest: deque[Moment] = deque(maxlen=KEPT)
        self.leader: int | None = None
        self._number = 0
        self._out: set[int] | None = None
        self._level: int | None = None
        self._stage: str | None = None
        self._pot = 0
        self._led = float("-inf")

    def note(self, board: Mapping[str, Any], news: Mapping[str, Any], largest: Win | None, now: float) -> None:
        """Look for moments.

        Args:
            board: what the page is told of the leader board.
            news: what it is told of who is out.
            largest: the hand with the largest pot so far.
            now: a time in seconds.
        """
        first = self._out is None
        known = self._out or set()
        gone = [(player, kind, why) for player, _, kind, why in reversed(news["out"]) if player not in known]
        self._out = {player for player, _, _, _ in news["out"]}  # who is let in again can be out once more
        if first:  # nothing of what was before is news
            self._level, self._stage, self._pot = board["level"], board["stage"], largest.pot if largest else 0
            self.leader = _leader(board)
            return
        for player, kind, why in gone:
            self._tell("out", player, why if kind == "out" else f"{kind}: {why}")
        if largest is not None and largest.pot > self._pot:
            self._pot = largest.pot
            if board["hand"] > EARLY_HANDS:
                self._tell("pot", largest.player, amount=largest.pot)
        if board["level"] != self._level:
            self._level = board["level"]
            self._tell("level", amount=self._level or 0)
        if board["stage"] not in (self._stage, None):
            self._tell(board["stage"])
        self._stage = board["stage"]
        self._note_leader(board, now)

    def _note_leader(self, board: Mapping[str, Any], now: float) -> None:
        leader = _leader(board)
        if leader is None or leader == self.leader or now < self._led + LEADER_SECONDS:
            return
        self.leader, self._led = leader, now
        self._tell("leader", leader, amount=round(board["rows"][0]["score"]))

    def _tell(self, kind: str, player: int | None = None, words: str = "", amount: int = 0) -> None:
        self._number += 1
        self.latest.append(Moment(self._number, kind, player, words, amount))


def _leader(board: Mapping[str, Any]) -> int | None:
    """The number of the player who leads alone; None if two share the first place."""
    rows = board["rows"]
    alone = rows and (len(rows) == 1 or rows[1]["place"] > 1)
    return rows[0]["player"] if alone else None
