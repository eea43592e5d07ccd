"""Sentences for the actions and notes of a replay."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dealer.ledger.columns import reply_time
from dealer.ledger.formats.points import points_in_words
from dealer.telling.seen_hand import Collected
from protocol import events
from protocol.games.base import Legal
from protocol.games.registry import load_game
from protocol.plurals import plural
from protocol.wire.messages import is_printable

#: How the dealer begins when it tells a player why it is out.
OUT = "you are out: "


def harmless(text: str) -> str:
    """A player's text with a question mark for each character that a terminal might obey instead of showing it."""
    return "".join(char if is_printable(char) else "?" for char in text)


def opening_phrase(started: events.Started) -> str:
    """The game, its options and the number of players, in a line."""
    kind = load_game(started.game)
    game = kind.from_facts({option.name: started.agreed.get(option.name) for option in kind.options()})
    tables = f" at {len(started.tables)} tables" if len(started.tables) > 1 else ""
    facts = [f"{name} {fact}" for name, fact in {"hands": started.agreed["hands"], **game.facts}.items()]
    facts += [f"games {started.games}"] if started.games > 1 else []
    facts += [f"rounds {started.rounds}"] if started.rounds > 1 else []
    match started.agreed["levels"]:
        case int(hands):
            facts += [f"antes that rise every {'hand' if hands == 1 else f'{hands} hands'}"]
        case [*levels]:
            facts += [f"a table of {plural(len(levels), 'level')}"]
    title = game.title[0].upper() + game.title[1:]
    return f"{title}: {len(started.players)} players{tables}; {', '.join(facts)}"


def action_phrase(act: events.Acted) -> str:
    """An action of a seat, or of the dealer for it, as a verb: "raises 5, puts in 15", "checks (asked to fold)"."""
    return _action(act) if act.asked is None else f"{_action(act)} (asked to {act.asked})"


def _action(act: events.Acted) -> str:
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


def end_phrases(collected: Iterable[Collected], carried: int) -> Iterator[tuple[int | None, str]]:
    """The end of a pot in words: a seat and what it did, or None and a sentence for all seats.

    Args:
        collected: by the seats.
        carried: chips that stay in the pot.
    """
    for part in collected:
        yield part.seat, f"collects {part.chips}: {part.why}"
    if carried:
        yield (
            None,
            f"equal best cards: {plural(carried, 'chip')} {'waits' if carried == 1 else 'wait'} for the next hand",
        )


def seconds_phrase(microseconds: int) -> str:
    """A reply time with its unit: "37.13 ms" or "1.2 s"."""
    return reply_time(microseconds / 1e6)


def event_phrases(event: events.Event, name: str, many_tables: bool, many_games: bool) -> list[str]:  # noqa: PLR0911, PLR0912
    """The sentences of what happens between hands; an empty list for what needs no words.

    Args:
        event: what happened.
        name: of the player whom it is about; empty if it is about nobody.
        many_tables: whether it must be said where.
        many_games: whether games are worth counting.
    """
    name = harmless(name)
    match event:  # a branch for each kind of event, which is easier to read than smaller functions
        case events.Ended():
            return ["The end of the tournament.", *map(_place, event.standings)]
        case events.GameBegun(table=table, game=game):
            begins = f"Game {game} begins{_at(table, many_tables)}: equal stacks for all."
            return [begins] if many_games else []
        case events.RoundBegun(round=number, tables=tables):
            where = f"{sum(map(len, tables))} players at {plural(len(tables), 'table')}"
            return [f"Round {number} begins: {where}, equal stacks for all."]
        case events.LevelBegun(level=level, stakes=stakes):
            return [f"Level {level}: {', '.join(f'{name} {chips}' for name, chips in stakes.items())} from now on."]
        case events.HostSaid():
            return [_host_phrase(event, name)]
        case events.Moved(origin=origin, table=table):
            moves = f"{name} moves from table {origin} to table {table}."
            return [moves, f"Table {origin} is broken."] if event.broken else [moves]
        case events.Readmitted(table=table):
            return [f"{name} was let in again, and sits down at table {table}."]
        case events.Left(kind=kind, for_good=for_good):
            return [f"{name} is out{'' if for_good else ' of this round'}{f' ({kind})' if kind else ''}."]
        case events.Away():
            return [f"{name} is away: the connection ended, and the player may come back."]
        case events.Back():
            return [f"{name} is back."]
        case events.Corrected(hand=hand):
            return [f"An action of {name} in hand {hand} was corrected: the rules forbid what it wanted."]
        case events.Voided(table=table, hand=hand):
            void = f"Hand {hand}{_at(table, many_tables)} is void"
            return [f"{void}: the dealer stopped in the middle of it, and no chip moved."]
        case events.Resumed():
            return ["The dealer was started again."]
        case events.Stalled(seconds=seconds):
            return [f"The dealer itself did not run for {seconds:.1f} s; all players got this time back."]
        case events.Stopped():
            return ["Every table has stopped until the tournament is resumed."]
        case _:
            return []


def _at(table: int, many_tables: bool) -> str:
    return f" at table {table}" if many_tables else ""


def _place(standing: Mapping[str, Any]) -> str:
    chips, points = standing["chips"], standing["points"]
    worth = plural(chips, "chip") if points is None else points_in_words(round(2 * points))
    return f"{standing['place']:>5}. {harmless(standing['avatar'])}, {worth}"


def _host_phrase(order: events.HostSaid, name: str) -> str:
    seconds = order.seconds or 0
    pace = f"a hand take at least {seconds:g} s" if seconds else "hands follow each other at once"
    reason = f": {harmless(order.reason)}" if order.reason else ""
    phrases = {
        "pause": "pauses the tournament: every table finishes its hand and waits",
        "resume": "lets the tournament go on",
        "step": "lets every table deal one hand in the pause",
        "length": f"lets the rest of the tournament take about {seconds / 60:.3g} min",
        "pace": f"lets {pace}",
        "remove": f"removes {name}{reason}",
        "readmit": f"lets {name} in again",
        "message": f"says{reason}" if reason else "takes the message away",
        "level": "raises the antes",
        "suspend": "suspends the tournament, to resume it another day",
        "stop": f"stops the dealer: every table finishes its hand, with {seconds:g} s at most for an answer",
        "end": "ends the tournament: every table finishes its hand",
    }
    return f"The host {phrases.get(order.command, f'says {harmless(order.command)}')}."
