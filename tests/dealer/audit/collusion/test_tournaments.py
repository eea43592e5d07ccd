"""How often honest players are named by their journal, and how many hands players who cooperate take to be named."""

from random import Random

import pytest

from protocol.estimates.intervals import share
from tests.dealer.audit.collusion.tournaments import GIVER, RECEIVER, SCHEMES, SENSIBLE, STYLES, Room, room

LEVEL = 0.01

#: Tournaments of honest players in the heavy test.
HONEST = 1000

#: Hands of a tournament by game, or hands of every two players in games for two.
HANDS = {"stud": 600, "holdem": 400, "blockhead": 80}

#: The bot of each game that takes longest or adapts most: one plays in every fourth tournament, in hold'em a short one.
ADAPTING = {"stud": "stud", "holdem": "holdem", "blockhead": "gamma"}
SHORT_HANDS, SHORT_PLAYERS = 100, 4


def honest(number: int) -> Room:
    """A tournament of honest players, whose game, format and styles follow from its number."""
    chance, game = Random(f"honest {number}"), list(STYLES)[number % 3]
    count = chance.randint(3, 5) if game == "blockhead" else chance.randint(4, 7)
    fast = [name for name in STYLES[game] if name not in ("stud", "holdem")]
    names = [chance.choice(fast) for _ in range(count)]
    hands = HANDS[game]
    if number // 3 % 4 == 0:
        names[0] = ADAPTING[game]
        if game == "holdem":
            names, hands = names[:SHORT_PLAYERS], SHORT_HANDS
    played, form = room(game, names, f"h{number}"), number // 12 % 3
    if game == "blockhead":
        played.pairs(hands, 20)
    elif form == 0:
        played.one_table(hands)
    elif form == 1:
        played.redrawn(hands, chance.randint(2, 4), 20)
    else:
        played.freezeouts(hands)
    return played


@pytest.mark.heavy
def test_honest_players_are_hardly_ever_named() -> None:
    """Prints the share of tournaments in which anybody was named, with its interval."""
    named = 0
    for number in range(HONEST):
        found = honest(number).evidence(LEVEL)
        named += bool(found)
        if found or number % 100 == 99:
            print(f"{named} of {number + 1} tournaments name somebody: {share(named, number + 1)}; {found}")
    assert share(named, HONEST).low <= LEVEL


@pytest.mark.heavy
@pytest.mark.parametrize("game", ["stud", "holdem"])
def test_power_by_hands(game: str) -> None:
    """Prints in how many hands pairs are found, at a table of six and where every two play alone; never others."""
    for scheme, play in SCHEMES.items():
        for seats, blocks in ((6, (1000, 2000, 4000)), (2, (100, 200, 400))):
            cheating = room(game, [SENSIBLE] * 6, scheme, play)
            played = 0
            for hands in blocks:
                if seats == 2:
                    cheating.pairs(hands - played, 10)
                else:
                    cheating.redrawn(hands - played, 6, 50)
                played = hands
                found = {(test.giver, test.receiver) for test in cheating.evidence(LEVEL)}
                print(f"{game}, {scheme}, {seats} at a table, {hands} hands: {sorted(found)}")
                assert found <= {(GIVER, RECEIVER), (RECEIVER, GIVER)}
        if scheme in ("folds to bets", "builds the pot and folds"):
            assert (GIVER, RECEIVER) in found


def test_honest_players_of_stud_and_blockhead_are_not_named() -> None:
    for number in (3, 5):
        assert honest(number).evidence(LEVEL) == []
