"""Writes the parts of the reference that follow from the code: ``python -m tests.docs.make_reference``.

Such a part stands in a page between two comments, ``<!-- generated: NAME -->`` and ``<!-- end -->``. A test compares
each part with what the code gives, and names this command when they differ.
"""

import inspect
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast, get_args

from cyclopts import App, Group
from cyclopts.argument import Argument

from bots.environments.encoding import Entry
from bots.environments.lookup import load_encoding
from dealer.cli.casino_app import build_app
from dealer.cli.help import FIRST, examples
from dealer.desk.metrics import TournamentCollector
from dealer.journal.writer import Journal
from protocol.games.game import MOST
from protocol.games.registry import load_game
from tests.docs.pages import ROOT

WIDTH, MARGIN, GAP = 1120, 20, 10
ROW, TITLE, PADDING = 34, 30, 12

#: Widths of the blocks on the left and on the right.
LEFT, RIGHT = 450, 620

#: The colours of a light and a dark screen: background, blocks, boxes, lines, text.
STYLE = """
.paper { fill: #ffffff }
text { font: 14px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.note { font-size: 13px }
.block { fill: #eef2f6; stroke: #57606a }
.room { fill: #ffffff; stroke: #57606a }
@media (prefers-color-scheme: dark) {
  .paper { fill: #0d1117 }
  text { fill: #e6edf3 }
  .block { fill: #161b22; stroke: #8b949e }
  .room { fill: #21262d; stroke: #8b949e }
}
"""


def without_sections(docstring: str) -> str:
    """The paragraphs of a docstring before its first section."""
    return re.split(r"^\w+\n-+$", inspect.cleandoc(docstring), maxsplit=1, flags=re.MULTILINE)[0].strip()


def layers(package: str) -> list[list[str]]:
    """The layers of a package, from high to low, each a list of rooms; from its contract."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    for contract in contracts:
        inside = contract.get("containers") == [package]
        if contract["type"] == "layers" and (inside or contract["layers"][0].startswith(f"{package}.")):
            rows = [re.split(r"[|:]", layer) for layer in contract["layers"]]
            return [[name.strip(" ()").removeprefix(f"{package}.") for name in row] for row in rows]
    raise LookupError(f"no contract for the layers of {package}")


def house_map() -> str:
    """The picture as SVG."""
    dealer, bots, protocol = layers("dealer"), layers("bots"), layers("protocol")
    upper, lower = _height(len(dealer)), _height(len(protocol))
    right, bottom = MARGIN + LEFT + GAP, MARGIN + upper + GAP
    whole = LEFT + GAP + RIGHT
    height = bottom + lower + MARGIN + 20
    parts = [
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        *_block(MARGIN, MARGIN, LEFT, upper, "dealer: runs the tables", dealer),
        *_block(right, MARGIN, RIGHT, upper, "bots: play at them", bots),
        *_block(MARGIN, bottom, whole, lower, "protocol: what both agree on", protocol),
        f'<text class="note" x="{MARGIN}" y="{height - 14}">Imports go down only. '
        "The dealer never imports bots; bots use its command line.</text>",
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="The packages dealer, bots and protocol, and their layers">'
    )
    return "\n".join([head, f"<style>{STYLE}</style>", *parts, "</svg>", ""])


def _height(rows: int) -> int:
    return TITLE + rows * (ROW + GAP) - GAP + 2 * PADDING


def _block(x: int, y: int, width: int, height: int, title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A package with its rooms, one layer in a row."""
    yield f'<rect class="block" x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>'
    yield f'<text class="title" x="{x + PADDING}" y="{y + 24}">{title}</text>'
    for number, row in enumerate(rows):
        top = y + PADDING + TITLE + number * (ROW + GAP)
        room = (width - 2 * PADDING - GAP * (len(row) - 1)) / len(row)
        for place, name in enumerate(row):
            yield from _room(x + PADDING + place * (room + GAP), top, room, name)


def _room(x: float, y: int, width: float, name: str) -> Iterator[str]:
    yield f'<rect class="room" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW}" rx="5"/>'
    yield f'<text x="{x + width / 2:.1f}" y="{y + ROW / 2 + 5:g}" text-anchor="middle">{name}</text>'


COMMAND = "python -m tests.docs.make_reference"

#: A flag with its value, and what it means.
Row = tuple[str, str]

#: The heading of shared flags that commands show in different groups, or in none.
_SEVERAL = "Several commands"

_ABOUT_SHARED = "Flags that mean the same in several commands. Each command below names those that it has."


def commands() -> str:
    """The flags that commands share, by group; then a section for every command, with the flags that it alone has."""
    apps = list(_apps(build_app()))
    shared = _shared([_flag_rows(app) for _, app in apps])
    parts = ["## Shared flags", _ABOUT_SHARED]
    for group, rows in shared.items():
        parts += [f"### {group}", _list(rows)]
    return "\n\n".join([*parts, *(_command(words, app, shared) for words, app in apps)])


