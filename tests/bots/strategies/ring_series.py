"""Chips a hand at a no-limit table of six: ``python -m tests.bots.strategies.ring_series 50 tight``. Minutes.

``holdem`` sits with five bots, each deal in all six seatings, as with ``casino simulate --duplicate``. Two things make
the interval smaller in the same time: the roll-outs of the others are compiled, and a hand that is all in before the
river counts as the mean of many boards, which leaves the mean as it is. Name one bot for five of it, or five bots, and
``--seed=TEXT`` for other deals. Intervals are at 95 %.
"""

import argparse
import sys
from collections.abc import Sequence
from random import Random
from statistics import fmean, median
from time import process_time
from typing import NamedTuple

from bots.strategy import tell
from protocol.cards import DECK
from protocol.estimates.intervals import mean
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_hand import BOARD, HoldemHand
from protocol.games.poker_strength import card_bits, strength_of_bits
from protocol.installed_bots import load_bot
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo
from tests.bots.helpers import positive
from tests.bots.strategies.royale_series import compiled_roll_outs

GAME = HoldemGame(reset_stacks=1)
SEATS = 6
#: Boards for a hand that is all in.
RUNOUTS = 300


class Seating(NamedTuple):
    """What one seating gave ``holdem``: chips won in each deal, and seconds of processor time of each decision."""

    won: Sequence[float]
    seconds: Sequence[float]


def chips_collected(me: int, live: Sequence[int], strengths: Sequence[int], spent: Sequence[int], pot: int) -> float:
    """Chips that a player wins at a showdown; odd ones are divided.

    Args:
        me: the player.
        live: the players who have not folded.
        strengths: of the cards of each player.
        spent: chips that each player has put in in the hand; those of players who are not counted are dead.
        pot: all chips put in.
    """
    dead, below, won = pot - sum(spent), 0, 0.0
    for level in sorted({spent[player] for player in live if spent[player] <= spent[me]}):
        chips = sum([min(max(chips - below, 0), level - below) for chips in spent]) + dead
        best = [strengths[player] for player in live if spent[player] >= level]
        top = max(best)
        if strengths[me] == top:
            won += chips / best.count(top)
        dead, below = 0, level
    return won


def payoff(hand: HoldemHand, seat: int, rng: Random) -> float:
    """Chips that a seat won in a finished hand, on average over boards if it was all in before the last card."""
    board = hand.board
    if len(hand.live) == 1 or len(board) == BOARD[-1]:
        return hand.settle().payoffs[seat]
    spent = [before - left for before, left in zip(hand.starting, hand.stacks, strict=True)]
    holes = {live: hand.hole(live) for live in hand.live}
    known = {*board, *[card for hole in holes.values() for card in hole]}
    rest, common = [card for card in DECK if card not in known], card_bits(board)
    won = 0.0
    for _ in range(RUNOUTS if seat in holes else 0):
        final = common | card_bits(rng.sample(rest, BOARD[-1] - len(board)))
        strengths = [
            strength_of_bits(card_bits(holes[other]) | final) if other in holes else 0 for other in range(len(spent))
        ]
        won += chips_collected(seat, hand.live, strengths, spent, hand.pot)
    return won / RUNOUTS - spent[seat]


def play_seating(names: Sequence[str], turn: int, deals: int, seed: str) -> Seating:
    """Play deals with the first of the names ``turn`` seats further left than it was named."""
    seated = [(seat + turn) % len(names) for seat in range(len(names))]
    bots = [load_bot(names[player])(Random(f"{seed}/{player}/{turn}")) for player in seated]
    own = seated.index(0)
    match = GAME.start(len(bots))
    for seat, bot in enumerate(bots):
        tell(bot, GameInfo.about(GAME, seat, len(bots)))
    won, seconds = [], []
    for number in range(1, deals + 1):
        hand = match.deal(GAME.chance.outcome(GAME.chance.draw(seed_from_text(seed), 0, number)))
        last = hand
        while (to_act := hand.to_act) is not None:
            started = process_time()
            action = bots[to_act].decide(hand.view(to_act))
            if to_act == own:
                seconds.append(process_time() - started)
            last, hand = hand, hand.apply(action)
        settlement = hand.settle()
        for bot, status in zip(bots, settlement.statuses(), strict=True):
            tell(bot, status)
        # the board as it was at the last action: what came later decided nothing
        won.append(payoff(hand._replace(number=last.number), own, Random(f"{seed}{number}")))
        match = match.record(settlement)
    return Seating(won, seconds)


def main() -> None:
    """Play all seatings, and print what is won, on the way too."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots.strategies.ring_series", description=main.__doc__)
    parser.add_argument("deals", type=positive, help="each in all seatings")
    parser.add_argument("others", nargs="+", help="one bot for five of it, or five bots")
    parser.add_argument("--seed", default="house", help="any text (%(default)s)")
    options = parser.parse_args()
    if len(options.others) not in (1, SEATS - 1):
        parser.error(f"expected one or {SEATS - 1} bots, got {len(options.others)}")
    with compiled_roll_outs():
        play_seatings(options.deals, tuple(options.others), options.seed)


def play_seatings(deals: int, others: tuple[str, ...], seed: str) -> None:
    """Play all seatings, and print what is won, on the way too."""
    names = ("holdem", *(others * (SEATS - 1 if len(others) == 1 else 1)))
    played: list[Seating] = []
    for turn in range(len(names)):
        print(f"seating {turn + 1} of {len(names)}", end="\r", file=sys.stderr)
        played.append(play_seating(names, turn, deals, seed))
    found = mean([fmean(deal) for deal in zip(*[seating.won for seating in played], strict=True)])
    assert found is not None
    seconds = [second for seating in played for second in seating.seconds]
    print(
        f"{' '.join(others)}: {found.value:.1f} ± {(found.high - found.low) / 2:.1f} chips a hand in {deals} deals;"
        f" a decision takes {median(seconds) * 1000:.0f} ms (median), {max(seconds) * 1000:.0f} ms at most"
    )


if __name__ == "__main__":
    main()
