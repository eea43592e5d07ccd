"""Events and notes in words."""

from dealer.replay.layout import harmless
from dealer.replay.notes import Away, Back, Ended, GameBegun, Left, Note, Opened, Resumed, Unfinished, Voided
from dealer.replay.script import Acted


def opening_phrase(opened: Opened) -> str:
    """What is played, by how many."""
    agreed = {"hands": opened.hands, **opened.agreed}
    tables = f" at {opened.tables} tables" if opened.tables > 1 else ""
    games = f", games {opened.games}" if opened.games > 1 else ""
    facts = ", ".join(f"{name} {fact}" for name, fact in agreed.items())
    return f"{opened.title[0].upper()}{opened.title[1:]}: {opened.players} players{tables}; {facts}{games}"


def action_phrase(act: Acted) -> str:
    """What a seat did, or what was done for it."""
    match act.action:
        case "check" | "fold":
            return f"{act.action}s"
        case "raise":
            return f"raises {act.chips - (act.owed or 0)}, puts in {act.chips}"
        case "given-up":
            return f"is folded: {act.fault or 'not here'}"
        case "forced":
            return f"is folded: owes more than its {act.stack} chips"
    return f"{act.action}s {act.chips}"


def seconds_phrase(microseconds: int) -> str:
    """A reply time as people read it."""
    if microseconds < 100_000:
        return f"{microseconds / 1000:.2f} ms"
    return f"{microseconds / 1000:.0f} ms" if microseconds < 1_000_000 else f"{microseconds / 1e6:.2f} s"


def note_phrases(note: Note, many_tables: bool, many_games: bool) -> list[str]:
    """A note in lines; none if it says nothing that is not known.

    Args:
        note: what happened.
        many_tables: whether it must be said where.
        many_games: whether games are worth counting.
    """
    if isinstance(note, Ended):
        places = [f"{place:>5}. {harmless(avatar)}, {chips} chips" for place, avatar, chips in note.standings]
        return ["The end of the tournament.", *places]
    if isinstance(note, GameBegun) and not many_games:
        return []
    at_table = f" at table {note.table}" if many_tables and isinstance(note, GameBegun | Voided) else ""
    return [_sentence(note, at_table)]


def _sentence(note: Note, at_table: str) -> str:
    sentence = ""
    match note:
        case GameBegun(game=game):
            sentence = f"Game {game} begins{at_table}: equal stacks for all."
        case Left(avatar=avatar, fault=fault):
            sentence = f"{harmless(avatar)} is out{f' ({fault})' if fault else ''}."
        case Away(avatar=avatar):
            sentence = f"{harmless(avatar)} is away: the connection ended, and the player may come back."
        case Back(avatar=avatar):
            sentence = f"{harmless(avatar)} is back."
        case Voided(hand=hand):
            sentence = f"Hand {hand}{at_table} is void: the dealer stopped in the middle of it, and no chip moved."
        case Resumed():
            sentence = "The dealer was started again."
        case Unfinished():
            sentence = "The tournament is not finished in this journal."
    return sentence
