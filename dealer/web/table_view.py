"""One table as it lies on the felt: the hand that is shown, and how it got there in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dealer.audit.hands import ReplayedHand, play_so_far
from dealer.ledger.played_hand import ShownHand
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.replay.phrases import action_phrase
from dealer.replay.seen_hand import Acted, SeenHand, StreetOpened, events_of, seen_hand
from protocol.games.game import Game

HOLD_SECONDS = 3.0
"""How long a finished hand stays, so that it can be read where hundreds are played a second."""

LINES = 10
"""Of what happened last."""


class DisplayedHand:
    """Which hand of a table is shown: one that is under way to its end, and then for a while as it ended."""

    def __init__(self) -> None:
        self._shown: ShownHand | None = None
        self._ended: float | None = None

    def at(self, table: TableState, now: float, hold: float) -> ShownHand | None:
        """The hand to show; None before there is one.

        Args:
            table: where to look.
            now: a time in seconds.
            hold: seconds for which a hand is shown as it ended.
        """
        if self._shown is not None and self._shown.settlement is not None and self._ended is None:
            self._ended = now
        if self._shown is None or (self._ended is not None and now >= self._ended + hold):
            newest = table.current or table.last
            if newest is not self._shown:
                self._shown, self._ended = newest, None
        return self._shown


@dataclass(frozen=True, slots=True)
class CardVisibility:
    """What whoever looks may see beyond the up cards.

    Attributes:
        during: hole cards while a hand is played.
        after: hole cards when it is over.
    """

    during: bool
    after: bool


def table_facts(shown: ShownHand, game: Game, names: Mapping[Player, int], visible: CardVisibility) -> dict[str, Any]:
    """A hand as it stands, or as it ended; players are called by their numbers."""
    steps, hand = play_so_far(shown.dealt, shown.record)
    events = events_of(steps, hand)
    told = visible.during or (visible.after and shown.settlement is not None)
    seats = [_Place(names[player], stack) for player, stack in zip(shown.players, hand.stacks, strict=True)]
    for seat, place in enumerate(seats):
        place.hole = " ".join(card.text for card in shown.dealt.hole(seat)) if told else None
        place.put = hand.starting[seat] - hand.stacks[seat]
        place.live = seat in hand.live
    for event in events:
        _let_happen(event, seats)
    log = [_line(event, seats) for event in events[1:]]
    end: dict[str, Any] = {"over": False}
    if shown.settlement is None:
        if hand.to_act is not None:
            seats[hand.to_act].turn = True
    else:
        script = seen_hand(
            ReplayedHand(0, 0, shown.number, 0, 1, tuple(shown.players), tuple(steps), hand, shown.settlement), game
        )
        log += _let_end(script, seats, visible.after)
        end = {"over": True, "carried": script.carried}
    return {
        "hand": shown.number,
        "street": hand.number,
        "pot": hand.pot,
        "seats": [place.facts() for place in seats],
        "log": log[-LINES:],
        **end,
    }


@dataclass(slots=True)
class _Place:
    """A seat, as far as its hand has been told."""

    player: int
    stack: int
    hole: str | None = None
    up: Sequence[str] = ()
    put: int = 0
    live: bool = True
    turn: bool = False
    last: str = ""
    micros: int | None = None
    won: int = 0
    why: str = ""
    worth: str = ""

    def facts(self) -> dict[str, Any]:
        """What is worth saying."""
        names = ("player", "stack", "hole", "up", "put", "live", "turn", "last", "micros", "won", "why", "worth")
        facts = {name: getattr(self, name) for name in names}
        return {name: fact for name, fact in facts.items() if name in {"player", "stack"} or fact not in (None, "", 0)}


def _let_happen(event: StreetOpened | Acted, seats: Sequence[_Place]) -> None:
    if isinstance(event, Acted):
        # "raises 5, puts in 15" and "is folded: late": a seat has room for the first half
        words = action_phrase(event).replace(":", ",").partition(",")[0]
        seats[event.seat].last, seats[event.seat].micros = words, event.microseconds
        return
    for seat in event.seats:
        seats[seat.seat].up = seat.cards
        seats[seat.seat].last = ""


def _line(event: StreetOpened | Acted, seats: Sequence[_Place]) -> list[Any]:
    """Who did what, and in how many microseconds."""
    if isinstance(event, Acted):
        return [seats[event.seat].player, action_phrase(event), event.microseconds]
    return [None, f"street {event.street} is dealt", None]


def _let_end(script: SeenHand, seats: Sequence[_Place], told: bool) -> list[list[Any]]:
    for shown in script.seats:
        seats[shown.seat].stack = shown.after
    for cards in script.told if told else ():
        seats[cards.seat].worth = cards.worth
    lines: list[list[Any]] = []
    for collected in script.collected:
        place = seats[collected.seat]
        place.won, place.why = collected.chips, collected.why
        lines.append([place.player, f"collects {collected.chips}: {collected.why}", None])
    if script.carried:
        lines.append([None, f"a tie: {script.carried} chips wait for the next hand", None])
    return lines
