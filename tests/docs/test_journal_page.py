"""The page about journals has every record and every field, and no other."""

from dealer.journal.records import VERSION
from dealer.journal.shapes import SHAPES
from tests.docs.pages import names_in, page, section, tables

PAGE = page("dealer/docs/journal.md")


def test_records_and_fields() -> None:
    shown: dict[str, set[str]] = {}
    for record, fields, _ in next(tables(section(PAGE, "## Records"))):
        (name,) = names_in(record) or [list(shown)[-1]]
        shown.setdefault(name, set()).update(names_in(fields))
    shown["start"].remove("version")  # which is checked before any shape
    assert shown == {record: set(fields) for record, fields in SHAPES.items()}


def test_version() -> None:
    assert f"This is version {VERSION}." in PAGE