def _shared(commands: Iterable[Iterable[tuple[str, Row]]]) -> dict[str, list[Row]]:
    """The flags that are the same in two commands or more, by group.

    Where a flag of a group means one thing in some commands and another in others, the meaning of most is shared.
    """
    groups: dict[Row, list[str]] = {}
    for group, row in (pair for command in commands for pair in command):
        groups.setdefault(row, []).append(group)
    shared: dict[str, list[Row]] = {}
    for row in sorted(groups, key=lambda row: len(groups[row]), reverse=True):
        group = groups[row][0] if len(set(groups[row])) == 1 else FIRST.name
        others = shared.setdefault(_SEVERAL if group == FIRST.name else group, [])
        if len(groups[row]) > 1 and row[0] not in dict(others):
            others.append(row)
    return {group: [row for row in groups if row in rows] for group, rows in shared.items() if rows}


def _apps(app: App, before: Sequence[str] = ("casino",)) -> Iterator[tuple[Sequence[str], App]]:
    """Every command below ``app`` in alphabetical order, with the words that call it."""
    for name in sorted(name for name in app if not name.startswith("-")):
        words = (*before, name)
        yield words, app[name]
        if app[name].default_command is not None:
            yield from _apps(app[name], words)


def _command(words: Sequence[str], app: App, shared: Mapping[str, Sequence[Row]]) -> str:
    places = [one for one in _arguments(app) if one.index is not None]
    flags = _flag_rows(app)
    usage = " ".join([*words, *(_usage(one) for one in places), *(["[flags]"] if flags else [])])
    parts = [f"## {' '.join(words)}", _summary(app), f"```text\n{usage}\n```"]
    if places:
        parts.append(_list([(f"`{_name(one)}`", _meaning(one)) for one in places]))
    elsewhere = {row for rows in shared.values() for row in rows}
    own = [(group, row) for group, row in flags if row not in elsewhere]
    for group in dict.fromkeys(group for group, _ in own):
        parts.append(f"{'Flags' if group == FIRST.name else group}:")
        parts.append(_list([row for its_group, row in own if its_group == group]))
    here = {row for _, row in flags}
    links = [_link(group, rows, here) for group, rows in shared.items() if here & set(rows)]
    parts += ["\n".join(["Shared flags:", "", *links])] if links else []
    if shown := examples(app.help):
        parts += ["Examples:", f"```sh\n{shown}\n```"]
    return "\n\n".join(parts)


def _link(group: str, rows: Sequence[Row], here: Collection[Row]) -> str:
    """A line that says which flags of a shared group a command has."""
    link = f"- [{group}](#{group.lower().replace(' ', '-')})"
    names, missing = (
        [f"`{row[0].strip('`').split()[0]}`" for row in rows if (row in here) == has] for has in (True, False)
    )
    if not missing:
        return f"{link}: all"
    return f"{link}: all but {', '.join(missing)}" if len(missing) < 4 <= len(names) else f"{link}: {', '.join(names)}"


def _arguments(app: App) -> list[Argument]:
    return [one for one in app.assemble_argument_collection(parse_docstring=True) if one.show]


def _flag_rows(app: App) -> list[tuple[str, Row]]:
    """The flags of a command with the names of their groups, in the order in which help shows them."""
    flags = [one for one in _arguments(app) if one.index is None and not one.children]
    return [
        (group.name, (_flag(one), _meaning(one))) for group in _groups(flags) for one in flags if _group(one) == group
    ]


def _group(flag: Argument) -> Group:
    (group,) = cast(tuple[Group], flag.parameter.group)
    return group


def _groups(flags: Sequence[Argument]) -> list[Group]:
    """The groups of flags, in the order in which help shows them."""
    found = dict.fromkeys(map(_group, flags))
    return sorted(found, key=lambda group: (group.sort_key is None, group.sort_key or 0, group.name))


def _summary(app: App) -> str:
    """What a command does: the first paragraphs of its docstring."""
    return " ".join(without_sections(app.help).split())


def _name(argument: Argument) -> str:
    return argument.names[0].lstrip("-").upper()


def _usage(argument: Argument) -> str:
    name = _name(argument)
    if argument.field_info.kind.name == "VAR_POSITIONAL":
        return f"[{name}...]"
    return name if argument.required else f"[{name}]"


def _flag(argument: Argument) -> str:
    if bool in (argument.hint, *get_args(argument.hint)):
        return f"`{argument.name}`"
    return f"`{argument.name} {_value(argument)}`"


def _value(argument: Argument) -> str:
    """What follows a flag: a word for its type."""
    words = {"int": "N", "float": "N", "Path": "PATH", "tuple": "TEXT"}
    choices = argument.get_choices()
    found = re.search(r"int|float|Path|tuple", str(argument.hint))
    return "NAME" if choices else words[found[0]] if found else "TEXT"


def _meaning(argument: Argument) -> str:
    text = " ".join((argument.parameter.help or "").split())
    choices = argument.get_choices()
    names = ", ".join(f"`{choice}`" for choice in choices or ())
    variables = ", ".join(f"`{name}`" for name in argument.parameter.env_var or ())
    default = argument.field_info.default
    more = [f"One of {names}."] if names else []
    more += [f"Also read from the environment: {variables}."] if variables else []
    if argument.index is None:
        more += ["Required."] if argument.required else []
        more += [f"Default: `{default}`."] if not argument.required and default not in (None, False, ()) else []
    return " ".join([text, *more])


