"""The tables of the page, as HTML. Whatever a player may have written goes through ``escape`` here."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from dealer.ledger.ledger import Ledger
from dealer.ledger.standings import Standing, milliseconds
from dealer.lobby.player import Player
from dealer.report.explain import MEANINGS
from dealer.report.head_to_head import HeadToHead, Won
from dealer.report.names import Label
from dealer.report.places import at_table, everybody, leaving, went_broke
from dealer.report.player_tally import FaultFact, Figures
from dealer.report.sheets import score_facts

_SCORE_HEADINGS = {
    "points": "Points",
    "rating": "Rating",
    "deals": "Deals",
    "chips_per_deal": "Chips a deal",
    "variance_removed": "Variance removed",
    "won": "Games won",
    "drawn": "drawn",
    "lost": "lost",
    "chips_per_hand": "Chips a hand",
}

MOST_FAULTS = 5
"""Of one player that the page tells; with many lives there may be thousands."""


def who(label: Label) -> str:
    """A player, with the id where it may be told. The direction of an avatar's letters is kept to the avatar."""
    id_ = f"no. {label.number}" if label.id is None else label.id
    more = id_ if label.name in (None, label.id) else f"{id_}, {label.name}"
    return f'<bdi class="avatar">{escape(label.avatar)}</bdi> <bdi class="id">{escape(more)}</bdi>'


def standings_table(ledger: Ledger, labels: Mapping[Player, Label], figures: Mapping[Player, Figures]) -> str:
    """Who came where."""
    standings = everybody(ledger)
    scores = [key for key in score_facts(ledger, standings[0].player) if key in _SCORE_HEADINGS]
    chips = "Chips won" if ledger.duplicate else "Average chips" if ledger.scores and ledger.scores.games else "Chips"
    headings = ["Place", "Player", chips, *(_SCORE_HEADINGS[key] for key in scores)]
    headings += ["Hands won", "Hands survived", "Decisions", "Faults", "Median reply, ms", "99 % of replies, ms"]
    rows = [_standing_cells(standing, ledger, scores, labels, figures) for standing in standings]
    return _table(headings, rows, "standings")


def _standing_cells(
    standing: Standing,
    ledger: Ledger,
    scores: Sequence[str],
    labels: Mapping[Player, Label],
    figures: Mapping[Player, Figures],
) -> list[str]:
    player = standing.player
    facts = score_facts(ledger, player)
    times = [None if time is None else time / 1000 for time in figures[player].milliseconds(0.5, 0.99)]
    return [
        str(standing.place),
        who(labels[player]),
        number(standing.chips),
        *(_score_cell(key, facts) for key in scores),
        number(player.hands_won),
        number(player.hands_survived),
        number(player.decisions),
        number(len(player.faults)),
        *(milliseconds(time) for time in times),
    ]


def _score_cell(key: str, facts: Mapping[str, float | None]) -> str:
    fact = facts[key]
    if fact is None:
        return "-"
    if key == "points":
        return f"{fact:g}"
    if key == "rating":
        low, high = facts["rating_from"], facts["rating_to"]
        assert low is not None
        assert high is not None
        return f"{fact:.1f} <small>\u00b1 {(high - low) / 2:.1f}</small>"
    if key == "variance_removed":
        return f"{fact:.0%}"
    if not key.startswith("chips_per"):
        return number(round(fact))
    low, high = facts["interval_from"], facts["interval_to"]
    half = "" if low is None or high is None else f" <small>\u00b1 {(high - low) / 2:.2f}</small>"
    return f"{signed(fact)}{half}"


def matrix(players: Sequence[Player], labels: Mapping[Player, Label], pairs: HeadToHead) -> str:
    """Chips that each player won from each other, per hand dealt to both."""
    headings = ["won from", *(_short(labels[player]) for player in players)]
    rows = [[_short(labels[player]), *(_matrix_cell(pairs, player, other) for other in players)] for player in players]
    return _table(headings, rows, "matrix", ready=True)


