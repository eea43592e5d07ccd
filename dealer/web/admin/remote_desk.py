"""``casino desk``: give one order to a dealer on this or another machine, or fetch a file from it, over HTTP."""

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.message import Message
from getpass import getpass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console

from dealer.cli.flag_types import PAGE_PORT
from dealer.cli.output import complain, complain_in_words, harmless
from dealer.desk.orders import LOOKING, Command, Order, read_order
from dealer.errors import BAD_USAGE, FAILED, CasinoError, DeskUnreachableError, OptionError
from protocol.plurals import counted, plural

#: Seconds to wait for an answer.
ANSWER_SECONDS = 10.0

#: Bytes of an answer that are read; an address may lead to anything.
ANSWER_BYTES = 10**6

#: The environment variable that may hold the token.
VARIABLE = "CASINO_TOKEN"

#: What the user is asked to confirm, for each command that changes something.
_QUESTIONS: Mapping[Command, str] = {
    "start": "Start the tournament with everybody who is here",
    "pause": "Pause: every table finishes its hand, and then waits",
    "resume": "Let the tables deal again",
    "step": "Let every table deal one hand, slowly",
    "length": "Let the rest of the tournament take about {0.minutes:g} min",
    "faster": "Let the rest of the show go faster",
    "slower": "Let the rest of the show go slower",
    "pace": "Let a hand take at least {0.seconds:g} s",
    "remove": "Remove {0.player!r}, who hears: {0.reason!r}",
    "readmit": "Let {0.player!r} log in again, with the chips it had",
    "message": "Show this message on the page: {0.text!r}",
    "level": "Move to the next level",
    "suspend": "Stop after the hand under way, to resume the tournament another day",
    "journal": "Write a new journal",
    "end": "End the tournament for good after the hand under way",
    "next": "Open the lobby for another tournament with the same players, when this one is over",
}


#: What the number behind a command counts, and an example.
_NUMBERS: Mapping[Command, tuple[str, str]] = {"pace": ("seconds", "2.5"), "length": ("minutes", "10")}


def run_desk(address: str, command: Command, words: Sequence[str], yes: bool, as_json: bool) -> int:
    """Give one order, print the answer, and return the exit code.

    Args:
        address: of the dealer's page, such as 192.168.1.20:8080.
        command: what to do.
        words: what the command needs, such as the seconds of a pace.
        yes: do not ask for confirmation.
        as_json: print the whole answer as JSON.
    """
    try:
        place = find_place(address)
        order = _order(command, words)
        if not (yes or command in LOOKING or _confirmed(order, f"{place[0]}:{place[1]}")):
            return complain_in_words("nothing was done")
        with posted(place, "/desk", order.as_json(), find_token()) as response:
            status, body = response.status, response.read(ANSWER_BYTES)
        answer = answer_facts(body, place, "said" if status == 200 else "error")
    except CasinoError as error:
        return complain(error)
    if as_json:
        print(json.dumps(answer, indent=2))
    elif status == 200:
        show_answer(command, answer)
    if status != 200:
        complain_in_words(harmless(answer["error"]))
    return {200: 0, 400: BAD_USAGE}.get(status, FAILED)


def find_place(address: str, usual: int | None = PAGE_PORT) -> tuple[str, int]:
    """Host and port of an address, with or without ``http://``.

    Args:
        address: as it was typed.
        usual: the port where the address names none; None if it has to.

    Raises:
        OptionError: it is no address.
    """
    typed = address if "://" in address else f"http://{address}"
    try:
        parts = urlsplit(typed)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    else:
        if parts.scheme != "http" or parts.path not in ("", "/") or parts.query or parts.username is not None:
            host = None
    port = usual if port is None else port
    if not host or port is None:
        raise OptionError(f"expected an address and port such as 192.168.1.20:{usual or 9000}, got {address!r}")
    return host, port


def _order(command: Command, words: Sequence[str]) -> Order:
    """The order that the words of a command line make.

    Raises:
        OptionError, BadOrderError: they make none; the text says what is expected.
    """
    facts: dict[str, Any] = {"command": command}
    match command, words:
        case (("pace" | "length"), [number]):
            unit, _ = _NUMBERS[command]
            try:
                facts[unit] = float(number)
            except ValueError:
                raise OptionError(f"the {command} is a number of {unit}, got {number!r}") from None
        case (("pace" | "length"), _):
            unit, example = _NUMBERS[command]
            raise OptionError(f"give the {unit} after it: {command} {example}")
        case "remove", [player, *reason] if reason:
            facts |= {"player": player, "reason": " ".join(reason)}
        case "remove", _:
            raise OptionError("give the player and the reason after it: remove Steph 'two programs, one student'")
        case "readmit", [_, *_]:
            facts["player"] = " ".join(words)
        case "readmit", _:
            raise OptionError("give the player after it: readmit Steph")
        case "message", _:
            facts["text"] = " ".join(words)
        case _, [word, *_]:
            raise OptionError(f"the command {command!r} takes nothing more, got {word!r}")
    return read_order(facts)


