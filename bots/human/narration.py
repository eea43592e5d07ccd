"""What happens at a table, in words."""

from collections.abc import Sequence

from bots.human.card_pictures import word, words
from bots.human.worth import worth
from protocol.cards import Card, Suit
from protocol.games.base import Action, Fold, Hand, Settlement
from protocol.games.blockhead import NAME as BLOCKHEAD
from protocol.games.ranks import three_card_strength

YOU = "you"


def _verb(name: str, verb: str) -> str:
    return f"{name} {verb}" if name == YOU else f"{name} {verb}s"


def sentence(text: str) -> str:
    """The same with a capital letter: a name keeps its own."""
    return f"Y{text[1:]}" if text.startswith((f"{YOU} ", f"{YOU}:")) else text


def move(action: Action, owed: int, first: bool) -> str:
    """What somebody did, as a verb and a number: ``raise 5``.

    Args:
        action: the answer.
        owed: what was owed then.
        first: whether nobody had put in chips on this street.
    """
    if isinstance(action, Fold):
        return "fold"
    if action.amount == owed:
        return f"call {owed}" if owed else "check"
    return f"bet {action.amount}" if first else f"raise {action.amount - owed}"


def told(name: str, did: str, amount: int) -> str:
    """A move as a sentence for the history."""
    verb, _, chips = did.partition(" ")
    tail = f" {chips}" if chips else ""
    tail += f" and puts in {amount}" if verb == "raise" and amount != int(chips) else ""
    if name == YOU:
        tail = tail.replace("puts", "put")
    return sentence(_verb(name, verb)) + tail + "."


def result(game: str, hand: Hand, settlement: Settlement, names: Sequence[str], poker: bool = False) -> list[str]:
    """Who collects what, and why. All cards of those still in are known to whoever calls this.

    Args:
        game: the game's name.
        hand: finished.
        settlement: how it was divided.
        names: by seat.
        poker: whether poker hands decide a game of blockhead.
    """
    live = hand.live
    if len(live) == 1:
        winner = names[live[0]]
        return [sentence(f"{_verb(winner, 'win')} {hand.pot}: everybody else has folded.")]
    up = [seat.up for seat in hand.public().seats]
    cards = {seat: (*hand.hole(seat), *up[seat]) for seat in live}
    lines = [
        sentence(f"{names[seat]}: {words(held)}, {worth(game, held, poker)}.") for seat, held in sorted(cards.items())
    ]
    if settlement.carried:
        return [*lines, f"Equal: the pot of {settlement.carried} waits for the next hand."]
    best = {seat for seat, share in enumerate(settlement.shares) if share}
    spade = None
    if game != BLOCKHEAD:
        most = max(map(three_card_strength, cards.values()))
        best = {seat for seat, held in cards.items() if three_card_strength(held) == most}
        spade = _spade(cards)
    return lines + [
        sentence(f"{_verb(names[seat], 'win')} {share}: {_why(seat in best, seat == spade, cards[seat])}.")
        for seat, share in enumerate(settlement.shares)
        if share
    ]


def _spade(cards: dict[int, tuple[Card, ...]]) -> int | None:
    """The seat with the highest spade in the hole."""
    spades = [(held[0], seat) for seat, held in cards.items() if held[0].suit is Suit.SPADES]
    return max(spades)[1] if spades else None


def _why(best: bool, spade: bool, held: Sequence[Card]) -> str:
    reasons = ["the best cards"] if best else []
    reasons += [f"the highest spade in the hole, {word(held[0])}"] if spade else []
    return " and ".join(reasons)
