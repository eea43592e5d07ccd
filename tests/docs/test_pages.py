"""Pages keep up with the code: games, records, links, generated parts, and command lines that can be typed."""

import re
import shlex
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from dealer.cli.casino_app import build_app
from dealer.journal.records import VERSION
from protocol.installed import entry_points
from tests.dealer.support.raw_records import FIELDS
from tests.docs.make_reference import COMMAND, FILES, PARTS, with_part
from tests.docs.pages import ROOT, all_pages, blocks, names_in, page, section, tables

#: Games of the project itself; a test environment may have others.
GAMES = [point.name for point in entry_points(group="casino.games") if point.value.startswith("protocol.")]


@pytest.mark.parametrize(
    ("name", "length"),
    [
        *((name, None) for name in ("README.md", "bots/README.md", "bots/docs/check.md", "bots/docs/write-a-bot.md")),
        *((name, 2000) for name in ("dealer/README.md", "dealer/docs/choose-a-tournament.md")),
    ],
)
def test_guides_name_every_game_those_of_hosts_at_the_start(name: str, length: int | None) -> None:
    assert missing(page(name)[:length]) == []


@pytest.mark.parametrize("game", ["stud", "holdem", "dice"])
def test_page_about_practice_names_what_can_be_practised(game: str) -> None:
    assert f"`{game}`" in page("bots/docs/practise.md").partition(" can be\npractised")[0]


def missing(text: str) -> list[str]:
    return [game for game in GAMES if not re.search(rf"\b{game}\b", text)]


PAGE = page("dealer/docs/journal.md")


def test_version_records_and_fields() -> None:
    assert f"This is version {VERSION}." in PAGE
    shown: dict[str, set[str]] = {}
    for record, fields, _ in next(tables(section(PAGE, "## Records"))):
        (name,) = names_in(record) or [list(shown)[-1]]
        shown.setdefault(name, set()).update(names_in(fields))
    assert shown == {record: set(fields) for record, fields in FIELDS.items()}


#: Addresses of other machines are not followed.
_ELSEWHERE = ("http://", "https://", "mailto:")


def links(text: str) -> list[str]:
    """The targets of links and pictures, outside code."""
    without_blocks = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    without_code = re.sub(r"`[^`\n]*`", "", without_blocks)
    targets = re.findall(r"\]\(([^)\s]+)\)", without_code) + re.findall(r'(?:src|href|srcset)="([^"]+)"', without_code)
    return [target for target in targets if not target.startswith(_ELSEWHERE)]


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^( *)```.*?^\1```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere() -> None:
    for file in all_pages():
        for link in links(file.read_text(encoding="utf-8")):
            name, _, anchor = link.partition("#")
            target = (file.parent / name).resolve() if name else file
            assert target.is_relative_to(ROOT), (file, link)
            assert target.exists(), (file, link)
            assert not anchor or anchor in anchors(target), (file, link)


@pytest.mark.parametrize(("name", "part", "make"), PARTS, ids=[f"{part} in {name}" for name, part, _ in PARTS])
def test_generated_part_is_current(name: str, part: str, make: Callable[[], str]) -> None:
    assert page(name) == with_part(page(name), part, make()), f"{name} is out of date; run: {COMMAND}"


@pytest.mark.parametrize(("name", "make"), FILES)
def test_generated_file_is_current(name: str, make: Callable[[], str]) -> None:
    assert page(name) == make(), f"{name} is out of date; run: {COMMAND}"


def command_lines(path: Path) -> Iterator[list[str]]:
    """The words of each ``casino`` command in the shell blocks of a page."""
    for kind, body in blocks(path.read_text(encoding="utf-8")):
        if kind != "sh":
            continue
        for line in body.replace("\\\n", " ").splitlines():
            for command in re.split(r"&&|;|\||\)$", line.split(" > ")[0]):
                words = shlex.split(command.strip(), comments=True)
                if words[:1] == ["casino"]:
                    yield words[1:]


#: A page whose commands need a package that is not installed here; its own test runs them.
ELSEWHERE = ROOT / "protocol/docs/adding-a-game.md"
PAGES = [path for path in all_pages() if list(command_lines(path)) and path != ELSEWHERE]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_commands_can_be_typed(path: Path) -> None:
    app = build_app()
    for words in command_lines(path):
        app.parse_args(words, exit_on_error=False, print_error=False)


def test_pages_have_commands() -> None:
    assert len(PAGES) > 15


@pytest.mark.parametrize("path", all_pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_and_modules_in_commands_exist(path: Path) -> None:
    for kind, body in blocks(path.read_text(encoding="utf-8")):
        if kind == "sh":
            for name in re.findall(r"\btests/[\w/.]+", body):
                assert (ROOT / name).exists(), name
            for module in re.findall(r"python3? -m ((?:tests|bots)[\w.]+)", body):
                assert find_spec(module) is not None, module
