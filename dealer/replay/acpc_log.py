"""Write hold'em hands of a journal as the log of a match of the Annual Computer Poker Competition (ACPC).

A line for each hand, ``STATE:<hand>:<betting>:<all cards>:<chips won>:<names>``, in which cards, chips and names go by
position; and at the end ``SCORE:<chips won>:<names>`` of the match.
"""

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from dealer.audit.hands import ReplayedHand, with_hands_after
from dealer.errors import OptionError
from dealer.replay.hand_history import HandHistory
from protocol.games.base import FOLD, Bet, Hand
from protocol.games.holdem import NAME, HoldemMatch
from protocol.games.holdem_betting import MOST_SPENT
from protocol.wire.acpc import HandText
from protocol.wire.text import load_text

FORMAT = "acpc"


def write_hand(hand: ReplayedHand, viewer: int | None) -> str:
    """The line of a hold'em hand, with the hole cards that ``viewer`` saw, or all for None.

    Avatars are percent-encoded, because they may hold what separates the fields. Players who have left have no name.

    Raises:
        OptionError: the competition has no words for it.
    """
    text = _text_of(hand)
    seats = text.seats_by_position
    shown = {seat for seat, _ in hand.settlement.shown}
    known = range(len(hand.players)) if viewer is None else shown | {viewer}
    won = [0 if seat is None else hand.settlement.payoffs[seat] for seat in seats]
    names = ["" if seat is None else quote(hand.players[seat].avatar, safe="") for seat in seats]
    fields = (str(hand.number - 1), text.betting, text.cards(known), "|".join(map(str, won)), "|".join(names))
    return f"STATE:{':'.join(fields)}\n"


def _text_of(hand: ReplayedHand) -> HandText:
    """The text of a whole hand.

    Raises:
        OptionError: see ``write_hand``.
    """
    match, first = hand.match, hand.dealt
    assert isinstance(match, HoldemMatch)
    positions = len(match.stacks) if match.keeps_order else len(hand.players)
    _check(hand, match, first, positions)
    acpc = load_text(NAME).acpc
    assert acpc is not None
    text = HandText(acpc, match.betting.limit != "fixed-limit", first, hand.number - 1, positions)
    for step, after in with_hands_after(hand.steps, hand.last):
        if not isinstance(step.action, Bet) and not step.before.legal().to_call:
            raise _no_words(hand, "a seat folded with nothing owed")
        text.act(step.seat, step.action or FOLD, after)
    return text


def _check(hand: ReplayedHand, match: HoldemMatch, first: Hand, positions: int) -> None:
    """Check that the competition has words for a hand.

    Raises:
        OptionError: it has not; the text says why.
    """
    forced, seats = match.forced_bets(), len(hand.players)
    posted = [forced.blinds[(forced.button + 1 + place) % seats] for place in range(seats)]
    blinds = [match.blinds.small, match.blinds.big]
    usual = blinds[::-1] if positions == 2 else blinds + [0] * (seats - 2)
    # Somebody can be all in before the last bet of a hand in fixed limit, where the ACPC knows no stacks.
    may_run_out = match.betting.limit == "fixed-limit" and match.equal_stack < MOST_SPENT * match.blinds.big
    missing = (
        "there are no blinds" if not any(posted)
        else "there are antes" if any(forced.antes)
        else "the limit is the pot" if match.betting.limit == "pot-limit"
        else "the blinds put all players all in" if not hand.steps
        else "a seat is all in at fixed limit" if may_run_out and 0 in hand.last.stacks
        else "stacks differ" if len(set(first.starting)) > 1
        else "the blinds are not those of the two seats behind the button" if posted != usual
        else None
    )  # fmt: skip
    if missing is not None:
        raise _no_words(hand, missing)


def _no_words(hand: ReplayedHand, missing: str) -> OptionError:
    return OptionError(
        f"hand {hand.number} cannot be written as acpc: {missing}, and the ACPC has no words for that; matches "
        "played with programs of the ACPC can be written"
    )


def join_hands(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a log, and the score behind them."""
    scores: dict[str, int] = {}
    for line in lines:
        yield line
        *_, won, names = line.rstrip("\n").split(":")
        for name, chips in zip(names.split("|"), won.split("|"), strict=True):
            if name:
                scores[name] = scores.get(name, 0) + int(chips)
    yield f"SCORE:{'|'.join(map(str, scores.values()))}:{'|'.join(scores)}\n"


#: The entry point ``holdem.acpc`` of the group ``casino.histories``.
HISTORY = HandHistory(FORMAT, write_hand, join_hands)
