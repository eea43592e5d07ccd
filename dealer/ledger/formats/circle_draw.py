"""Round robins: everybody meets everybody once."""

#: Two players by number; the first sits in seat 0 of their first game.
Pair = tuple[int, int]


def round_robin(players: int) -> tuple[tuple[Pair, ...], ...]:
    """The rounds of a round robin by the circle method, players being numbered from 0.

    An odd number of players has as many rounds, in each of which one is missing; an even number has one round less.
    Everybody is named first as often as second, or, of an even number, once more or less often; and no more than twice
    in a row, whichever it is.

    Raises:
        ValueError: there are fewer than two players.
    """
    if players < 2:
        raise ValueError(f"a round robin has 2 players or more, not {players}")
    return tuple(_round(number, players) for number in range(players - 1 + players % 2))


def _round(number: int, players: int) -> tuple[Pair, ...]:
    """One round: who sits on the circle meets who is across from it; of an even number the last sits in the middle.

    A step around the circle makes the distance to the next opponent one less or one more, so that going by whether it
    is odd, everybody takes turns in being first.
    """
    circle = players - 1 + players % 2
    pairs = []
    if circle < players:
        pairs.append((circle, number) if number % 2 == 0 else (number, circle))
    for distance in range(1, circle // 2 + 1):
        ahead, behind = (number + distance) % circle, (number - distance) % circle
        pairs.append((ahead, behind) if distance % 2 else (behind, ahead))
    return tuple(pairs)