def _short(label: Label) -> str:
    return f"<bdi>{escape(label.short)}</bdi>"


def _matrix_cell(pairs: HeadToHead, player: Player, other: Player) -> str:
    if player is other:
        return '<span class="self">\u00b7</span>'
    won = pairs.won(player, other)
    return '<span class="self">-</span>' if won is None else _won(won)


def _won(won: Won) -> str:
    tone = ("gain" if won.per_hand > 0 else "loss") if won.clear else "open"
    half = "" if won.half_width is None else f"<small>\u00b1 {won.half_width:.2f}</small>"
    return f'<span class="{tone}" title="{won.hands:,} hands">{signed(won.per_hand)} {half}</span>'


def faults(ledger: Ledger, labels: Mapping[Player, Label], figures: Mapping[Player, Figures]) -> str:
    """Everybody who made a mistake or had to leave, and why; of those who only went broke no more than a line."""
    players = [standing.player for standing in everybody(ledger)]
    broke = [player for player in players if went_broke(player) and not figures[player].faults]
    told = [
        _player_faults(player, ledger, labels[player], figures[player]) for player in players if player not in broke
    ]
    told += [_broke(broke, ledger, labels)] if broke else []
    return "\n".join(filter(None, told)) or "<p>Nobody made a mistake, and nobody had to leave.</p>"


def _broke(players: Sequence[Player], ledger: Ledger, labels: Mapping[Player, Label]) -> str:
    items = "".join(f"<li>{who(labels[player])}: {_left(player, ledger, labels[player])}</li>" for player in players)
    many = "One player" if len(players) == 1 else f"{len(players):,} players"
    return f"<details><summary>{many} made no mistake and ran out of chips</summary><ul>{items}</ul></details>"


def _left(player: Player, ledger: Ledger, label: Label) -> str:
    return escape(f"{leaving(ledger, player)}: {label.hidden(player.left or '', player.id)}")


def _player_faults(player: Player, ledger: Ledger, label: Label, figures: Figures) -> str:
    items = [_fault(fact, player, ledger, label) for fact in figures.faults[:MOST_FAULTS]]
    if len(figures.faults) > MOST_FAULTS:
        items.append(f"<li>and {len(figures.faults) - MOST_FAULTS:,} more, all in the player's own folder</li>")
    kinds = [kind for kind in MEANINGS if kind in figures.faults_by_kind()]
    meanings = "".join(f"<p>{escape(MEANINGS[kind]).replace('`', '')}</p>" for kind in kinds)
    left = "" if player.left is None else f"<p>{_left(player, ledger, label)}</p>"
    if not items and not left:
        return ""
    listed = f"<ul>{''.join(items)}</ul>" if items else ""
    return f"<article><h3>{who(label)}</h3>{left}{listed}{meanings}</article>"


def _fault(fact: FaultFact, player: Player, ledger: Ledger, label: Label) -> str:
    place = fact.place
    where = f"hand {place.hand}{at_table(ledger, place.table)}" if place else "in a hand that does not count"
    asked = f"<br><code>{escape(fact.question)}</code> allowed: {escape(fact.allowed or '')}" if fact.question else ""
    reason = escape(label.hidden(fact.fault.reason, player.id))
    return f"<li><strong>{fact.fault.kind.value}</strong>, {where}: {reason}{asked}</li>"


def number(value: int) -> str:
    """A number as the page writes it."""
    return f"{value:,}".replace("-", "\u2212")


def signed(value: float) -> str:
    """A number with its sign, and two places."""
    text = f"{value:+.2f}".replace("-", "\u2212")
    return "0.00" if text[1:] == "0.00" else text


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], name: str, ready: bool = False) -> str:
    """A table whose cells are HTML, as are its headings if ``ready``; it scrolls by itself where a screen is narrow."""
    head = "".join(f'<th scope="col">{heading if ready else escape(heading)}</th>' for heading in headings)
    body = "\n".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<div class="scroll"><table class="{name}"><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>'
    )