def _confirmed(order: Order, place: str) -> bool:
    """Ask the user to confirm an order; True if the answer is yes.

    Raises:
        OptionError: standard input is not a terminal.
    """
    if not sys.stdin.isatty():
        raise OptionError("there is no terminal to confirm this at: give --yes")
    print(f"{_QUESTIONS[order.command].format(order)} (at {place})? yes or no: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def find_token() -> str:
    """The token, from the environment or typed; never from the command line, which every user of a machine can read.

    Raises:
        OptionError: there is none, or it has characters that no token has.
    """
    token = os.environ.get(VARIABLE)
    if token is None:
        if not sys.stdin.isatty():
            raise OptionError(f"no token: put the one that the dealer's terminal shows into {VARIABLE}")
        try:
            token = getpass("token: ")
        except EOFError:
            token = ""
    token = token.strip()
    if not token or not (token.isascii() and token.isprintable()):
        raise OptionError("a token has letters, digits, '-' and '_'; copy the one that the dealer's terminal shows")
    return token


@contextmanager
def posted(place: tuple[str, int], path: str, facts: Mapping[str, Any], token: str) -> Iterator[HTTPResponse]:
    """The response to facts that are posted to a desk, to be read in the block.

    Raises:
        DeskUnreachableError: no answer came, or it ended too early.
    """
    host, port = place
    # http.client and not urllib: it uses no proxy, which must not see the token.
    connection = HTTPConnection(host, port, timeout=ANSWER_SECONDS)
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    try:
        connection.connect()
        address = connection.sock.getpeername()[0]  # a desk refuses names, see check_origin
        headers["host"] = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        connection.request("POST", path, json.dumps(facts), headers)
        yield connection.getresponse()
    except (OSError, HTTPException, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise DeskUnreachableError(f"no answer from {host}:{port}: {reason}") from None
    finally:
        connection.close()


def answer_facts(body: bytes, place: tuple[str, int], needed: str) -> dict[str, Any]:
    """The JSON object in the body of an answer.

    Raises:
        DeskUnreachableError: there is none, or it lacks what is needed: it does not come from a desk.
    """
    try:
        facts = json.loads(body)
    except ValueError:
        facts = None
    if not isinstance(facts, dict) or needed not in facts:
        host, port = place
        raise DeskUnreachableError(f"there is no desk at {host}:{port}; its dealer must be started with --desk")
    return facts


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
        if not 1 <= len(words) <= 2:
            raise OptionError("give what you want after it, journal, report or grades: download report friday.zip")
        wanted, path = words[0], Path(words[1]) if words[1:] else None
        if path is not None:
            _check_free(path)
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
            making = answer["making"]
            read = f"{making['share']:.0%} of the journal read, {making['seconds']} s"
            status.update(f"the dealer makes the report: {read}")
            time.sleep(ASK_SECONDS)


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


def show_answer(command: Command, answer: Mapping[str, Any]) -> None:
    """Print the desk's answer to a command, for people."""
    state = answer["state"]
    if command in _TROUBLES:
        _show_troubles(command, state)
        return
    if command != "show":
        print(harmless(answer["said"]))
        return
    pace = f"at least {state['pace']:g} s a hand" if state["pace"] else "as fast as it goes"
    if state["show_left"] is not None:
        pace = f"a show, with {state['show_left'] / 60:.1f} min left"
    number = f"tournament {state['tournament']}: " if state["tournament"] > 1 else ""
    print(f"{number}{state['phase']}{', paused' if state['paused'] else ''}; pace: {pace}")
    if "hand" in state:
        level = "" if state["level"] is None else f", level {state['level']}"
        stakes = ", ".join(f"{name.replace('_', ' ')} {chips}" for name, chips in state["stakes"].items())
        print(f"  hand {state['hand']}{level}{f' ({stakes})' if stakes else ''}")
    if state.get("awaited"):
        print(harmless(f"  expected, and not here yet: {', '.join(state['awaited'])}"))
    if state.get("next"):
        print("  the lobby opens again for the next tournament when this one is over")
    if state["trouble"]:
        print(harmless(f"  {state['trouble']}"))
    for player in state["players"]:
        chips = f", {plural(player['chips'], 'chip')}" if "chips" in player else ""
        out = f", out: {player['out']}" if player["out"] is not None else "" if player["here"] else ", away"
        out += ", let in again" if player.get("let_in") else ""
        faults = f", {counted(player['faults'], 'fault')}" if player["faults"] else ""
        time = ""
        if "seconds_used" in player:
            time = f", {player['seconds_used']:.1f} of {player['seconds_allowed']:g} s used"
        print(harmless(f"  {player['avatar']} (id={player['id']}{chips}{time}){out}{faults}"))
    for kind, (_, key) in _TROUBLES.items():
        if state[key]:
            _show_troubles(kind, state)


#: What the commands for what went wrong show: its name, and the key of the state that has it.
_TROUBLES: Mapping[Command, tuple[str, str]] = {
    "faults": ("faults", "incidents"),
    "logins": ("failed logins", "failed_logins"),
}


def _show_troubles(command: Command, state: Mapping[str, Any]) -> None:
    """Print faults or failed logins, and how many are left out."""
    name, key = _TROUBLES[command]
    print(f"{name}, the newest first:" if state[key] else f"no {name}")
    for trouble in state[key]:
        print(harmless(f"  {trouble_text(trouble)}"))
    if more := state[f"more_{key}"]:
        print(f"  and {more} before these; the command {command} shows them")


def trouble_text(trouble: Mapping[str, Any]) -> str:
    """A fault or a failed login in a line: when, who or from where, what, with which bytes, and its effect."""
    when, id_ = time.strftime("%H:%M:%S", time.localtime(trouble["time"])), trouble["id"]
    if "avatar" in trouble:
        who, effect = f"{trouble['avatar']} (id={id_})", f": {trouble['effect']}"
    else:
        who, effect = trouble["address"] + ("" if id_ is None else f" id={id_}"), ""
    times = f" {trouble['times']} times" if trouble["times"] > 1 else ""
    sent = f" (sent {trouble['sent']})" if trouble["sent"] else ""
    return f"{when} {who}{times}: {trouble['kind']}: {trouble['reason']}{sent}{effect}"