def metrics() -> str:
    """A row for every metric: its names in a scrape, its type, its labels and its help."""
    nobody = SimpleNamespace(players=())
    scene = SimpleNamespace(tournament=None, lobby=nobody, listeners=lambda: 0, journal=Journal(None))
    rows = []
    for metric in TournamentCollector(cast(Any, scene), 0).collect():
        name = f"{metric.name}_total" if metric.type == "counter" else metric.name
        labels = {label: None for sample in metric.samples for label in sample.labels if label != "le"}
        values = (", ".join(f"`{value}`" for value in _values(metric.samples, label)) for label in labels)
        told = "; ".join(f"`{label}`: {value}" for label, value in zip(labels, values, strict=True))
        rows.append((f"`{name}`", metric.type, told, metric.documentation))
    return _table(("metric", "type", "labels", "meaning"), rows)


def options(game: str) -> str:
    """A row for every option of a game: its name, its default, and what it may be."""
    rows = []
    for option in load_game(game).options():
        allowed = ", ".join(f"`{choice}`" for choice in option.choices) or f"a whole number from {option.least}"
        rows.append((f"`{option.name}`", f"`{option.default}`", allowed, option.help))
    return _table(("option", "default", "allowed", "meaning"), rows)


def observations(game: str) -> str:
    """A row for every entry of an observation, at tables of any size, and one for every action."""
    few, more = (load_encoding(load_game(game)(), players) for players in _two_sizes(game))
    rows = []
    for small, large in zip(few.layout, more.layout, strict=True):
        bounds = "chips" if small.high == MOST == -small.low else _bounds(small, large)
        rows.append((f"`{small.name}`", _size(small.size, large.size, game), bounds, small.meaning))
    actions = [f"{number} {name}" for number, name in enumerate(few.actions)]
    return f"{_table(('entry', 'numbers', 'each', 'meaning'), rows)}\n\nActions: {', '.join(actions)}."


def _bounds(small: Entry, large: Entry) -> str:
    """What each number of an entry may be; an upper bound that grows with the table is left out."""
    return f"{small.low} to {small.high}" if small.high == large.high else f"from {small.low}"


def _two_sizes(game: str) -> tuple[int, int]:
    seats = load_game(game)().table_seats
    return seats[0], min(seats[0] + 1, seats[-1])


def _size(small: int, large: int, game: str) -> str:
    """How many numbers an entry has, in terms of ``players``, from those with the two sizes of a table."""
    few, _ = _two_sizes(game)
    each = large - small
    if not each:
        return str(small)
    rest = small - each * few
    times = f"{each} x " if each > 1 else ""
    if rest == -each:
        return f"{times}(players - 1)" if times else "players - 1"
    return f"{times}players{f' {rest:+d}'.replace('+', '+ ').replace('-', '- ') if rest else ''}"


def _values(samples: Sequence[Any], label: str) -> list[str]:
    return list(dict.fromkeys(sample.labels[label] for sample in samples if label in sample.labels))


def _list(rows: Iterable[Row]) -> str:
    return "\n".join(f"- {name}: {meaning}" for name, meaning in rows)


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(
        f"| {' | '.join(row)} |".replace("|  |", "| |") for row in [heading, ["---"] * len(heading), *rows]
    )


#: The generated parts: the page, the name in its comment, and the function that makes the part.
PARTS: Sequence[tuple[str, str, Callable[[], str]]] = (
    ("dealer/docs/commands.md", "commands", commands),
    ("dealer/docs/metrics.md", "metrics", metrics),
    ("protocol/docs/stud.md", "options", lambda: options("stud")),
    ("protocol/docs/blockhead.md", "options", lambda: options("blockhead")),
    ("protocol/docs/dice.md", "options", lambda: options("dice")),
    ("protocol/docs/holdem.md", "options", lambda: options("holdem")),
    ("bots/docs/observations.md", "stud", lambda: observations("stud")),
    ("bots/docs/observations.md", "blockhead", lambda: observations("blockhead")),
    ("bots/docs/observations.md", "holdem", lambda: observations("holdem")),
    ("bots/docs/observations.md", "dice", lambda: observations("dice")),
)

#: Files that are generated as a whole.
FILES: Sequence[tuple[str, Callable[[], str]]] = ((".github/map.svg", house_map),)


def with_part(text: str, name: str, part: str) -> str:
    """The text of a page with a new generated part."""
    begin, end = f"<!-- generated: {name} -->", "<!-- end -->"
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    assert found, f"no part {name!r}"
    return f"{before}{begin}\n\n{part}\n\n{end}{after}"


def main() -> None:
    """Write every part into its page, and every generated file."""
    for name, part, make in PARTS:
        path = ROOT / name
        path.write_text(with_part(path.read_text(encoding="utf-8"), part, make()), encoding="utf-8")
    for name, make in FILES:
        (ROOT / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
