"""Sentences for the actions and notes of a replay."""

from dealer.ledger.formats.points import points_in_words
from dealer.replay.notes import (
    Away,
    Back,
    BesideHand,
    Corrected,
    Ended,
    GameBegun,
    HostSaid,
    Left,
    LevelBegun,
    Moved,
    Note,
    Opened,
    Readmitted,
    Resumed,
    RoundBegun,
    Stalled,
    Stopped,
    Unfinished,
    Voided,
)
from dealer.replay.seen_hand import Acted
from protocol.games.base import Legal
from protocol.plurals import plural
from protocol.wire.messages import is_printable


def harmless(text: str) -> str:
    """A player's text with a question mark for each character that a terminal might obey instead of showing it."""
    return "".join(char if is_printable(char) else "?" for char in text)


def opening_phrase(opened: Opened) -> str:
    """The game, its options and the number of players, in a line."""
    agreed = {"hands": opened.hands, **opened.agreed}
    tables = f" at {opened.tables} tables" if opened.tables > 1 else ""
    facts = [f"{name} {fact}" for name, fact in agreed.items()]
    facts += [f"games {opened.games}"] if opened.games > 1 else []
    facts += [f"rounds {opened.rounds}"] if opened.rounds > 1 else []
    facts += [_levels_phrase(opened.levels)] if opened.levels is not None else []
    title = opened.title[0].upper() + opened.title[1:]
    return f"{title}: {opened.players} players{tables}; {', '.join(facts)}"


def _levels_phrase(levels: int | list[dict[str, int]]) -> str:
    if isinstance(levels, int):
        return f"antes that rise every {_count(levels, 'hand')}"
    return f"a table of {_count(len(levels), 'level')}"


def _count(number: int, what: str) -> str:
    return what if number == 1 else f"{number} {what}s"


def action_phrase(act: Acted) -> str:
    """An action of a seat, or of the dealer for it, as a verb: "raises 5, puts in 15", "checks (asked to fold)"."""
    return _action(act) if act.asked is None else f"{_action(act)} (asked to {act.asked})"


def _action(act: Acted) -> str:
    match act.action:
        case "check" if act.fault is not None:
            return f"checks, by the dealer: {act.fault}"
        case "check" | "fold":
            return f"{act.action}s"
        case "raise":
            return f"raises {act.chips - (act.owed or 0)}, puts in {act.chips}"
        case "given-up":
            return f"is folded: {act.fault or 'not here'}"
        case "forced":
            return f"is folded: owes more than its {plural(act.stack, 'chip')}"
    return f"{act.action}s {act.chips}"


def question_phrase(legal: Legal, pot: int, stack: int) -> str:
    """The answers a seat may give, with the chips: "call 10, raise with 20 to 990, or fold; pot 15, stack 990".

    Args:
        legal: what it may do; chips are those that an action puts in now.
        pot: chips in the pot.
        stack: chips of the seat.
    """
    choices = [f"call {legal.to_call}" if legal.to_call else "check"] if legal.call else []
    if legal.raises:
        least, most = legal.raises[0], legal.raises[-1]
        word = "raise" if legal.to_call else "bet"
        choices.append(f"{word} with {least}" if least == most else f"{word} with {least} to {most}")
    choices += ["fold"] if legal.fold else []
    *others, last = choices
    choice = f"{', '.join(others)}{',' if len(others) > 1 else ''} or {last}" if others else last
    return f"{choice}; pot {pot}, stack {stack}"


def seconds_phrase(microseconds: int) -> str:
    """A reply time with its unit: "37.13 ms" or "1.20 s"."""
    if microseconds < 100_000:
        return f"{microseconds / 1000:.2f} ms"
    return f"{microseconds / 1000:.0f} ms" if microseconds < 1_000_000 else f"{microseconds / 1e6:.2f} s"


