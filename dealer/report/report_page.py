"""``index.html``: one file with everything to look at, which needs no other file and no network.

The HTML is in ``templates/``; this module, ``charts`` and ``page_tables`` give it values. All of them become text, so
that what a player wrote (avatar, id, the reply that a fault quotes) cannot become HTML.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from dealer.faults import NO_MISTAKES, FaultKind, meaning
from dealer.ledger.ledger import Ledger
from dealer.report import page_tables
from dealer.report.charts import curves, picture, reply_times, winning_ways
from dealer.report.contents import Contents, at_table
from dealer.report.labels import HandLink, Label, PageLinks, told_to_host
from dealer.report.story import pot_won, story, winners_of
from protocol.cards import SUIT_SYMBOL, SUIT_TEXT, Piece, parse_card
from protocol.charts.html_file import render
from protocol.events import HandOver
from protocol.plurals import counted

#: Knock-outs that are listed; the last ones, which decided most.
KNOCK_OUTS = 8


@dataclass(frozen=True, slots=True)
class Highlight:
    """A hand and what happened in it; ``more`` explains it."""

    link: HandLink
    text: str
    more: str = ""


def highlights(contents: Contents, links: PageLinks) -> dict[str, list[Highlight]]:
    """All sorts of highlights that there are, by their headings."""
    sorts = {
        "Largest pots": _pots,
        "Knock-outs": _knock_outs,
        "New leaders": _leads,
        "Rarest winning hand": _rarest,
        "Faults worth learning from": _faults,
    }
    found = {heading: list(find(contents, links)) for heading, find in sorts.items()}
    return {heading: items for heading, items in found.items() if items}


def _pots(contents: Contents, links: PageLinks) -> Iterator[Highlight]:
    for hand in contents.course.told.largest:
        yield Highlight(links.hand(hand.table, hand.hand), f"{hand.pot:,} chips. {how(contents, hand)}")


def _knock_outs(contents: Contents, links: PageLinks) -> Iterator[Highlight]:
    knocked_out = [(by, left) for left, by in contents.course.told.falls if by is not None]
    for by, left in knocked_out[: -KNOCK_OUTS - 1 : -1]:
        text = f"{_name(contents, by)} knocked out {_name(contents, left.player)}."
        yield Highlight(links.hand(left.table, left.hand), text)


def _leads(contents: Contents, links: PageLinks) -> Iterator[Highlight]:
    for lead in reversed(contents.course.told.leads.latest):
        if lead.before is not None:
            text = f"{_name(contents, lead.player)} took the lead from {_name(contents, lead.before)}."
            yield Highlight(links.hand(lead.table, lead.hand), text)


def _name(contents: Contents, player: int) -> str:
    return isolated(contents.labels[contents.player(player)].short)


def _rarest(contents: Contents, links: PageLinks) -> Iterator[Highlight]:
    rarest = contents.course.told.rarest
    if rarest is None:
        return
    hand, count = rarest
    times = "once" if count == 1 else f"{count} times"
    text = f"{how(contents, hand)} In {contents.hands:,} hands, this won {times}: {hand.pots[0].kind}."
    yield Highlight(links.hand(hand.table, hand.hand), text)


def _faults(contents: Contents, links: PageLinks) -> Iterator[Highlight]:
    """The first fault of each kind, the most frequent kind first, with what to look for in the program."""
    first: dict[FaultKind, Highlight] = {}
    count: Counter[FaultKind] = Counter()
    for player in contents.order:
        name = isolated(contents.labels[player].short)
        for fact in contents.statistics[player].faults:
            kind = fact.fault.kind
            count[kind] += 1
            if kind in first or kind in NO_MISTAKES or fact.at is None:
                continue
            reason = told_to_host(contents.labels[player].hidden(fact.fault.reason, player.id), name)
            text = reason if reason.startswith(name) else f"{name}: {reason}"
            why = meaning(kind, acpc=player.acpc).replace("`", "")
            first[kind] = Highlight(links.hand(fact.at.table, fact.at.hand), f"{text}.", why)
    for kind in sorted(first, key=lambda kind: -count[kind]):
        yield first[kind]


# The pictures beside the curves at the head of the page

#: Players in a picture; the best ones, where there are more.
SHOWN = 6


@dataclass(frozen=True, slots=True)
class Face:
    """A card, or what a game has instead of cards: its rank, its suit as a letter and as a symbol."""

    rank: str
    suit: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """A seat of a drawn hand: who, its cards unless it folded, and chips won or lost."""

    label: Label
    faces: Sequence[Face]
    payoff: str
    won: bool


@dataclass(frozen=True, slots=True)
class HandPicture:
    """A hand with its cards: the winners, then who else was in at the end; ``folded`` others are not shown."""

    title: str
    link: HandLink
    board: Sequence[Face]
    seats: Sequence[DrawnSeat]
    folded: int
    how: str


@dataclass(frozen=True, slots=True)
class FallRow:
    """A player who fell, in which hand, and by whom or why."""

    link: HandLink
    player: Label
    by: Label | None
    why: str


def hand_picture(contents: Contents, links: PageLinks) -> HandPicture | None:
    """The hand with the largest pot; None before the first."""
    hand = contents.course.largest
    if hand is None:
        return None
    settlement, last = hand.settlement, hand.last
    order = sorted(last.live, key=lambda seat: -settlement.payoffs[seat])[:SHOWN]
    told = contents.course.told.largest[0]
    public, winners = last.public(), winners_of(told)
    seats = [
        DrawnSeat(
            contents.labels[hand.players[seat]],
            [face(piece) for piece in (*last.hole(seat), *public.seats[seat].up)],
            f"{settlement.payoffs[seat]:+,}".replace("-", "\N{MINUS SIGN}"),
            seat in winners,
        )
        for seat in order
    ]
    where = at_table(contents.ledger, hand.table)
    return HandPicture(
        f"The largest pot: {last.pot:,} in hand {hand.number:,}{where}",
        links.hand(hand.table, hand.number),
        [face(piece) for piece in public.board],
        seats,
        len(hand.players) - len(order),
        how(contents, told),
    )


def how(contents: Contents, hand: HandOver) -> str:
    """A sentence that says who won a hand, and with what."""
    words = pot_won(contents, hand, lambda player: isolated(contents.labels[player].short))
    return f"{words[0].upper()}{words[1:]}."


def isolated(name: str) -> str:
    """A name in a sentence of the page: the direction of its letters stays its own (Unicode's first strong isolate)."""
    return f"\u2068{name}\u2069"


def face(piece: Piece) -> Face:
    """A card with its symbol; a die or a number as its text."""
    try:
        card = parse_card(piece.text)
    except ValueError:
        return Face(piece.text)
    return Face(card.text[:-1], SUIT_TEXT[card.suit], SUIT_SYMBOL[card.suit])


def falls_picture(contents: Contents, links: PageLinks) -> list[FallRow]:
    """Players who fell, the last one first; none in several rounds, in which all begin anew."""
    falls = contents.course.told.falls if contents.ledger.seating.rounds == 1 else []
    rows = []
    for left, by in reversed(falls):
        if left.kind == FaultKind.REMOVED:
            why = "was removed by the host"
        elif left.kind is not None:
            why = f"left for a fault: {left.kind}"
        else:
            why = "" if by is not None else "had too few chips"
        winner = None if by is None else contents.labels[contents.player(by)]
        player = contents.labels[contents.player(left.player)]
        rows.append(FallRow(links.hand(left.table, left.hand), player, winner, why))
    return rows


def duels_picture(contents: Contents) -> page_tables.Matrix:
    """The best players against each other."""
    return page_tables.matrix(contents, contents.order[:SHOWN], brief=True)


def page(contents: Contents, files: Collection[str] = ()) -> str:
    """The text of ``index.html``.

    Args:
        contents: of the report.
        files: of the report that were written before; the page has links to some of them.
    """
    links = PageLinks(files, many_tables=len(contents.ledger.seating.tables) > 1)
    return render(
        "dealer.report",
        "index.html",
        styles=["page.css", "first.css"],
        scripts=["page.js"],
        title=contents.title,
        story=story(contents, lambda player: isolated(contents.labels[player].short)),
        picture=picture(contents) if contents.hands else None,
        hand_picture=hand_picture(contents, links),
        falls_picture=falls_picture(contents, links),
        duels_picture=duels_picture(contents) if contents.hands else None,
        highlights=highlights(contents, links),
        links=links,
        warnings=warnings(contents),
        facts=_facts(contents),
        places=contents.places,
        labels=contents.labels,
        standings_table=page_tables.standings_table(contents),
        curves=curves(contents),
        bars=[
            winning_ways(contents),
            *contents.game.charts(contents.order, contents.styles),
            reply_times(contents),
        ],
        game_tables=contents.game.tables(contents.order),
        head_to_head_note=page_tables.head_to_head_note(contents),
        head_to_head=page_tables.head_to_head(contents),
        with_faults=page_tables.faults_and_departures(contents),
        only_broke=page_tables.only_broke(contents),
        check=_check(contents),
    )


def warnings(contents: Contents) -> list[str]:
    """Warnings that a reader must know before believing the figures."""
    lines = []
    if not contents.rebuild.ended:
        lines.append("This tournament has not ended: places are those of the moment, and hole cards are in this page.")
    if contents.survey.torn is not None:
        whole = counted(contents.survey.records, "record")
        lines.append(f"The end of the journal is torn; this is all that is whole in it ({whole}).")
    return lines


def _facts(contents: Contents) -> list[str]:
    """The settings and the course of the tournament, in lines."""
    rebuild, survey = contents.rebuild, contents.survey
    assert rebuild.start is not None
    settings = rebuild.ledger.settings
    began = datetime.fromtimestamp(rebuild.start.started, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if rebuild.imported:
        return [
            f"Imported {began} from hand histories of other programs. Everybody's chips count from the same number; "
            "what the histories do not tell, such as reply times and some cards, is not known."
        ]
    agreed = {**settings.game.facts, "limit": f"{settings.limit:g} s", "lives": settings.lives}
    lines = [f"Begun {began}; " + ", ".join(f"{key} {value}" for key, value in agreed.items()) + "."]
    progress = rebuild.ledger.format.progress()
    if progress is not None:
        lines.append(
            f"A duplicate league: {progress['complete']} of {progress['deals']} deals were played in all "
            f"{progress['rotations']} rotations, and only those count for places."
        )
    elif settings.games > 1:
        lines.append(f"{settings.games} games, each with equal stacks at its beginning.")
    lines += _course(rebuild.ledger)
    if survey.resumed:
        times = "once" if survey.resumed == 1 else f"{survey.resumed} times"
        hands = f"{counted(survey.voided, 'hand')} that may have been in progress"
        lines.append(f"The dealer was started again {times}; {hands} did not count.")
    return lines


def _course(ledger: Ledger) -> list[str]:
    """Tables, rounds and levels, where there is more than one."""
    lines = []
    if len(ledger.seating.tables) > 1:
        moves = "; players move between them to keep them equally full" if ledger.seating.sends_players else ""
        lines.append(f"{len(ledger.seating.tables)} tables{moves}.")
    if ledger.seating.rounds > 1:
        lines.append(
            f"{ledger.seating.rounds} rounds, each at new tables with equal stacks; "
            f"places and chips are those of round {ledger.seating.round}."
        )
    if ledger.settings.levels is not None:
        levels = ledger.settings.levels
        rule = f"every {levels} hands of a table" if isinstance(levels, int) else "by a level table"
        lines.append(
            f"Stakes rise {rule}. Level {ledger.levels.level} asks for "
            f"{ledger.levels.stakes(ledger.levels.level).text}."
        )
    return lines


def _check(contents: Contents) -> dict[str, str]:
    """A note on how to check that the dealer did not cheat. The seed stays secret while it can still deal a card."""
    rebuild = contents.rebuild
    assert rebuild.start is not None
    if rebuild.imported:
        note = "These hands were imported: their decks follow from no seed, and nothing proves how the cards came."
        return {"note": note, "commitment": "none", "seed": ""}
    note = "The dealer showed the commitment, which is the SHA-256 of the seed, before the first hand. "
    if rebuild.ended:
        note += "Every deck follows from the seed, and casino verify checks the whole journal against it."
    else:
        note += "The seed stays secret until the end."
    seed = rebuild.ledger.settings.seed.hex() if rebuild.ended else ""
    return {"note": note, "commitment": rebuild.start.commitment, "seed": seed}
