"""The text of the Annual Computer Poker Competition (ACPC): match states, and the answers to them.

A match state is one line, ``MATCHSTATE:<position>:<hand>:<betting>:<cards>``. Every program at the table is sent one
at the start of a hand and after each action. The program to act answers with the same line, a colon and its action.

*Positions* count from the first seat after the button. In ``betting``, ``c`` is a check or a call, ``f`` a fold, ``r``
a raise in fixed limit and ``r300`` a raise *to* 300 in no limit: all chips that the player has put in during the hand,
those of earlier streets and its blind included. A ``/`` ends a street.

Written after the protocol text of the competition, version 2.0.0.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, cast

from protocol.cards import DECK, UNKNOWN, Card, Piece
from protocol.games.base import FOLD, Action, Bet, Hand, Legal
from protocol.wire.messages import Correction, ProtocolError, Shown, Version, quoted

#: What a program says first: any version that begins with 2 is spoken.
_VERSION = re.compile(r"VERSION:2(\.\d{1,9}){0,2}", re.ASCII)

#: The form of a match state; in an answer a colon and an action follow.
STATE_FORM = r"MATCHSTATE:(?P<position>\d):(?P<hand>\d{1,10}):(?P<betting>[cfr\d/]*):(?P<cards>[2-9TJQKAcdhs|/]*)"
_ANSWER = re.compile(f"{STATE_FORM}:(?P<action>.*)", re.ASCII)
_RAISE = re.compile(r"r(\d+)", re.ASCII)
_ACTION_LETTER = re.compile("[cfr]")

#: Lines that begin with one of these are comments, which both ends ignore.
COMMENT_MARKS = ("#", ";")

#: Bytes of the longest line that programs of the competition read.
LINE_BYTES = 4096

#: Actions on one street, at most: beyond this the programs' own tables of actions end. Nobody is let to raise when a
#: whole further loop would not fit.
MOST_ACTIONS = 64

#: Digits of the largest number that is taken as it is. One with more is larger than any stack.
MOST_DIGITS = 18

NEEDLESS_FOLD = Correction("fold", "it folded although nothing was owed")


class ForbiddenAnswer(ProtocolError):
    """An answer that can be read but that the rules forbid now, where nothing is corrected."""


class Answer(NamedTuple):
    """What a program wants, as the rules allow it.

    Attributes:
        action: allowed by the rules.
        correction: what was asked for instead; None if nothing had to be corrected.
    """

    action: Action
    correction: Correction | None = None


class BoardHand(Hand, Protocol):
    """A hand of a game with a board and a button."""

    @property
    def board(self) -> tuple[Card, ...]:
        """The cards on the board."""

    @property
    def button(self) -> int | None:
        """The seat with the button; None if there is none."""


@dataclass(frozen=True, slots=True)
class AcpcText:
    """How the hands of one game are told to programs of the competition. They are of type ``BoardHand``.

    Attributes:
        sized: whether a raise must name its size, in a game with these options.
        board: cards on the board by street; index 0 is not used.
        options: that the game needs so that its hands can be told, with their values.
    """

    sized: Callable[[Any], bool]
    board: tuple[int, ...]
    options: Mapping[str, int | str] = field(default_factory=dict)


def decode_version(line: str) -> Version:
    """The first line of a program.

    Raises:
        ProtocolError: it is something else.
    """
    if not _VERSION.fullmatch(line):
        raise ProtocolError(f"expected 'VERSION:2.0.0' as the first line, got {quoted(line)}")
    return Version()


def is_comment(line: str) -> bool:
    """Whether a line says nothing."""
    return not line or line.startswith(COMMENT_MARKS)


#: Cards as the competition writes them, by the text that they have here: ``Td`` is the ten of diamonds. A card that an
#: imported hand does not tell stays ``??``.
_CARD_TEXTS = {card.text: card.text.replace("10", "T")[0] + card.text[-1].lower() for card in (*DECK, UNKNOWN)}


def cards_text(cards: Iterable[Piece]) -> str:
    """Cards without anything between them: ``Td5c``."""
    return "".join([_CARD_TEXTS[card.text] for card in cards])


class HandText:
    """One hand in the words of the competition, kept up to date action by action.

    Players who have left a match keep a position, because programs count on the number of positions that a match began
    with. They stand behind the big blind and fold before anybody acts.

    Args:
        text: of the game.
        sized: whether raises name their size.
        hand: before its first action; it must have a button.
        number: of the hand, from 0.
        positions: players that the match began with, at least as many as are dealt in.

    Attributes:
        betting: so far.

    Raises:
        ValueError: the hand has no button, or more seats than positions.
    """

    def __init__(self, text: AcpcText, sized: bool, hand: Hand, number: int, positions: int) -> None:
        # Not hand.public(), which also makes the side pots and takes 4 to 8 us.
        button = _with_board(hand).button
        seats = len(hand.starting)
        if button is None or positions < seats:
            raise ValueError(f"needs a button and at least {seats} positions, got {positions}")
        self._text = text
        self._sized = sized
        self._positions = positions
        self._gone = positions - seats
        self._position = [self._behind_gone((seat - button - 1) % seats) for seat in range(seats)]
        self._prefixes = [f"MATCHSTATE:{position}:{number}:" for position in self._position]
        self._holes = [cards_text(hand.hole(seat)) for seat in range(seats)]
        self._cards = [self._hole_cards([seat]) for seat in range(seats)]
        self._spent = [before - now for before, now in zip(hand.starting, hand.stacks, strict=True)]
        self._most = max(self._spent)
        self.betting = "f" * self._gone
        self._street, self._board = 1, ""

    def _behind_gone(self, place: int) -> int:
        return place if place < 2 else place + self._gone

    @property
    def seats_by_position(self) -> list[int | None]:
        """The seat in each position; None for players who have left."""
        return [
            self._position.index(position) if position in self._position else None
            for position in range(self._positions)
        ]

    def act(self, seat: int, action: Action, after: Hand) -> None:
        """Add an action.

        Args:
            seat: who acted.
            action: what it did.
            after: the hand after it.
        """
        if not isinstance(action, Bet):
            self.betting += "f"
        else:
            self._spent[seat] = spent = self._spent[seat] + action.amount
            if spent > self._most:
                self._most = spent
                self.betting += f"r{spent}" if self._sized else "r"
            else:
                self.betting += "c"
        if after.number > self._street:
            self._turn_up(after)

    def _turn_up(self, after: Hand) -> None:
        """End the street, and further ones when all are all in."""
        board, sizes = _with_board(after).board, self._text.board
        for street in range(self._street, after.number):
            self._board += "/" + cards_text(board[sizes[street] : sizes[street + 1]])
            self.betting += "/"
        self._street = after.number

    def shown(self, seat: int) -> Shown:
        """What a program is told while the hand is played."""
        line = f"{self._prefixes[seat]}{self.betting}:{self._cards[seat]}{self._board}"
        return Shown(line, self._spent[seat], self._sized)

    def shown_at_end(self, seat: int, turned_up: Sequence[int]) -> Shown:
        """What a program is told when the hand is over.

        Args:
            seat: of the program.
            turned_up: seats whose hole cards all have seen.
        """
        cards = self._hole_cards({seat, *turned_up})
        return Shown(f"{self._prefixes[seat]}{self.betting}:{cards}{self._board}", self._spent[seat], self._sized)

    def cards(self, seats: Iterable[int]) -> str:
        """The hole cards of these seats and the board, as the log of a match has them."""
        return self._hole_cards(seats) + self._board

    def _hole_cards(self, seats: Iterable[int]) -> str:
        """The hole cards of some seats, by position; nothing for the others."""
        cards = [""] * self._positions
        for seat in seats:
            cards[self._position[seat]] = self._holes[seat]
        return "|".join(cards)


def _with_board(hand: Hand) -> BoardHand:
    """A hand of a game that has an ``AcpcText``, as its type says."""
    return cast("BoardHand", hand)


def read_answer(line: str, shown: Shown, legal: Legal, *, strict: bool) -> Answer | None:
    """The answer to a turn; None for an answer to an older match state, or a comment.

    What the rules forbid is brought to what they allow, as the competition's own dealer does: a raise to the nearest
    one, anything else to a check or a call.

    Args:
        line: from the program.
        shown: the match state that it was told last.
        legal: what the rules allow.
        strict: whether nothing is corrected.

    Raises:
        ForbiddenAnswer: the rules forbid the action, and nothing is corrected.
        ProtocolError: the line is no answer, or answers a match state that was never shown.
    """
    state, action = line[: len(shown.line) + 1], line[len(shown.line) + 1 :]
    if state != shown.line + ":":
        skip_answer(line, shown)
        return None
    return read_action(action, shown, legal, strict=strict)


def read_action(action: str, shown: Shown, legal: Legal, *, strict: bool) -> Answer:
    """The answer to a turn, from the text behind the match state; see ``read_answer``.

    Raises:
        ForbiddenAnswer: the rules forbid the action, and nothing is corrected.
        ProtocolError: the text is no action of this game.
    """
    answer = _read_action(action, shown, legal)
    if strict and answer.correction is not None:
        raise ForbiddenAnswer(answer.correction.reason)
    return answer


def _read_action(action: str, shown: Shown, legal: Legal) -> Answer:
    """The action behind a match state, brought to what is allowed.

    Raises:
        ProtocolError: the text is no action of this game.
    """
    if action == "c":
        return Answer(Bet(legal.to_call))
    if action == "f":
        return Answer(FOLD) if legal.to_call else Answer(Bet(0), NEEDLESS_FOLD)
    raises = legal.raises if room_to_raise(shown.line) else range(0)
    wanted = _read_raise(action, shown, raises)
    if wanted in raises:
        return Answer(Bet(wanted))
    nearest = min(max(wanted, raises[0]), raises[-1]) if raises else legal.to_call
    to = f" to {_number_text(action[1:])}" if shown.sized else ""
    return Answer(Bet(nearest), Correction(f"raise{to}", f"it raised{to}, {_allowed(raises, shown.spent)}"))


def _read_raise(action: str, shown: Shown, raises: range) -> int:
    """Chips that a raise puts in now; below zero for one to less than was put in before.

    Raises:
        ProtocolError: the text is no raise of this game.
    """
    if shown.sized:
        found = _RAISE.fullmatch(action)
        if found is not None:
            return _number(found[1]) - shown.spent
        expected = "'f', 'c' or 'r' and a number of chips"
    else:
        if action == "r":
            return raises[0] if raises else -1
        expected = "'f', 'c' or 'r'"
    raise ProtocolError(f"expected {expected} behind the match state, got {quoted(action)}")


def _number(digits: str) -> int:
    """A number of chips, and for one that is too long the smallest of those: Python reads no more than 4300 digits."""
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) <= MOST_DIGITS else 10**MOST_DIGITS


def _number_text(digits: str) -> str:
    """A number of chips in words short enough for a page and a journal."""
    significant = digits.lstrip("0") or "0"
    return significant if len(significant) <= MOST_DIGITS else f"a number of {len(significant)} digits"


def _allowed(raises: range, spent: int) -> str:
    if not raises:
        return "and no raise was allowed"
    return f"and a raise could be to {raises[0] + spent} at least and {raises[-1] + spent} at most"


def room_to_raise(line: str) -> bool:
    """Whether one more loop of actions has room on the street of a match state."""
    _, _, _, betting, cards = line.split(":")
    street = betting.rpartition("/")[2]
    seats = cards.partition("/")[0].count("|") + 1
    return len(_ACTION_LETTER.findall(street)) + seats <= MOST_ACTIONS


def skip_answer(line: str, shown: Shown | None) -> None:
    """Make sure that a line which answers no question is a comment, or an answer to a match state shown before.

    Args:
        line: from the program.
        shown: the match state that it was told last; None before the first.

    Raises:
        ProtocolError: it is something else.
    """
    if is_comment(line):
        return
    found = _ANSWER.fullmatch(line)
    if found is None:
        form = "MATCHSTATE:<position>:<hand>:<betting>:<cards>:<action>"
        raise ProtocolError(f"expected '{form}', got {quoted(line)}")
    if shown is None:
        raise ProtocolError("an answer came before the first match state")
    _, position, hand, betting, _ = shown.line.split(":")
    sent = found["position"], int(found["hand"]), found["betting"]
    older = sent[1] < int(hand) or (sent[:2] == (position, int(hand)) and betting.startswith(sent[2]))
    if not older:
        # Without the cards: others may read the reason, and a program must not see another's hole cards.
        came = f"MATCHSTATE:{sent[0]}:{sent[1]}:{sent[2]}"
        raise ProtocolError(
            f"the answer is to {quoted(came)}, but the last match state was 'MATCHSTATE:{position}:{hand}:{betting}'"
        )
