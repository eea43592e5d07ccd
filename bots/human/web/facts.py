"""What the page is told of a table, as values for JSON: cards are texts as on the wire."""

from dataclasses import asdict
from typing import Any

from bots.human.answers import nearest_place, pot_raise
from bots.human.coach.advice import Advice
from bots.human.game_seat import GameSeat
from bots.human.odds import Chances
from bots.human.updates import Asked, PersonScene
from protocol.games.game import Game

#: The buttons that move the slider, and to which share of the pot.
PRESETS = (("half pot", 0.5), ("pot", 1.0))


def game_facts(game: Game, seat: GameSeat) -> dict[str, Any]:
    """What the page knows of the game from its beginning."""
    return {
        "name": game.name,
        "title": game.title,
        "rules": seat.rules,
        "suits": {suit.name[0]: name for suit, name in game.suits.items()},
        "piece": game.piece,
        "raises": seat.raises,
        "counts": seat.counts_chances,
        "coached": seat.coach is not None,
        "asksOnce": seat.asks_once,
    }


def scene_facts(scene: PersonScene) -> dict[str, Any]:
    """The table at one moment, as the dealer's page is told it, and what only a person at the table is told."""
    facts = scene.table.facts()
    for told, seat in zip(facts["seats"], scene.table.seats, strict=True):
        told["put"] = seat.put
    return {
        **facts,
        "hand": scene.hand,
        "streetName": scene.street,
        # The dealer's page knows the players of the whole tournament. Here, a player has the number of its seat.
        "players": scene.names,
        "me": scene.me,
        "headline": scene.headline,
        "level": scene.level,
    }


def question_facts(asked: Asked, seat: GameSeat) -> dict[str, Any]:
    """An open question: the legal actions and no others.

    ``raises`` is the smallest amount, the largest one and the step between two; null where no raise is left.
    """
    turn, legal = asked.turn, asked.turn.legal()
    raises = legal.raises
    sizes = [(name, raises[nearest_place(raises, pot_raise(turn, share))]) for name, share in PRESETS if raises]
    return {
        "number": asked.number,
        "owed": turn.owed,
        "put": asked.put,
        "pot": turn.pot,
        "stack": turn.stack,
        "pay": seat.pay_word(turn) if turn.owed else "check",
        "fold": legal.fold,
        "call": legal.call,
        "raises": [raises[0], raises[-1], raises.step] if raises else None,
        "presets": sizes,
    }


def chances_facts(chances: Chances) -> dict[str, Any]:
    """The person's chances, once they are counted."""
    return asdict(chances)


def advice_facts(advice: Advice) -> dict[str, Any]:
    """What the coach says: its verdict, and each option with the chips that it is worth and costs, if it costs any."""
    return {
        "verdict": advice.verdict,
        "method": advice.method,
        "options": [
            {
                "words": option.words,
                "worth": option.worth.chips,
                "error": option.worth.error,
                "cost": option.cost.chips if option.costs else None,
                "costError": option.cost.error,
            }
            for option in advice.options
        ],
    }
