"""What actions are worth to a player who is alone with one opponent."""

import pytest

from dealer.audit.collusion.cards import blockhead, holdem, stud
from dealer.audit.collusion.cards.sampling import Known
from dealer.audit.collusion.decisions import CALLS, FOLDS, RAISES, RAISES_MUCH, Decision, class_of, decisions
from protocol.cards import DECK, Card
from protocol.games.base import FOLD, Action, Bet, Hand
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame, StudMatch

CARDS = {card.text: card for card in DECK}


def cards(texts: str) -> tuple[Card, ...]:
    return tuple(CARDS[text] for text in texts.split())


def deck(first: str) -> list[Card]:
    """A deck that begins with these cards."""
    begins = cards(first)
    return [*begins, *(card for card in DECK if card not in begins)]


def played(hand: Hand, actions: list[Action]) -> list[Decision]:
    steps: list[tuple[Hand, int, Action | None]] = []
    for action in actions:
        assert hand.to_act is not None
        steps.append((hand, hand.to_act, action))
        hand = hand.apply(action)
    assert hand.to_act is None
    return list(decisions(StudGame(), stud.pot_share, 7, (4, 5, 6), steps, hand))


def test_fold_of_better_cards_gives_up_the_pot() -> None:
    # seat 0 has three aces without the spade, seat 1 a king and the spade in the hole, seat 2 folds at once
    hand = StudMatch.start(3).deal(deck("AH AC AD 2S KH 4C 3C QD 5D"))
    found = played(hand, [Bet(0), Bet(5), FOLD, Bet(5), Bet(0), Bet(10), FOLD])
    assert [(one.player, one.opponent, one.action) for one in found] == [
        (4, 5, CALLS), (4, 5, CALLS), (5, 4, RAISES_MUCH), (4, 5, FOLDS),
    ]  # fmt: skip
    called, opened, bet, folded = found
    # half of the pot of 13 is the best hand's: 7 with the odd chip, which counts as 6.5 here
    assert opened.call == pytest.approx(0.5)
    assert folded.pot == 23
    assert folded.call == pytest.approx((33 / 2 - 10) / 23)
    assert folded.result == 0.0
    assert bet.result == pytest.approx(1.0)  # the pot of 13, and its own bet back
    assert folded.situation[2:5] == (2, 1, True)  # the price, raises, and who acts first
    assert called.situation[::6] == (1, True)  # the street, and that others were dealt in
    assert all(one.number == 7 for one in found)


def test_raise_is_valued_if_called_and_if_not() -> None:
    hand = StudMatch.start(2).deal(deck("AH AC AD 2C KH 4C"))
    opened = played(hand, [Bet(0), Bet(0), Bet(0), Bet(0)])[2]
    assert opened.pot == 2
    assert opened.call == pytest.approx(1.0)
    # 1 and 3 chips are nearest to a half and 1.25 of the pot; if called, the other one's chips are won too
    assert opened.raised == ((1.0, 1.5), (1.0, 2.5))


def test_classes_of_actions() -> None:
    assert [class_of(action, 10, 20) for action in (FOLD, Bet(10), Bet(32), Bet(33))] == [
        FOLDS, CALLS, RAISES, RAISES_MUCH,
    ]  # fmt: skip


def test_pot_share_of_known_cards() -> None:
    river = Known(cards("AH AC"), cards("KH KC"), (), cards("2D 7S 9C JD 3H"))
    assert holdem.pot_share(HoldemGame(), river) == 1.0
    unknown = river._replace(hole=(), board=())
    assert (
        holdem.pot_share(HoldemGame(), unknown)
        > 0.65
        > holdem.pot_share(HoldemGame(), Known(cards("2C 7D"), (), (), ()))
    )
    no_spade = Known(cards("AH 5C 6C"), cards("2S"), cards("AC 6D"), ())
    assert stud.pot_share(StudGame(), no_spade) == 0.5  # the best cards; the spade wins the other half
    best = Known(cards("KH KC KD TH 9H".replace("T", "10")), cards("2C"), cards("3C 4D 5H 6H"), ())
    assert blockhead.pot_share(BlockheadGame(), best) == 1.0
    low = Known(cards("2C 3C 4D 5H 6H"), cards("KH"), cards("KC KD 10H 9H"), ())
    assert blockhead.pot_share(BlockheadGame(), low) == 0.0
    assert blockhead.pot_share(BlockheadGame(ranks="poker"), low) == 1.0  # a straight
