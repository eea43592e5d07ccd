"""The program's end of the competition's text: definitions, and match states read as the hands that they tell."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cards import UNKNOWN
from protocol.games.base import Bet
from protocol.games.holdem import HoldemGame
from protocol.wire.acpc_program import GameDefinition, read_definition, read_state
from tests.acpc_client.dealer import DEFINITIONS
from tests.protocol.wire.acpc_hands import LIMIT, NO_LIMIT, dealt, told, wanted_text
from tests.protocol.wire.test_acpc import EXAMPLES


def test_examples_of_the_protocol() -> None:
    """Every match state is read, and it is the program's turn where the example has an answer."""
    for example in EXAMPLES:
        *_, cards = example[0][1].split(":")
        game = NO_LIMIT if any(re.search(r"r\d", line) for _, line in example) else LIMIT
        definition = GameDefinition(game, cards.count("|") + 1)
        for (way, line), (following, answer) in zip(example, [*example[1:], ["", ""]], strict=True):
            if way != "S->":
                continue
            state = read_state(line, definition)
            assert (state.turn is not None) == (following == "<-C")
            if following == "<-C":
                letter = answer[len(line) + 1]
                if letter == "c":
                    assert state.turn is not None
                    assert state.answer(Bet(state.turn.owed)) == answer
        assert state.hand.to_act is None
        assert state.status is not None


@given(game=st.sampled_from([LIMIT, NO_LIMIT]), players=st.integers(2, 10), seed=st.integers(0, 2**32), data=st.data())
def test_program_is_asked_what_the_dealer_asks(game: HoldemGame, players: int, seed: int, data: st.DataObject) -> None:
    """The same turn but for the seats, which begin with its own, and the same text for each action."""
    hand, definition = dealt(game, players, seed), GameDefinition(game, players)
    text = told(hand, game, 7)
    while (seat := hand.to_act) is not None:
        state, turn = read_state(text.shown(seat).line, definition), hand.view(seat)
        ours = state.turn
        assert ours is not None
        assert ours[:8] == turn[:8]
        assert ours.seats == (*turn.seats[seat:], *turn.seats[:seat])
        assert ours.button == (turn.button - seat) % players
        assert UNKNOWN in state.hand.hole(1)
        assert read_state(text.shown((seat + 1) % players).line, definition).turn is None
        legal = turn.legal()
        action = Bet(data.draw(st.sampled_from([legal.to_call, *legal.raises[:1], *legal.raises[-1:]])))
        assert state.answer(action) == f"{state.line}:{wanted_text(hand, action, game)}"
        hand = hand.apply(action)
        text.act(seat, action, hand)
    shown = [live for live, _ in hand.settle().shown]
    for seat in range(players):
        end = read_state(text.shown_at_end(seat, shown).line, definition)
        assert sorted(end.hand.settle().payoffs) == sorted(hand.settle().payoffs)
        assert end.status.won == hand.settle().statuses()[seat].won


def test_definitions_of_the_competition() -> None:
    for name, text in DEFINITIONS.items():
        limit, players = name.split("-")
        for written in (text, text.upper(), text.replace(" = ", " "), f"# a comment\n\n{text}"):
            definition = read_definition(written)
            assert definition.players == int(players)
            assert definition.game.betting == ("fixed-limit" if limit == "limit" else "no-limit")
            assert definition.game.small_blind * 2 == definition.game.big_blind
    assert read_definition(DEFINITIONS["nolimit-3"]).game.stack == 2000


KUHN = (
    "GAMEDEF\nlimit\nnumPlayers = 3\nnumRounds = 1\nblind = 1 1 1\nraiseSize = 1\nfirstPlayer = 1\nmaxRaises = 1\n"
    "numSuits = 1\nnumRanks = 4\nnumHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n"
)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ((DEFINITIONS["limit-3"], KUHN), "numRounds: expected 4, got 1"),
        ((DEFINITIONS["limit-3"], "hello"), "expected a game definition of the competition"),
        (("numRanks = 13", "numRanks = 9"), "numRanks: expected 13, got 9"),
        (("numHoleCards = 2", "numHoleCards = 4"), "numHoleCards: expected 2, got 4"),
        (("numBoardCards = 0 3 1 1", ""), "numBoardCards: expected 0 3 1 1, got nothing"),
        (("numPlayers = 3", "numPlayers = 11"), "numPlayers: expected 2 to 10, got 11"),
        (("numPlayers = 3", "numPlayers = many"), "numPlayers: expected a number, got nothing"),
        (("blind = 5 10 0", "blind = 5 10"), "blind: expected"),
        (("blind = 5 10 0", "blind = 10 5 0"), "blind: expected 5 10 0, got 10 5 0"),
        (("blind = 5 10 0", "blind = 5 10 20"), "blind: expected 10 20 0, got 5 10 20"),
        (("firstPlayer = 3 1 1 1", "firstPlayer = 1 1 1 1"), "firstPlayer: expected 3 1 1 1, got 1 1 1 1"),
        (("raiseSize = 10 10 20 20", "raiseSize = 10 10 10 10"), "raiseSize: expected 10 10 20 20, got 10 10 10 10"),
        (("maxRaises = 3 4 4 4", ""), "maxRaises: expected 3 4 4 4, got nothing"),
        (("limit\n", "nolimit\n"), "maxRaises: expected nothing in no limit"),
        (("limit\n", "limit\nstack = 100 100 100\n"), "count on chips for every bet, 240; got 100"),
        (("limit\n", "limit\nstack = 1000 1000 900\n"), "stack: expected 1000 1000 1000, got 1000 1000 900"),
    ],
)
def test_definition_of_another_game_is_refused(changed: tuple[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        read_definition(DEFINITIONS["limit-3"].replace(*changed))
