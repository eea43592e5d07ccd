"""Cards in messages, as a person reads them in a terminal: ``A♠`` where the message says ``AS``."""

import re

from rich.console import Console
from rich.text import Text

from protocol.cards import RANK_TEXT, SUIT_SYMBOL, SUIT_TEXT, Suit

_CARD = re.compile(rf"(?<!\w)({'|'.join(RANK_TEXT.values())})([{''.join(SUIT_TEXT.values())}])(?!\w)")
_SYMBOLS = {SUIT_TEXT[suit]: SUIT_SYMBOL[suit] for suit in Suit}
_RED = {SUIT_TEXT[suit] for suit in (Suit.DIAMONDS, Suit.HEARTS)}


def drawn(text: str, console: Console) -> Text:
    """A text with suit symbols for the letters of its cards; as it is where the console cannot show the symbols."""
    try:
        "".join(_SYMBOLS.values()).encode(console.encoding)
    except UnicodeEncodeError:
        return Text(text)
    shown, end = Text(), 0
    for found in _CARD.finditer(text):
        rank, suit = found.groups()
        shown.append(text[end : found.start()]).append(rank + _SYMBOLS[suit], "red" if suit in _RED else "")
        end = found.end()
    return shown.append(text[end:])
