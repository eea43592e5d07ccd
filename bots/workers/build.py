"""Name the build of this installation, so that only workers with the same rules and bots compute together."""

import hashlib
import platform
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from protocol.installed import entry_points

#: The project's name as a distribution.
PROJECT = "casino-day"

#: Packages whose source decides results.
PACKAGES = ("protocol", "bots")

#: What a clone has and an installed package has not, though both compute the same.
LEFT_OUT = "bots/train/"

#: Endings of files with source.
ENDINGS = {".py", ".cpp", ".h", ".c"}

#: Distributions that compile kernels; with another version of them, or without, another engine may play.
COMPILERS = ("numba", "numpy")

#: Groups of entry points by which other distributions bring bots and games.
GROUPS = ("casino.bots", "casino.games")


@cache
def build_name() -> str:
    """The version of the project and a digest of all on which results depend: ``casino-day-0.1.0-1f2e3d4c5b6a``.

    It takes in the source of rules and bots, the versions of numba and numpy, other packages that bring bots or games,
    and the kind of processor, since machines of different kinds may round differently.
    """
    digest = hashlib.sha256()
    for part in (platform.system(), platform.machine(), *_versions(), *_sources()):
        digest.update(f"{part}\n".encode())
    return f"{PROJECT}-{version(PROJECT)}-{digest.hexdigest()[:12]}"


def _versions() -> Iterator[str]:
    names = {point.dist.name for group in GROUPS for point in entry_points(group=group) if point.dist is not None}
    for name in (*COMPILERS, *sorted(names - {PROJECT})):
        try:
            yield f"{name} {distribution(name).version}"
        except PackageNotFoundError:
            yield f"{name} is missing"


def _sources() -> Iterator[str]:
    top = Path(__file__).parents[2]
    for package in PACKAGES:
        for path in sorted((top / package).rglob("*")):
            name = path.relative_to(top).as_posix()
            if path.suffix in ENDINGS and path.is_file() and not name.startswith(LEFT_OUT):
                yield f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}"
