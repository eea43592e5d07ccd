"""The steps of a hand in the log, for every game: all of them are told, and no card that lies face down."""

import re
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from dealer.ledger.played_hand import Deal, HandRecord, PlayedHand
from dealer.telling.hand_events import HandEvents, LiveHand
from dealer.tournament.table import HandLog
from protocol.events import FOLD_CHIPS
from protocol.games.base import Bet, Hand
from protocol.games.game import Game
from tests.contract.playouts import SEED, moments, players
from tests.dealer.support import scribe

#: A card within a sentence, as ``Card.text`` writes it.
CARD = re.compile(r"\b(?:10|[2-9AJQK])[SHDC]\b")


def face_up(hand: Hand) -> set[str]:
    public = hand.public()
    return {card.text for card in (*public.board, *(card for seat in public.seats for card in seat.up))}


def named(texts: list[str]) -> set[str]:
    return {card for text in texts for card in CARD.findall(text)}


@settings(max_examples=25)  # each plays a whole hand
@given(seed=st.integers(0, 2**32))
def test_no_card_is_named_before_it_lies_face_up(game: Game, seed: int) -> None:
    chance = Random(seed)
    count = players(game, chance)
    match, drawn = game.start(count), game.chance.draw(SEED, 0, chance.randrange(1, 10**6))
    seated = scribe.players(*[f"Player {number}" for number in range(count)])
    deal = Deal(0, 1, 1, tuple(range(count)), match, drawn)
    record, hand_log = HandRecord(deal, [], []), HandLog(game, seated)
    live = LiveHand(HandEvents.of_deal(deal), record, [hand_log.hear])
    known: set[str] = set()
    with capture_logs() as lines:

        def check(texts_from: int) -> None:
            assert named([line["event"] for line in lines[texts_from:]]) <= known

        *steps, (last, _) = moments(deal.begin(game), chance)
        afters = [*(before for before, _ in steps[1:]), last]
        opening = deal.begin(game)
        known |= face_up(opening)
        live.begin(opening)
        check(0)
        for (before, action), after in zip(steps, afters, strict=True):
            begun, seat = len(lines), before.to_act
            assert seat is not None
            hand_log.asked(before, seat)
            record.actions.append((seat, action.amount if isinstance(action, Bet) else FOLD_CHIPS, 1000))
            live.acted(before, seat, after)
            asked, acted = (line["event"] for line in lines[begun : begun + 2])
            assert asked.startswith(f"Player {seat} (seat {seat}) is asked: ")
            assert acted.startswith(f"Player {seat} (seat {seat}) ")
            assert acted.endswith("after 1.00 ms")
            known |= face_up(after)
            check(begun)
        begun, settlement = len(lines), last.settle()
        hand_log.ended(PlayedHand(record, last, settlement))
    if len(last.live) > 1:
        known |= {card.text for card in (*settlement.cards, *(card for _, shown in settlement.shown for card in shown))}
    result = [line["event"] for line in lines[begun:]]
    assert named(result) <= known
    assert sum("collects" in text for text in result) == sum(share > 0 for share in settlement.shares)
    gains = [int(gain) for gain in re.findall(r"\(([+-]\d+)\)", result[-1])]
    assert gains == list(settlement.payoffs)
    assert {(line["log_level"], line["table"], line["hand"]) for line in lines} == {("debug", 0, 1)}
