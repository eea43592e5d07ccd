"""A tournament's ledger played by functions: all its rules, and nothing that takes time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.events import FOLD_CHIPS
from protocol.games.base import FOLD, Action, Bet, Hand, Turn

Decide = Callable[[Turn], Action]


@dataclass(frozen=True)
class Dealt:
    """A hand that was played: in which game, from which deck, who sat where, and chips won by seat."""

    game: int
    deck: bytes
    players: tuple[int, ...]
    payoffs: tuple[int, ...]


def start(settings: Settings, players: int) -> Ledger:
    """Players ``p0``, ``p1`` and so on."""
    return Ledger(settings, [Player(f"p{number}", f"P {number}", "function") for number in range(players)])


def finish(ledger: Ledger, decide: Sequence[Decide], leave: Mapping[int, int] | None = None) -> list[Dealt]:
    """Play the first table to its end.

    Args:
        ledger: of the tournament.
        decide: each player's answers.
        leave: players by number, with the hand in which each is thrown out.
    """
    (table,) = ledger.seating.tables
    dealt = []
    while not ledger.seating.table_over(table):
        if table.game == 0 or table.game_over:
            ledger.begin_game(table)
        dealt.append(play_hand(ledger, table, decide, leave or {}))
    return dealt


def play_hand(ledger: Ledger, table: TableState, decide: Sequence[Decide], leave: Mapping[int, int]) -> Dealt:
    """The next hand; who leaves in it does so before the first question."""
    seated, players, deck = table.seated, table.match.seated, ledger.next_deck(table)
    deal = ledger.deal(table, deck)
    hand: Hand = deal.begin(ledger.settings.game)
    for number, when in leave.items():
        if when == table.hand_number:
            ledger.leave(table.players[number], when, table.stacks_before[number], "thrown out")
    actions: list[tuple[int, int, int | None]] = []
    while (seat := hand.to_act) is not None:
        if seated[seat].left is not None:
            actions.append((seat, FOLD_CHIPS, None))
            hand = hand.concede()
        else:
            action = decide[players[seat]](hand.view(seat))
            actions.append((seat, action.amount if isinstance(action, Bet) else FOLD_CHIPS, 0))
            hand = hand.apply(action)
    settlement = hand.settle()
    ledger.finish(table, PlayedHand(HandRecord(deal, actions, []), hand, settlement))
    return Dealt(table.game, deck, players, settlement.payoffs)


def temper(salt: int) -> Decide:
    """A strategy that knows nothing but the question: the same question gets the same answer at every seat."""

    def decide(turn: Turn) -> Action:
        rng, legal = Random(f"{salt} {turn}"), turn.legal()
        if FOLD in legal and rng.random() < 0.15:
            return FOLD
        call = Bet(legal.to_call)
        raises = rng.random() < 0.3 and bool(legal.raises)
        return Bet(rng.choice(legal.raises)) if raises or call not in legal else call

    return decide
