"""``casino desk ADDRESS download``: fetch a journal, a report or the grades from a dealer."""

import json
import shutil
import time
from collections.abc import Sequence
from email.message import Message
from http.client import HTTPResponse
from pathlib import Path, PurePosixPath
from typing import Any

from rich.console import Console
from rich.status import Status

from dealer.cli.output import complain, complain_in_words, harmless
from dealer.errors import CasinoError, DeskUnreachableError, OptionError
from dealer.web.admin.remote_desk import ANSWER_BYTES, answer_facts, find_place, find_token, posted

#: Seconds between two questions whether a report is made.
ASK_SECONDS = 0.5


def download(address: str, words: Sequence[str], tournament: int | None, as_json: bool) -> int:
    """Fetch one file, print where it is, and return the exit code.

    Args:
        address: of the dealer's page, such as 192.168.1.20:8080.
        words: ``journal``, ``report`` or ``grades``; and the path to write, if not the dealer's name for it here.
        tournament: of which the file is, by its number from 1; None for the last one begun.
        as_json: print the answer as JSON.
    """
    try:
        place, token = find_place(address), find_token()
        wanted, path = _wanted(words)
        facts: dict[str, Any] = {"file": wanted}
        if tournament is not None:
            facts["tournament"] = tournament
        found = _fetch(place, facts, token, path)
    except CasinoError as error:
        return complain(error)
    if isinstance(found, str):
        if as_json:
            print(json.dumps({"error": found}, indent=2))
        return complain_in_words(harmless(found))
    said = f"The {wanted} {'are' if wanted == 'grades' else 'is'} in {found}."
    print(json.dumps({"said": said, "file": str(found), "bytes": found.stat().st_size}, indent=2) if as_json else said)
    return 0


def _wanted(words: Sequence[str]) -> tuple[str, Path | None]:
    """The file that is wanted, and the path to write it to.

    Raises:
        OptionError: the words say it in no way that is understood, or there is such a file already.
    """
    if not 1 <= len(words) <= 2:
        raise OptionError("give what you want after it, journal, report or grades: download report friday.zip")
    path = Path(words[1]) if words[1:] else None
    if path is not None:
        _check_free(path)
    return words[0], path


def _check_free(path: Path) -> None:
    if path.exists():
        raise OptionError(f"{path} exists already; nothing is overwritten, name another file after what you want")


def _fetch(place: tuple[str, int], facts: dict[str, Any], token: str, path: Path | None) -> Path | str:
    """Ask until the file is there, and write it; its path, or why there is none.

    Raises:
        OptionError, DeskUnreachableError: the file cannot be written, or the dealer does not answer.
    """
    console = Console(stderr=True)
    with console.status(f"asking for the {facts['file']}") as status:
        while True:
            with posted(place, "/desk/files", facts, token) as response:
                if response.status == 200:
                    return _kept(response, path or Path(_own_name(response)))
                answer = answer_facts(
                    response.read(ANSWER_BYTES), place, "making" if response.status == 202 else "error"
                )
            if response.status != 202:
                return str(answer["error"])
            _show(status, answer["making"])
            time.sleep(ASK_SECONDS)


def _show(status: Status, making: dict[str, Any]) -> None:
    status.update(f"the dealer makes the report: {making['share']:.0%} of the journal read, {making['seconds']} s")


def _own_name(response: HTTPResponse) -> str:
    """The name that the dealer gives a file, without any folder it may name."""
    header = Message()
    header["content-disposition"] = response.getheader("content-disposition", "")
    name = PurePosixPath((header.get_filename() or "").replace("\\", "/")).name
    if not name or not name.isprintable():
        raise DeskUnreachableError("the answer names no file; name one after what you want")
    return name


def _kept(response: HTTPResponse, path: Path) -> Path:
    _check_free(path)
    try:
        with path.open("xb") as file:
            shutil.copyfileobj(response, file)
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from None
    return path
