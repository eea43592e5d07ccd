"""What happens at a table, in words: actions and results."""

from collections.abc import Iterable
from math import ceil

from protocol.games.base import Action, Fold
from protocol.plurals import plural

YOU = "you"


def _verb(name: str, verb: str) -> str:
    return f"{name} {verb}" if name == YOU else f"{name} {verb}s"


def stopping_text(seconds: float) -> str:
    """What a person reads whose answer is due within so many seconds because the dealer stops."""
    return f"The dealer stops: answer within {plural(ceil(seconds), 'second')}, or your hand is folded."


def sentence(text: str) -> str:
    """``text`` as the beginning of a sentence: "you" gets a capital letter, names stay as they are."""
    return f"Y{text[1:]}" if text.startswith((f"{YOU} ", f"{YOU}:")) else text


def move(action: Action, owed: int, put: int | None, pay_word: str = "call") -> str:
    """An action as a verb and a number: ``raise to 85``.

    Args:
        action: what was answered.
        owed: chips owed then.
        put: chips that the seat had put in on this street; None if no seat had put in any.
        pay_word: what it is called to pay what is owed.
    """
    if isinstance(action, Fold):
        return "fold"
    if action.amount == owed:
        return f"{pay_word} {owed}" if owed else "check"
    return f"bet {action.amount}" if put is None else f"raise to {put + action.amount}"


def told(name: str, did: str) -> str:
    """A player's action, in the words of ``move``, as a sentence for the history."""
    verb, space, rest = did.partition(" ")
    return f"{sentence(_verb(name, verb))}{space}{rest}."


def winners(won: Iterable[tuple[str, int]]) -> str:
    """Who collected how many chips, as a part of a sentence: ``tight wins 30, you win 20``."""
    return ", ".join(f"{_verb(name, 'win')} {chips}" for name, chips in won)
