"""Hypothesis strategies for everything that goes over the wire and every hand that can be dealt."""

from random import Random

from hypothesis import strategies as st

from protocol.cards import DECK
from protocol.games.base import FOLD, Bet, Status
from protocol.games.stud import SEATS, StudTurn
from protocol.wire.messages import Done, Login, Name

chips = st.integers(0, 10**6)
cards = st.sampled_from(DECK)
decks = st.integers(0, 2**32).map(lambda seed: tuple(Random(seed).sample(DECK, len(DECK))))
#: A source of choices for a walk through a hand; one number shrinks better than a list of actions.
players = st.integers(0, 2**32).map(Random)

#: Stacks that bets of 10 exhaust, so that forced folds and checks and busts all happen.
small_stacks = st.lists(st.integers(3, 99), min_size=SEATS[0], max_size=SEATS[-1])

#: Any text without halves of surrogate pairs; the second sort has a character of every encoded length.
texts = st.text(max_size=60) | st.text(st.sampled_from("a:\0é߿ࠀ￿\U00010000🂡"), max_size=20)

names = st.builds(
    Name,
    st.from_regex(r"[A-Za-z0-9_-]{1,39}", fullmatch=True),
    st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=32),
)
actions = st.just(FOLD) | st.builds(Bet, st.integers(0, 999_999_999))
replies = names | actions


@st.composite
def turns(draw: st.DrawFn) -> StudTurn:
    """Any question of stud that the wire can carry."""
    street = draw(st.sampled_from([1, 2]))
    up = st.tuples(*[cards] * street)
    shown = tuple(draw(st.lists(up, min_size=1, max_size=SEATS[-1])))
    return StudTurn(street, draw(chips), draw(chips), draw(chips), draw(cards), draw(up), shown)


statuses = st.tuples(st.booleans(), st.tuples(cards, cards, cards)).map(lambda drawn: Status(*drawn))
commands = st.just(Login()) | turns() | statuses | st.builds(Done, texts)


@st.composite
def cut(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """``data`` in pieces, as a network may deliver it; some are empty."""
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    return [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
