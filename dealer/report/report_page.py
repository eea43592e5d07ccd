"""``index.html``: one file with everything to look at, which needs no other file and no network.

The HTML is in ``templates/``; this module and ``page_tables`` give it values. Autoescape makes text of every value,
so that what a player wrote (avatar, id, the reply that a fault quotes) cannot become HTML. Only two values are marked
as HTML already, plotly's script and its figures, both in this module.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from dealer.faults import NO_MISTAKES, FaultKind, meaning
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.report.contents import Contents
from dealer.report.curves import SHOWN, chip_curves, place_curves, round_curves
from dealer.report.figures import BARS, figure_html, library, reply_boxes, winning_ways
from dealer.report.labels import HandLink, PageLinks, told_to_host
from dealer.report.page_tables import departures, game_tables, head_to_head, standings_table
from dealer.report.pictures import curve_picture, duels_picture, falls_picture, hand_picture, how, isolated
from dealer.report.story import story
from protocol.plurals import counted

#: Knock-outs that are listed; the last ones, which decided most.
KNOCK_OUTS = 8


@dataclass(frozen=True, slots=True)
class Highlight:
    """A hand and what happened in it; ``more`` explains it."""

    link: HandLink
    text: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Highlights:
    """Highlights of one sort under their heading."""

    heading: str
    items: Sequence[Highlight]


def highlights(contents: Contents, links: PageLinks) -> list[Highlights]:
    """All sorts of highlights that there are."""
    sorts = [
        Highlights("Largest pots", list(_pots(contents, links))),
        Highlights("Knock-outs", list(_knock_outs(contents, links))),
        Highlights("New leaders", list(_leads(contents, links))),
        Highlights("Rarest winning hand", list(_rarest(contents, links))),
        Highlights("Faults worth learning from", list(_faults(contents, links))),
    ]
    return [sort for sort in sorts if sort.items]


def _pots(contents: Contents, links: PageLinks) -> Iterator[Highlight]:
    for hand in contents.course.largest:
        link = links.hand(hand.table, hand.number)
        yield Highlight(link, f"{hand.last.pot:,} chips. {how(contents, hand)}")


def _knock_outs(contents: Contents, links: PageLinks) -> Iterator[Highlight]:
    knocked_out = [fall for fall in contents.course.falls if fall.by is not None]
    for fall in knocked_out[: -KNOCK_OUTS - 1 : -1]:
        assert fall.by is not None
        by, player = (isolated(contents.labels[one].short) for one in (fall.by, fall.player))
        yield Highlight(links.hand(fall.table, fall.hand), f"{by} knocked out {player}.")


def _leads(contents: Contents, links: PageLinks) -> Iterator[Highlight]:
    for lead in reversed(contents.course.leads.latest):
        if lead.before is not None:
            player, before = (isolated(contents.labels[one].short) for one in (lead.player, lead.before))
            yield Highlight(links.hand(lead.table, lead.hand), f"{player} took the lead from {before}.")


def _rarest(contents: Contents, links: PageLinks) -> Iterator[Highlight]:
    rarest = contents.course.rarest
    if rarest is None:
        return
    hand, times = rarest.hand, "once" if rarest.times == 1 else f"{rarest.times} times"
    text = f"{how(contents, hand)} In {contents.hands:,} hands, this won {times}: {rarest.kind}."
    yield Highlight(links.hand(hand.table, hand.number), text)


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


_LEGEND = "Tap a name to hide it, twice to see it alone."


@dataclass(frozen=True, slots=True)
class FigureSection:
    """A section of the page with one figure.

    Attributes:
        title: heading of the section.
        note: what the figure shows.
        name: of the figure's element on the page.
        html: the figure as HTML.
        others: number and name of the curves that are not shown at once.
        count: all curves.
    """

    title: str
    note: str
    name: str
    html: Any
    others: Sequence[tuple[int, str]] = ()
    count: int = 0

    @property
    def shown(self) -> int:
        """The curves that are shown at once."""
        return self.count - len(self.others)


def page(contents: Contents, files: Collection[str] = ()) -> str:
    """The text of ``index.html``.

    Args:
        contents: of the report.
        files: of the report that were written before; the page has links to some of them.

    Raises:
        ReportError: plotly or Jinja2 is not installed.
    """
    links = PageLinks(files, many_tables=len(contents.rebuild.ledger.seating.tables) > 1)
    html: str = _template().render(
        title=contents.title,
        story=story(contents, lambda player: isolated(contents.labels[player].short)),
        curve_picture=curve_picture(contents) if contents.hands else None,
        hand_picture=hand_picture(contents, links),
        falls_picture=falls_picture(contents, links),
        duels_picture=duels_picture(contents) if contents.hands else None,
        highlights=highlights(contents, links),
        links=links,
        plotly=_markup(library("plotly.offline").get_plotlyjs()),  # comes with plotly; holds nothing of the journal
        warnings=warnings(contents),
        facts=_facts(contents),
        standings_table=standings_table(contents),
        curves=_curves(contents),
        figures=[_winning_ways(contents), *_game_figures(contents), _reply_times(contents)],
        game_tables=game_tables(contents),
        head_to_head=head_to_head(contents),
        departures=departures(contents),
        check=_check(contents),
    )
    return html


@cache  # to compile it takes longer than to fill it in
def _template() -> Any:
    jinja2 = library("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("dealer.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,  # a misspelt value is an error, not a gap in the page
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("index.html")


def _markup(html: str) -> Any:
    return library("markupsafe").Markup(html)


def _figure(drawn: object, name: str) -> Any:
    # Safe to insert as it is: plotly writes the data as JSON in which <, > and & are escaped, so that nothing in it
    # can end the script; and names were escaped before (`Style.plotly_name`), because plotly itself reads some HTML.
    return _markup(figure_html(drawn, name))


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
    if rebuild.imported:
        return [_import_fact(rebuild.start.started)]
    began = datetime.fromtimestamp(rebuild.start.started, UTC).strftime("%Y-%m-%d %H:%M UTC")
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


def _import_fact(moment: float) -> str:
    imported = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"Imported {imported} from hand histories of other programs. Everybody's chips count from the same number; "
        "what the histories do not tell, such as reply times and some cards, is not known."
    )


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


def _curves(contents: Contents) -> list[FigureSection]:
    """Chips and places over the hands of the last round, and before them the places of every round."""
    ledger, curves = contents.rebuild.ledger, contents.curves.round
    playing = set(curves.players)
    order = [player for player in contents.order if player in playing]
    in_round = f" in round {ledger.seating.round}" if ledger.seating.rounds > 1 else ""
    sections = [_chips(contents, order, in_round), _places(contents, order, in_round)]
    if ledger.seating.rounds > 1:
        rounds = round_curves(contents.curves.places, contents.order, contents.styles)
        note = "After each round, by how it ended. A player who had left before a round has no place in it."
        sections.insert(
            0, _curve_section("Places round by round", note, rounds, "rounds", _names(contents, contents.order))
        )
    return sections


def _chips(contents: Contents, order: Sequence[Player], in_round: str) -> FigureSection:
    ledger, curves = contents.rebuild.ledger, contents.curves.round
    settings = ledger.settings
    several_games = settings.duplicate or settings.games > 1
    drawn = chip_curves(
        curves,
        order,
        # every game begins with equal stacks, so over several games only the chips won can be added up
        0 if several_games else settings.game.start(2).stacks[0],
        contents.styles,
        {level: ledger.levels.stakes(level).text for level in curves.levels},
        settings.duplicate,
    )
    note = "Chips won in all games so far." if several_games else "Chips after each hand."
    if len(ledger.seating.round_tables) > 1:
        note += " Hands are counted at the table that is furthest on."
    if curves.levels:
        note += " Dotted lines show where stakes rose."
    return _curve_section(f"Chips{in_round}", f"{note} {_LEGEND}", drawn, "chips", _names(contents, order))


def _places(contents: Contents, order: Sequence[Player], in_round: str) -> FigureSection:
    drawn = place_curves(contents.curves.round, order, contents.styles)
    note = "By chips, among the players still in. Players who have left are no longer shown."
    return _curve_section(f"Places{in_round}", note, drawn, "places", _names(contents, order))


def _names(contents: Contents, order: Sequence[Player]) -> list[str]:
    return [contents.styles[player].name for player in order]


def _curve_section(title: str, note: str, drawn: object, name: str, names: Sequence[str]) -> FigureSection:
    others = list(enumerate(names))[SHOWN:]
    return FigureSection(title, note, name, _figure(drawn, name), others, len(names))


def _winning_ways(contents: Contents) -> FigureSection:
    note = f"How often each player won part of a pot, and with what. {_best(contents)}"
    kinds = contents.rebuild.ledger.settings.game.kinds
    drawn = winning_ways(contents.statistics, contents.order, contents.styles, kinds)
    return FigureSection("Hands won", note, "ways", _figure(drawn, "ways"))


def _game_figures(contents: Contents) -> list[FigureSection]:
    if contents.game is None:
        return []
    figures = contents.game.figures(contents.order, contents.styles)
    return [FigureSection(one.title, one.note, one.name, _figure(one.drawn, one.name)) for one in figures]


def _reply_times(contents: Contents) -> FigureSection:
    limit = contents.rebuild.ledger.settings.limit
    note = (
        "Milliseconds until the reply. A box holds the middle half, the line in it is the median, whiskers reach from "
        f"1 % to 99 %, and the mark is the longest. The dotted line is the limit of {limit:g} s. " + _best(contents)
    )
    drawn = reply_boxes(contents.statistics, contents.order, contents.styles, limit)
    return FigureSection("Reply times", note, "replies", _figure(drawn, "replies"))


def _best(contents: Contents) -> str:
    """A sentence for figures that have no room for all players."""
    many = len(contents.labels)
    return "" if many <= BARS else f"The best {BARS} of {many} are shown."
