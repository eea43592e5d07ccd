"""The pinned versions of what is compared, and whether they are the installed ones."""

import re
from collections.abc import Collection
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

REQUIREMENTS = Path(__file__).with_name("requirements.txt")


class VersionError(Exception):
    """A package is not there in the pinned version; the text says what to install."""


def pinned() -> dict[str, str]:
    """The pinned version of each package."""
    return dict(re.findall(r"^([\w-]+)==(\S+)", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE))


def check_versions(packages: Collection[str]) -> None:
    """Make sure that packages are installed as they are pinned.

    Raises:
        VersionError: at least one is not.
    """
    wrong = [
        f"{name} {wanted} is wanted, but {found or 'none'} is installed"
        for name, wanted in pinned().items()
        if name in packages and (found := installed(name)) != wanted
    ]
    if wrong:
        path = REQUIREMENTS.relative_to(Path.cwd()) if REQUIREMENTS.is_relative_to(Path.cwd()) else REQUIREMENTS
        raise VersionError("; ".join(wrong) + f": pip install -r {path} in an environment of its own")


def installed(name: str) -> str | None:
    """The installed version of a package; None if there is none."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