def note_phrases(note: Note, many_tables: bool, many_games: bool) -> list[str]:
    """The lines of a note; none if the viewer knows it already.

    Args:
        note: what happened.
        many_tables: whether it must be said where.
        many_games: whether games are worth counting.
    """
    if isinstance(note, Ended):
        places = [
            f"{place:>5}. {harmless(avatar)}, {_worth(chips, points)}"
            for place, avatar, chips, points in note.standings
        ]
        return ["The end of the tournament.", *places]
    if isinstance(note, GameBegun) and not many_games:
        return []
    at_table = f" at table {note.table}" if many_tables and isinstance(note, GameBegun | Voided) else ""
    broken = [f"Table {note.origin} is broken."] if isinstance(note, Moved) and note.broken else []
    return [_host_phrase(note) if isinstance(note, HostSaid) else _sentence(note, at_table), *broken]


def _sentence(note: Note, at_table: str) -> str:
    sentence = ""
    match note:
        case GameBegun(game=game):
            sentence = f"Game {game} begins{at_table}: equal stacks for all."
        case RoundBegun():
            sentence = _round_phrase(note)
        case LevelBegun(level=level, stakes=stakes):
            sentence = f"Level {level}: {', '.join(f'{name} {chips}' for name, chips in stakes.items())} from now on."
        case Moved() | Readmitted() | BesideHand():
            sentence = _player_sentence(note)
        case Voided(hand=hand):
            sentence = f"Hand {hand}{at_table} is void: the dealer stopped in the middle of it, and no chip moved."
        case Resumed():
            sentence = "The dealer was started again."
        case Stalled(seconds=seconds):
            sentence = f"The dealer itself did not run for {seconds:.1f} s; all players got this time back."
        case Stopped():
            sentence = "Every table has stopped until the tournament is resumed."
        case Unfinished():
            sentence = "The tournament is not finished in this journal."
    return sentence


def _player_sentence(note: Moved | Readmitted | BesideHand) -> str:
    sentence, avatar = "", harmless(note.avatar)
    match note:
        case Moved(origin=origin, table=table):
            sentence = f"{avatar} moves from table {origin} to table {table}."
        case Left(fault=fault, for_good=for_good):
            where = "" if for_good else " of this round"
            sentence = f"{avatar} is out{where}{f' ({fault})' if fault else ''}."
        case Away():
            sentence = f"{avatar} is away: the connection ended, and the player may come back."
        case Back():
            sentence = f"{avatar} is back."
        case Readmitted(table=table):
            sentence = f"{avatar} was let in again, and sits down at table {table}."
        case Corrected(hand=hand):
            sentence = f"An action of {avatar} in hand {hand} was corrected: the rules forbid what it wanted."
    return sentence


def _round_phrase(note: RoundBegun) -> str:
    first, last = note.tables[0], note.tables[-1]
    tables = f"table {first}" if first == last else f"tables {first} {'and' if last == first + 1 else 'to'} {last}"
    return f"Round {note.round} begins: {note.players} players at {tables}, equal stacks for all."


def _host_phrase(note: HostSaid) -> str:
    pace = f"a hand take at least {note.seconds:g} s" if note.seconds else "hands follow each other at once"
    reason = f": {harmless(note.reason)}" if note.reason else ""
    phrases = {
        "pause": "pauses the tournament: every table finishes its hand and waits",
        "resume": "lets the tournament go on",
        "step": "lets every table deal one hand in the pause",
        "length": f"lets the rest of the tournament take about {(note.seconds or 0) / 60:.3g} min",
        "pace": f"lets {pace}",
        "remove": f"removes {harmless(note.avatar or '')}{reason}",
        "readmit": f"lets {harmless(note.avatar or '')} in again",
        "level": "raises the antes",
        "suspend": "suspends the tournament, to resume it another day",
        "stop": f"stops the dealer: every table finishes its hand, with {note.seconds or 0:g} s at most for an answer",
        "end": "ends the tournament: every table finishes its hand",
    }
    return f"The host {phrases.get(note.command, f'says {harmless(note.command)}')}."


def _worth(chips: int, points: int | None) -> str:
    """The chips or points of a player in the final standings."""
    return plural(chips, "chip") if points is None else points_in_words(points)
