"""Highlights of a tournament for the report's page: hands worth seeing again, and faults worth learning from."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dealer.faults import NO_MISTAKES, FaultKind, meaning
from dealer.report.contents import Contents
from dealer.report.fault_words import told_to_host
from dealer.report.page_links import HandLink, PageLinks
from dealer.report.pictures import how, isolated

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
