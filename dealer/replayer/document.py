"""One HTML file that needs nothing else: the styles and scripts of the page, those of the replayer, and the data.

The scripts are modules, which a browser does not load from the disk one by one. So each becomes a function here that
returns what it exports, in an order in which every module comes after those it imports.
"""

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable

from protocol.charts.html_file import policy

#: Styles and scripts, by folder. The scripts are those that ``replayer.js`` imports, and the one that runs first.
_PAGE, _OWN = files("dealer.web").joinpath("page"), files("dealer.replayer").joinpath("page")
_STYLES = (_PAGE, "frame.css"), (_PAGE, "colours.css"), (_PAGE, "table.css"), (_OWN, "replayer.css")
_FIRST, _MAIN = "theme.js", "replayer.js"

_IMPORT = re.compile(r'^import (?:\{ ([\w, ]+) \} from )?"\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|const|let|class) (\w+)", re.MULTILINE)

#: In the first bytes of every file, by which it is known later.
MARK = "<!doctype html><!-- casino replay -->"


def document(title: str, data: str) -> str:
    """The text of the file."""
    before, between, after = _frame()
    return f"{before}{escape(title)}{between}{data}{after}"


@cache
def _frame() -> tuple[str, str, str]:
    """The file before the title, between the title and the data, and after the data."""
    index, html = _read(_PAGE, "index.html"), _read(_OWN, "replayer.html")
    style = "".join(_read(folder, name) for folder, name in _STYLES)
    first, main = _read(_PAGE, _FIRST), bundle(_MAIN)
    filled = {
        "POLICY": policy(style, first, main),
        "STYLE": style,
        "FIRST": first,
        "MAIN": main,
        "TABLE": _part(index, '<section id="table-view"', "</section>"),
        "SYMBOLS": _part(index, '<svg class="unseen"', "</svg>\n</body>").removesuffix("\n</body>"),
    }
    for name, text in filled.items():
        before, after = html.split(f"<!-- {name} -->")
        html = before + text + after
    before, rest = f"{MARK}{html}".split("<!-- TITLE -->")
    between, after = rest.split("<!-- DATA -->")
    return before, between, after


def bundle(main: str) -> str:
    """A script with a module and all that it imports."""
    names = list(dict.fromkeys(_imported(main)))
    modules = "".join(f'modules["{name}"] = (() => {{\n{_as_function(name)}}})();\n' for name in names)
    return f'"use strict";\n(() => {{\nconst modules = {{}};\n{modules}}})();\n'


def _imported(name: str) -> Iterator[str]:
    """The names of the modules that a module imports, each after those it needs itself, and then its own."""
    for match in _IMPORT.finditer(_module(name)):
        yield from _imported(match[2])
    yield name


def _as_function(name: str) -> str:
    """The body of a function that does what a module does, and returns what it exports."""
    text = _IMPORT.sub(_constants, _module(name))
    exported = ", ".join(match[2] for match in _EXPORT.finditer(text))
    text = _EXPORT.sub(r"\1 \2", text)
    left = re.search(r"^(import|export)\b.*", text, re.MULTILINE)
    if left is not None:
        raise ValueError(f"{name}: this cannot be put into one file: {left[0]}")
    return f"{text}return {{ {exported} }};\n"


def _constants(match: re.Match[str]) -> str:
    if match[1] is None:
        return ""
    return f'const {{ {match[1].replace(" as ", ": ")} }} = modules["{match[2]}"];\n'


def _module(name: str) -> str:
    own = _OWN.joinpath(name)
    return own.read_text("utf-8") if own.is_file() else _read(_PAGE, name)


def _read(folder: Traversable, name: str) -> str:
    return folder.joinpath(name).read_text("utf-8")


def _part(html: str, begin: str, end: str) -> str:
    """The part of a page from the first ``begin`` to the ``end`` that follows."""
    start = html.index(begin)
    return html[start : html.index(end, start) + len(end)]
