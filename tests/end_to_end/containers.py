"""What `docker-compose.yml` and the Dockerfiles say, and their command lines as this machine can run them."""

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import yaml

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker-compose.yml"
PORT = "4000"


def compose() -> dict[str, Any]:
    """The compose file, with its anchors merged."""
    return cast("dict[str, Any]", yaml.safe_load(COMPOSE.read_text()))


def services() -> dict[str, dict[str, Any]]:
    return cast("dict[str, dict[str, Any]]", compose()["services"])


@dataclass(frozen=True)
class Instruction:
    """A line of a Dockerfile: its word, its flags such as ``--from=wheels``, and what follows."""

    word: str
    flags: tuple[str, ...]
    text: str

    @property
    def args(self) -> list[str]:
        """What follows, as words: an exec form, or a list of paths."""
        return json.loads(self.text) if self.text.startswith("[") else shlex.split(self.text)


@dataclass
class Stage:
    """One FROM and what follows it."""

    base: str
    instructions: list[Instruction] = field(default_factory=list)

    def all(self, word: str) -> list[Instruction]:
        return [each for each in self.instructions if each.word == word]

    def last(self, word: str) -> Instruction:
        return self.all(word)[-1]


def stages(dockerfile: Path) -> list[Stage]:
    """The stages of a Dockerfile, the one that becomes the image last."""
    lines = [line for line in dockerfile.read_text().splitlines() if not line.startswith("#")]
    found: list[Stage] = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if not line.strip():
            continue
        word, rest = line.split(maxsplit=1)
        flags = []
        while flag := re.match(r"(--\S+)\s+", rest):
            flags.append(flag[1])
            rest = rest[flag.end() :]
        if word == "FROM":
            found.append(Stage(rest.split()[0]))
        else:
            found[-1].instructions.append(Instruction(word, tuple(flags), rest))
    return found


def dockerfile(service: dict[str, Any]) -> Path:
    build: dict[str, str] = service["build"]
    return ROOT / build["context"] / build["dockerfile"]


def command_line(service: dict[str, Any], run: list[str] | None = None) -> list[str]:
    """What a container of this service executes; ``run`` are the words after ``docker compose run SERVICE``."""
    image = stages(dockerfile(service))[-1]
    if "entrypoint" in service:  # one of its own hides the image's CMD as well
        start, then = _interpolated(service["entrypoint"]), []
    else:
        start, then = image.last("ENTRYPOINT").args, image.last("CMD").args
    if "command" in service:
        then = _interpolated(service["command"])
    return start + (then if run is None else run)


def health_check(service: dict[str, Any]) -> list[str]:
    kind, *words = service["healthcheck"]["test"]
    assert kind == "CMD"
    return _interpolated(words)


def _interpolated(words: list[str]) -> list[str]:
    """Compose puts variables of the host into every text; ``$$`` is how the file says ``$``."""
    assert not any("$" in word.replace("$$", "") for word in words), "Compose would replace this"
    return [word.replace("$$", "$") for word in words]
