"""Write hold'em hands of a journal in PHH."""

from collections.abc import Iterator, Mapping, Sequence

from dealer.audit.hands import ReplayedHand, Step
from dealer.errors import OptionError
from dealer.replay.hand_history import HandHistory
from dealer.replay.phh.notation import LIMIT_FIELD, UNKNOWN, Value, by_posting, cards_text, hand_text, join_hands
from protocol.games.base import Bet
from protocol.games.holdem import HoldemMatch
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_hand import BOARD, STREETS, HoldemHand


def write_hand(hand: ReplayedHand, viewer: int | None) -> str:
    """The text of a hold'em hand, with the hole cards that ``viewer`` saw, or all for None.

    Raises:
        OptionError: PHH cannot say it: there is no blind and no ante, or betting goes in loops.
    """
    last, match = hand.last, hand.match
    assert isinstance(last, HoldemHand)
    assert isinstance(match, HoldemMatch)
    forced = match.forced_bets()
    if last.betting.loops or not any((*forced.blinds, *forced.antes)):
        raise OptionError(
            f"hand {hand.number} cannot be written as phh: PHH has no hands without blinds and antes, nor betting in "
            "loops"
        )
    count = len(last.starting)
    order = [(last.button + 1 + step) % count for step in range(count)]  # our seats in the order of players
    fields: dict[str, Value] = {
        "variant": "FT" if last.betting.limit == "fixed-limit" else "NT",
        "ante_trimming_status": not forced.dead_antes,
        "antes": by_posting([forced.antes[seat] for seat in order]),
        "blinds_or_straddles": by_posting([forced.blinds[seat] for seat in order]),
        **_bet_sizes(last.betting),
        "starting_stacks": [last.starting[seat] for seat in order],
        "actions": list(_actions(hand, last, order, viewer)),
        "finishing_stacks": [last.starting[seat] + hand.settlement.payoffs[seat] for seat in order],
        "players": [hand.players[seat].avatar for seat in order],
        "table": str(hand.table),
        "hand": hand.number,
        "level": hand.level,
    }
    return hand_text(fields)


def _bet_sizes(betting: Betting) -> Mapping[str, Value]:
    if betting.limit == "fixed-limit":
        return {"small_bet": betting.small_bet, "big_bet": betting.big_bet}
    return {"min_bet": betting.small_bet} | ({LIMIT_FIELD: "pot-limit"} if betting.limit == "pot-limit" else {})


def _actions(hand: ReplayedHand, last: HoldemHand, order: Sequence[int], viewer: int | None) -> Iterator[str]:
    """Everything that happens from the first card on."""
    for player, seat in enumerate(order, start=1):
        known = viewer in (None, seat)
        yield f"d dh p{player} {cards_text(last.hole(seat)) if known else 2 * UNKNOWN}"
    street = 1
    for step in hand.steps:
        assert isinstance(step.before, HoldemHand)
        yield from _boards(last, street, step.before.number)
        street = step.before.number
        yield f"p{order.index(step.seat) + 1} {_action(step, step.before)}"
    # Where nobody can bet any more, cards are shown before the rest of the board; and PHH shows none after folds.
    run_out = list(_boards(last, street, STREETS)) if len(last.live) > 1 else []
    for seat, cards in hand.settlement.shown:
        yield f"p{order.index(seat) + 1} sm {cards_text(cards)}"
    assert isinstance(hand.match, HoldemMatch)
    for seat in hand.match.recorded.mucked if hand.match.recorded else ():
        yield f"p{order.index(seat) + 1} sm"
    yield from run_out


def _boards(hand: HoldemHand, before: int, street: int) -> Iterator[str]:
    """The board's cards that are dealt after street ``before``, up to ``street``."""
    for number in range(before + 1, street + 1):
        yield f"d db {cards_text(hand.board[BOARD[number - 1] : BOARD[number]])}"


def _action(step: Step, hand: HoldemHand) -> str:
    match step.action:
        case Bet(amount) if amount > hand.legal().to_call:
            return f"cbr {hand.put[step.seat] + amount}"
        case Bet():
            return "cc"
        case None:
            return "f # the dealer folded for this player"
    return "f"


HISTORY = HandHistory("phh", write_hand, join_hands)
