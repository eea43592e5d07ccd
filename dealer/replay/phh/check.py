"""Play a PHH hand through our rules, and compare turns, amounts, cards and what everybody has at the end.

What a file does not tell stays unknown: a result is compared only where all cards that decide it are known.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dealer.replay.phh.notation import UNKNOWN, card_text
from dealer.replay.phh.read import PhhHand, Unsupported, raise_amount, words_of
from protocol.cards import DECK, Card
from protocol.events import FOLD_CHIPS
from protocol.games.base import Bet, Fold
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import BOARD, STREETS

#: A house takes at most one part in so many of a pot as rake. Where more is missing, the file is wrong.
RAKE_PARTS = 10

_CARDS = {card_text(card): card for card in DECK}


class HandDiffers(Exception):
    """A hand did not go as our rules say; the text says what differs."""


@dataclass(frozen=True, slots=True)
class CheckedHand:
    """A hand that goes as our rules say; lists are by seat, and seat 0 is ``p1``.

    Attributes:
        told: the hand as the file tells it.
        actions: seat, and chips put in; ``FOLD_CHIPS`` for a fold.
        holes: two cards of each seat; None for one that is not known.
        board: five cards; None for one that was not dealt or is not known.
        mucked: seats that gave up at the showdown without showing their cards.
        pot: chips in all pots at the end.
        payoffs: chips won or lost, by the rules or else as the file tells; None if neither is known. Rake is not taken
            from them.
        decided: whether all cards that decide the result are known.
        rake: chips of the pots that the file gives to nobody.
    """

    told: PhhHand
    actions: Sequence[tuple[int, int]]
    holes: Sequence[Sequence[Card | None]]
    board: Sequence[Card | None]
    mucked: Sequence[int]
    pot: int
    payoffs: Sequence[int] | None
    decided: bool
    rake: int


def check_hand(told: PhhHand) -> CheckedHand:
    """Play a hand through our rules.

    Raises:
        Unsupported: it has something that the rules here do not know.
        ValueError: an action cannot be read.
        HandDiffers: the hand differs from our rules.
    """
    check = _Check(told)
    for action in told.actions:
        check.take(action)
    return check.end()


class _Check:
    """A hand under way: as our rules see it, and the cards that the file has told so far.

    Seat 0 is ``p1``, so that the last seat has the button.
    """

    def __init__(self, told: PhhHand) -> None:
        self._told = told
        # No card matters before the end, so any deck will do until it is known which cards are.
        self._hand = deal(
            DECK,
            told.stacks,
            told.betting,
            button=len(told.stacks) - 1,
            blinds=told.blinds,
            antes=told.antes,
            dead_antes=told.dead_antes,
        )
        self._posted = self._hand.pot
        self._street = 1
        self._holes: list[list[Card | None]] = [[] for _ in told.stacks]
        self._board: list[Card | None] = []
        self._mucked: set[int] = set()
        #: Seats for which our rules have checked on the street before, because no further bet was allowed.
        self._not_asked: set[int] = set()
        self._actions: list[tuple[int, int]] = []

    def take(self, action: str) -> None:
        """Play one action; see ``check_hand``."""
        match words_of(action):
            case []:
                pass
            case ["d", "dh", player, cards]:
                hole = self._holes[self._seat(action, player)]
                hole += _cards(action, cards)
                if len(hole) > 2:
                    raise HandDiffers(f"{player} is dealt more than two cards")
            case ["d", "db", cards]:
                self._deal_board(_cards(action, cards))
            case [player, "f"]:
                self._check_turn(self._seat(action, player), action)
                self._act(Fold())
            case [player, "cc"]:
                self._call(self._seat(action, player), action)
            case [player, "cbr", amount]:
                self._raise(self._seat(action, player), int(raise_amount(action, amount) / self._told.unit), action)
            case [player, "sm"]:
                self._mucked.add(self._seat(action, player))
            case [player, "sm", "-"]:
                self._seat(action, player)
            case [player, "sm", cards]:
                self._show(self._seat(action, player), _cards(action, cards), action)
            case _:
                raise ValueError(f"{action!r}: expected an action such as 'd dh p1 AcKd', 'p1 cc' or 'p1 cbr 250'")

    def _seat(self, action: str, player: str) -> int:
        number = player[1:]
        if not (player.startswith("p") and number.isascii() and number.isdigit()):
            raise ValueError(f"{action!r}: expected a player such as p1, got {player!r}")
        if len(number) > 2 or not 1 <= int(number) <= len(self._holes):
            raise ValueError(f"{action!r}: players are p1 to p{len(self._holes)}")
        return int(number) - 1

    def _deal_board(self, cards: Sequence[Card | None]) -> None:
        if self._street == STREETS:
            text = "more than five cards are dealt to the board; boards that are run twice are not known here"
            raise Unsupported("the board is run twice", text)
        if self._hand.number <= self._street and self._hand.to_act is not None:
            raise HandDiffers(f"the board is dealt before p{self._hand.to_act + 1} has acted")
        if len(self._hand.live) == 1:
            raise HandDiffers("the board is dealt although all others have folded")
        wanted = BOARD[self._street + 1] - BOARD[self._street]
        if len(cards) != wanted:
            raise HandDiffers(f"expected {wanted} cards on street {self._street + 1}, got {len(cards)}")
        self._board += cards
        self._street += 1

    def _check_turn(self, seat: int, action: str) -> None:
        to_act = self._hand.to_act
        if to_act is None:
            raise HandDiffers(f"{action!r}, but the betting is over")
        if self._hand.number > self._street:
            raise HandDiffers(f"{action!r}, but the cards of street {self._street + 1} come first")
        if to_act != seat:
            raise HandDiffers(f"{action!r}, but it is the turn of p{to_act + 1}")

    def _call(self, seat: int, action: str) -> None:
        hand = self._hand
        with_chips = [other for other in hand.live if hand.stacks[other]]
        if hand.to_act is None and len(hand.live) > 1 and with_chips == [seat]:
            return  # a check of the last player with chips, for which our rules do not ask
        if seat in self._not_asked and hand.number > self._street:
            self._not_asked.remove(seat)
            return
        self._check_turn(seat, action)
        self._act(Bet(hand.legal().to_call))

    def _raise(self, seat: int, to: int, action: str) -> None:
        self._check_turn(seat, action)
        put, raises = self._hand.put[seat], self._hand.legal().raises
        if to - put not in raises:
            if not raises:
                raise HandDiffers(f"{action!r}, but no raise is allowed")
            least, most = self._told.say(raises[0] + put), self._told.say(raises[-1] + put)
            raise HandDiffers(f"{action!r}, but a raise goes to {least}" + (f" to {most}" if least != most else ""))
        self._act(Bet(to - put))

    def _act(self, action: Bet | Fold) -> None:
        """Play an action of the seat to act."""
        seat = self._hand.to_act
        assert seat is not None
        self._actions.append((seat, action.amount if isinstance(action, Bet) else FOLD_CHIPS))
        before, self._hand = self._hand, self._hand.apply(action)
        if self._hand.number > before.number and len(self._hand.live) > 1:
            self._not_asked = {*before.queue[1:]}

    def _show(self, seat: int, cards: Sequence[Card | None], action: str) -> None:
        dealt = self._holes[seat] or [None, None]
        if len(cards) != 2:
            raise HandDiffers(f"{action!r}, but a player has two cards")
        known, shown = {card for card in dealt if card}, {card for card in cards if card}
        if len(known | shown) > 2:
            raise HandDiffers(f"{action!r}, but other cards were dealt to p{seat + 1}")
        self._mucked.discard(seat)
        if shown:
            both = [*[card for card in dealt if card], *[card for card in cards if card and card not in known]]
            self._holes[seat] = [*both, *[None] * (2 - len(both))]

    def end(self) -> CheckedHand:
        """Compare the cards and the result."""
        if self._hand.to_act is not None:
            raise HandDiffers(f"the hand is not over: p{self._hand.to_act + 1} has to act")
        known = [card for cards in (*self._holes, self._board) for card in cards if card]
        twice = [card_text(card) for card in known if known.count(card) > 1]
        if twice:
            raise HandDiffers(f"{twice[0]} is dealt twice")
        settled = self._settled()
        rake = self._compare(settled)
        after = settled or (self._told_stacks() if not rake else None)
        return CheckedHand(
            self._told,
            self._actions,
            [(*cards, None, None)[:2] for cards in self._holes],
            (*self._board, *[None] * BOARD[STREETS])[: BOARD[STREETS]],
            sorted(self._mucked & {*self._hand.live}),
            self._hand.pot,
            after and [chips - before for chips, before in zip(after, self._hand.starting, strict=True)],
            settled is not None,
            rake,
        )

    def _told_stacks(self) -> Sequence[int] | None:
        """Chips at the end as the file tells them, in one way or the other."""
        told = self._told
        if told.finishing is not None or told.winnings is None:
            return told.finishing
        return [stack + won for stack, won in zip(self._hand.stacks, told.winnings, strict=True)]

    def _settled(self) -> tuple[int, ...] | None:
        """Chips at the end by our rules; None if cards that decide it are not known."""
        hand = self._hand
        staying = tuple([seat for seat in hand.live if seat not in self._mucked or len(hand.live) == 1])
        if not all(set(seats) & set(staying) for _, seats in hand.public().pots):
            return None
        if len(staying) > 1:
            deck = self._deck(staying)
            if deck is None:
                return None
            hand = hand._replace(deck=deck)
        payoffs = hand._replace(live=staying).settle().payoffs
        return tuple([stack + payoff for stack, payoff in zip(hand.starting, payoffs, strict=True)])

    def _deck(self, staying: Sequence[int]) -> tuple[Card, ...] | None:
        """A deck with the cards that decide the hand in their places; None if one of them is not known."""
        board = [card for card in self._board if card]
        holes = [[card for card in cards if card] for cards in self._holes]
        if len(board) < BOARD[STREETS] or any(len(holes[seat]) < 2 for seat in staying):
            return None
        # The cards of players who cannot win are not looked at, so any will do.
        return (*[card for cards in holes for card in (*cards, *DECK[:2])[:2]], *board)

    def _compare(self, settled: Sequence[int] | None) -> int:
        """Compare what the file tells of the end with the chips of each seat by the rules, if they are known.

        Returns:
            The rake: chips that the file gives to nobody.
        """
        stacks, finishing, winnings = self._hand.stacks, self._told.finishing, self._told.winnings
        rakes = [0]
        if finishing is not None:
            missing = self._missing("finishing_stacks", "starting_stacks", finishing, sum(self._hand.starting))
            self._compare_seats(finishing, settled, missing, "ends with {} chips, by the rules with {}")
            rakes.append(missing)
        if winnings is not None:
            won = self._without_uncalled(winnings)
            missing = self._missing("winnings", "the pots", won, self._hand.pot)
            after = [stack + chips for stack, chips in zip(stacks, won, strict=True)]
            self._compare_seats(after, settled, missing, "has {} chips after its winnings, by the rules {}")
            rakes.append(missing)
        return max(rakes)

    def _without_uncalled(self, winnings: Sequence[int]) -> Sequence[int]:
        """Winnings without the bet that nobody called: some houses give it back, and others count it as won."""
        live, pot = self._hand.live, self._hand.pot
        if len(live) > 1 or sum(winnings) <= pot:
            return winnings
        uncalled = self._posted + sum([max(amount, 0) for _, amount in self._actions]) - pot
        return [won - uncalled if seat == live[0] else won for seat, won in enumerate(winnings)]

    def _missing(self, field: str, whole: str, amounts: Sequence[int], chips: int) -> int:
        """The chips by which the amounts of a field fall short of ``chips``; no more than a house may take as rake."""
        told = sum(amounts)
        if told > chips:
            raise HandDiffers(f"{field} hold {self._told.say(told - chips)} more than {whole}")
        if RAKE_PARTS * (chips - told) > self._hand.pot:
            raise HandDiffers(
                f"{field} hold {self._told.say(chips - told)} less than {whole}, and rake is at most a tenth of the pot"
            )
        return chips - told

    def _compare_seats(self, after: Sequence[int], settled: Sequence[int] | None, rake: int, text: str) -> None:
        """Compare the chips that each seat has after the hand; who wins a pot may have less for the rake."""
        for seat, chips in enumerate(after):
            expected, before = self._expected(seat, settled), self._hand.stacks[seat]
            if expected is None or chips == expected or (rake and before < chips < expected):
                continue
            raise HandDiffers(f"p{seat + 1} {text.format(self._told.say(chips), self._told.say(expected))}")

    def _expected(self, seat: int, settled: Sequence[int] | None) -> int | None:
        """Chips of a seat at the end; None if they are not known. Who folded or mucked collects nothing."""
        if settled is not None:
            return settled[seat]
        gave_up = seat not in self._hand.live or seat in self._mucked
        return self._hand.stacks[seat] if gave_up else None


def _cards(action: str, text: str) -> list[Card | None]:
    """Cards written one behind the other; None for those that are not known."""
    pieces = [text[place : place + 2] for place in range(0, len(text), 2)]
    wrong = [piece for piece in pieces if piece != UNKNOWN and piece not in _CARDS]
    if wrong:
        raise ValueError(f"{action!r}: {wrong[0]!r} is no card; a card is such as Ac or Td, or ?? if it is not known")
    return [_CARDS.get(piece) for piece in pieces]
