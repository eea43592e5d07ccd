"""A dealer's table as far as the wire tells of it: put together from one question after the other."""

from dataclasses import replace

from bots.human.narration import YOU, move, told
from bots.human.odds import CARDS_OF
from bots.human.updates import Place, Scene, SeatView, Spot
from protocol.games.base import Action, Bet, Status, Turn
from protocol.games.blockhead import NAME as BLOCKHEAD
from protocol.games.blockhead import BlockheadTurn
from protocol.games.stud import NAME as STUD
from protocol.games.stud import StudTurn


class WireTable:
    """What is known of one hand."""

    def __init__(self, hand: int, info: dict[str, str]) -> None:
        self.hand = hand
        self.me = 0
        self.last: StudTurn | BlockheadTurn | None = None
        self._poker = info.get("ranks") == "poker"
        self._info = info
        self._views: list[SeatView] = []
        self._pot = 0
        self._bets = 0

    def look(self, turn: StudTurn | BlockheadTurn) -> list[str]:
        """Take a question in; what is new in it, in words."""
        new_street = self.last is None or turn.street != self.last.street
        if new_street:
            self._views = [replace(view, note="") for view in self._views]
            self._bets = 0
        lines = self._look_at_stud(turn) if isinstance(turn, StudTurn) else self._look_at_blockhead(turn)
        self.last, self._pot = turn, turn.pot
        owed = f"you owe {turn.owed}" if turn.owed else "you owe nothing"
        return [*lines, f"Street {turn.street}, {turn.pot} chips in the pot; {owed}."]

    def _look_at_stud(self, turn: StudTurn) -> list[str]:
        known = {view.up[0]: place for place, view in enumerate(self._views)}
        if not {cards[0] for cards in turn.shown} <= known.keys():
            self._views = [SeatView(f"seat {place}", up=cards) for place, cards in enumerate(turn.shown)]
            known = {cards[0]: place for place, cards in enumerate(turn.shown)}
        self.me = known[turn.up[0]]
        gone = set(known.values())
        for cards in turn.shown:
            gone.discard(known[cards[0]])
            self._views[known[cards[0]]] = replace(self._views[known[cards[0]]], up=cards)
        self._seat_me(turn)
        lines = [f"{self._views[place].name} has folded." for place in sorted(gone) if self._in(place)]
        for place in gone:
            self._views[place] = replace(self._views[place], place="folded", note="fold")
        return lines

    def _look_at_blockhead(self, turn: BlockheadTurn) -> list[str]:
        players = len(turn.others) + 1
        if not self._views:
            self.me = int(self._info.get("seat", 0)) if self._info.get("players") == str(players) else 0
            self._views = [SeatView(f"seat {place}") for place in range(players)]
        left = {view.up[0]: place for place, view in enumerate(self._views) if view.up}
        still = {self.me}
        for step, cards in enumerate(turn.others, 1):
            place = left.get(cards[0], (self.me + step) % len(self._views))
            self._views[place] = replace(self._views[place], up=cards)
            still.add(place)
        self._seat_me(turn)
        lines = self._read_bets(turn)
        for place in {*range(len(self._views))} - still:
            self._views[place] = replace(self._views[place], place="folded", note="fold")
        return lines

    def _read_bets(self, turn: BlockheadTurn) -> list[str]:
        """The bets since the last question, where seats can be told apart."""
        lines, highest, put = [], 0, dict.fromkeys(range(len(self._views)), 0)
        for number, (seat, amount) in enumerate(turn.bets):
            if seat not in put:
                return []
            owed = highest - put[seat]
            put[seat] += amount
            did = move(Bet(amount), owed, highest == 0)
            highest = max(highest, put[seat])
            if number >= self._bets and seat != self.me:
                lines.append(told(self._views[seat].name, did, amount))
            self._views[seat] = replace(self._views[seat], note=did)
        self._bets = len(turn.bets)
        return lines

    def _in(self, place: int) -> bool:
        return self._views[place].place == "in"

    def _seat_me(self, turn: StudTurn | BlockheadTurn) -> None:
        self._views[self.me] = replace(
            self._views[self.me], name=YOU, stack=turn.stack, hole=turn.hole, up=turn.up, place="in"
        )

    def moved(self, turn: Turn, action: Action, did: str) -> None:
        """The person has answered."""
        amount = action.amount if isinstance(action, Bet) else 0
        self._pot += amount
        place: Place = "in" if isinstance(action, Bet) else "folded"
        self._views[self.me] = replace(self._views[self.me], stack=turn.stack - amount, note=did, place=place)

    def turn_up(self, status: Status) -> None:
        """Hole cards are shown."""
        for seat, (card, *_) in status.shown:
            if seat < len(self._views):
                self._views[seat] = replace(self._views[seat], hole=card)

    def scene(self, turn: StudTurn | BlockheadTurn, to_act: int | None, headline: str = "") -> Scene:
        """The table."""
        cards = CARDS_OF[_game_of(turn)]
        return Scene(tuple(self._views), self.me, self.hand, turn.street, self._pot, cards, to_act, headline)

    def spot(self, turn: StudTurn | BlockheadTurn) -> Spot | None:
        """What the person may count its chances from; None once it has folded."""
        if not self._in(self.me):
            return None
        others = tuple(view.up for place, view in enumerate(self._views) if place != self.me and self._in(place))
        gone = [card for view in self._views if view.place == "folded" for card in view.up]
        return Spot(_game_of(turn), (turn.hole, *turn.up), others, tuple(gone), turn.pot, turn.owed, self._poker)


def _game_of(turn: StudTurn | BlockheadTurn) -> str:
    return STUD if isinstance(turn, StudTurn) else BLOCKHEAD
