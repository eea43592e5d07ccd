"""The HTML file of a report: one new file that needs no network, from a template that takes nothing for markup.

Autoescape makes text of every value, so that the name of a bot, which its author chose, cannot become HTML.
"""

from importlib import import_module
from pathlib import Path
from typing import Any


class ReportError(ValueError):
    """A report that cannot be made or written; the text says why."""


def check_report(path: Path, *libraries: str) -> None:
    """Find out before anything is played whether a report can be written.

    Args:
        path: of the file.
        libraries: modules that its page needs beside Jinja2.

    Raises:
        ReportError: something is not installed, the file exists, or nothing can be written there.
    """
    for name in (*libraries, "jinja2"):
        library(name)
    if path.is_dir() or not path.parent.is_dir():
        raise ReportError(
            f"cannot write the report {path}: {'it is a' if path.is_dir() else 'there is no such'} folder"
        )
    if path.exists():
        raise ReportError(f"there is already a file {path}: name a new one for the report, or delete it")


def write_report(page: str, path: Path) -> None:
    """Write the file, which must be new.

    Raises:
        ReportError: the file system refused it.
    """
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(page)
    except OSError as error:
        raise ReportError(f"cannot write the report {path}: {error.strerror}") from None


def render(package: str, template: str, **values: Any) -> str:
    """The text of a page, from a template in the folder ``templates`` of a package."""
    jinja2 = library("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=True,
        undefined=jinja2.StrictUndefined,  # a misspelt value is an error, not a gap in the page
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page: str = environment.get_template(template).render(**values)
    return page


def library(module: str) -> Any:
    """A module that only some installs have, and which takes a while to import.

    Raises:
        ReportError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise ReportError(f"a report needs {name}: pip install '.[report]' in the folder of Casino Day") from None
