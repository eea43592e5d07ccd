"""Alpha is exactly the assignment's table: its text is read here line by line, and held against the bot."""

import re
from random import Random
from typing import NamedTuple

from bots.arena import play_game
from bots.strategies.alpha import Alpha, alpha_move
from bots.strategies.blockhead.turn_numbers import CALL, FOLD
from bots.strategies.random_bettor import RandomBettor
from protocol.games.base import Action, Bet, Fold
from protocol.games.blockhead import BlockheadGame, BlockheadTurn
from protocol.games.kernels.blockhead import NO_PRIOR
from protocol.games.kernels.blockhead import alpha_move as kernel_move
from protocol.wire.blockhead import decode_turn

ASSIGNMENT = """
still cards, no bets prior
    If delta > 10, raise 10
    If delta > 5, raise 5
    If delta > 0, raise 1
    Else call
still cards, the prior bet is a call
    If delta > 5 - pot_factor, raise 10
    If delta > 0 - pot_factor, raise 1
    Else call
still cards, the prior bet is a raise and is less than 1 + pot_factor * 2
    If delta > 8 - pot_factor, raise 10
    If delta > -2 - pot_factor, raise 1
    If delta > -4 - pot_factor, call
    Else fold
still cards, else
    If delta > 10 - pot_factor, raise 10
    If delta > 0 - pot_factor, raise 1
    If delta > -2 - pot_factor, call
    Else fold
last betting round, no bets prior
    If delta > 10, raise 10
    If delta > 5, raise 5
    Else call
last betting round, the prior bet is a call
    If delta > 10 - pot_factor, raise 10
    Else call
last betting round, the prior bet is a raise and is less than 1 + pot_factor * 2
    If delta > 6 - pot_factor, raise 10
    If delta > 2, call
    Else fold
last betting round, else
    If delta > 8 - pot_factor, raise 10
    If delta > 4, call
    Else fold
"""

RULE = re.compile(r"(?:If delta > (-?\d+)( - pot_factor)?, |Else )(raise|call|fold) ?(\d*)")


class Rule(NamedTuple):
    """One line: it holds if delta is above ``above``, less the pot factor if ``factor``; None is "else"."""

    above: int | None
    factor: bool
    move: int


def read(text: str) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            rules = found.setdefault(line, [])
            continue
        parts = RULE.fullmatch(line.strip())
        assert parts, line
        above, factor, word, chips = parts.groups()
        move = {"raise": int(chips or 0), "call": CALL, "fold": FOLD}[word]
        rules.append(Rule(None if above is None else int(above), bool(factor), move))
    return found


RULES = read(ASSIGNMENT)


def by_the_text(last: bool, prior: int | None, pot: int, raises: int, delta: int) -> int:
    """What the assignment says; and a raise that is not allowed any more is a call."""
    factor = pot // 10
    if prior is None:
        case = "no bets prior"
    elif prior == 0:
        case = "the prior bet is a call"
    elif prior < 1 + factor * 2:
        case = "the prior bet is a raise and is less than 1 + pot_factor * 2"
    else:
        case = "else"
    for rule in RULES[f"{'last betting round' if last else 'still cards'}, {case}"]:
        if rule.above is None or delta > rule.above - factor * rule.factor:
            return CALL if raises == 3 and rule.move > 0 else rule.move
    raise AssertionError("the rules leave nothing open")


def situations(most: int) -> set[tuple[int | None, int, int]]:
    """All (prior bet, pot, raises made) on a street that begins with a pot of 20 to ``most``, which is even."""
    extra = {(0, 0)}
    """(what called raises have added to the pot, how many)"""
    for raises in range(2):
        extra |= {(chips + 2 * size, raises + 1) for chips, made in extra if made == raises for size in range(1, 11)}
    found: set[tuple[int | None, int, int]] = set()
    for start in range(20, most + 1, 2):
        found |= {(None, start, 0), (0, start, 0)}
        found |= {(size, start + chips + size, raises + 1) for chips, raises in extra for size in range(1, 11)}
    return found


def test_alpha_equals_the_table_in_every_situation() -> None:
    # 20 + 2 * 30 on each street are 200; the rest is for pots that ties carried over
    reachable = situations(most=400)
    assert max(pot for _, pot, raises in reachable if raises == 3) == 450
    for last, deltas in ((False, range(-26, 38)), (True, range(-35, 47))):
        for prior, pot, raises in reachable:
            wire_prior = NO_PRIOR if prior is None else prior
            for delta in deltas:
                move = alpha_move(last, prior, pot, raises, delta)
                assert move == by_the_text(last, prior, pot, raises, delta), (last, prior, pot, raises, delta)
                if pot % 20 < 2:  # the compiled twin, called from here one by one, is slow
                    assert move == kernel_move(last, wire_prior, raises, delta, pot)


def value(text: str) -> int:
    """The card points of the rules: "Ace - 1, 2-10 - 2-10, Jack, Queen, King - 10"."""
    rank = text[:-1]
    return 1 if rank == "A" else 10 if rank in "JQK" else int(rank)


class Watched(Alpha):
    """Alpha whose every answer is checked against the text."""

    answers = 0

    def decide(self, turn: BlockheadTurn) -> Action:
        answer = super().decide(turn)
        own = sum(value(str(card)) for card in (turn.hole, *turn.up))
        delta = own - sum(value(str(card)) for card in turn.others[0])
        prior = turn.owed if turn.bets else None
        move = by_the_text(turn.street == 3, prior, turn.pot, 3 if turn.max_raise == 0 else 0, delta)
        assert answer == (Fold() if move == FOLD else Bet(turn.owed + move))
        self.answers += 1
        return answer


def test_delta_and_pot_are_read_from_the_turn() -> None:
    alpha = Watched(Random(1))
    for game in range(40):
        for _ in play_game(BlockheadGame(), [alpha, RandomBettor(Random(game))], bytes(32), 20 * game + 1):
            pass
    assert alpha.answers > 1500


def blockhead(question: str) -> BlockheadTurn:
    street, _, rest = question.partition(":")
    return decode_turn(int(street[-1]), rest)


def test_with_more_players_it_looks_at_the_best_visible_cards() -> None:
    turn = blockhead("bet1:990:30:0:2S:2C:3D:up:2H:AD:up:KH:4D:bets:raise:10")
    assert Alpha(Random(1)).decide(turn) == Bet(0)
