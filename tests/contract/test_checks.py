"""Every game can be checked and practised by its name, or says in a sentence what is missing."""

import pytest

from dealer.checker.cases.game_cases import find_cases
from dealer.checker.cases.parts import compliance_parts
from dealer.checker.scoring.rubric import COMPLIANCE
from dealer.errors import OptionError
from dealer.practice.practice import practise
from dealer.practice.practice_flags import PracticeFlags
from protocol.games.game import Game
from protocol.wire.codec import decode_command, encode
from protocol.wire.text import load_text
from tests.dealer.checker.played_deals import played

HANDS = 60


def test_rules_deal_hands_of_all_kinds(game: Game) -> None:
    hands, questions, seats = 0, [], set()
    for deal in compliance_parts(game, "contract", HANDS)[-1].deals:
        hands += 1
        seats.add(len(deal.hand.starting))
        questions += [encode(asked.turn) for asked in played(deal)[0]]
    assert hands == HANDS
    assert len(seats) > 1 or len(game.seats) == 1
    verbs = load_text(game.name).commands.keys() - {"status"}
    assert {question.partition(":")[0] for question in questions} == verbs  # on all streets
    assert all(encode(decode_command(question, game.name)) == question for question in questions)


def test_every_game_has_cases_with_the_same_first_lines(game: Game) -> None:
    cases = find_cases(game.name)
    assert cases.rubric[: len(COMPLIANCE)] == COMPLIANCE
    assert cases.parts("contract", HANDS)[0].name == "how it talks"


@pytest.mark.usefixtures("_leduc_on_path")
async def test_practice_of_a_game_it_does_not_know() -> None:
    with pytest.raises(OptionError, match="practice does not know leduc yet; it knows dice, holdem, stud"):
        await practise("leduc", ("x", "{port}"), PracticeFlags())
