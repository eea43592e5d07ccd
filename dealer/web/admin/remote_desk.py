"""The desk from another terminal: ``casino desk``."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from getpass import getpass
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from dealer.cli.output import complain, complain_in_words
from dealer.errors import FAILED, CasinoError, DeskUnreachableError, OptionError
from dealer.web.admin.orders import Command, Order, read_order

DEFAULT_PORT = 8080
ANSWER_SECONDS = 10.0
ANSWER_BYTES = 10**6
VARIABLE = "CASINO_TOKEN"

_QUESTIONS: Mapping[Command, str] = {
    "start": "Start the tournament with everybody who is here",
    "pause": "Pause: every table finishes its hand, and then waits",
    "resume": "Let the tables deal again",
    "pace": "Let a hand take at least {0.seconds:g} s",
    "remove": "Remove {0.player!r}, who hears: {0.reason!r}",
    "level": "Move to the next level",
    "end": "End the tournament for good after the hand under way",
}


def run_desk(address: str, command: Command, words: Sequence[str], yes: bool, as_json: bool) -> int:
    """Give one order and print the answer; the exit code."""
    try:
        host, port = _place(address)
        order = _order(command, words)
        if not (yes or command == "show" or _confirmed(order, f"{host}:{port}")):
            complain_in_words("nothing was done")
            return FAILED
        status, answer = _ask(host, port, order, _token())
    except CasinoError as error:
        return complain(error)
    if as_json:
        print(json.dumps(answer, indent=2))
    elif status == 200:
        _show(command, answer)
    if status != 200:
        complain_in_words(_plain(answer["error"]))
    return 0 if status == 200 else FAILED


def _place(address: str) -> tuple[str, int]:
    """Host and port of an address, with or without ``http://``."""
    typed = address if "://" in address else f"http://{address}"
    try:
        parts = urlsplit(typed)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    else:
        if parts.scheme != "http" or parts.path not in ("", "/") or parts.query or parts.username is not None:
            host = None
    if not host:
        raise OptionError(f"expected an address such as 192.168.1.20:8080, got {address!r}")
    return host, DEFAULT_PORT if port is None else port


def _order(command: Command, words: Sequence[str]) -> Order:
    """The order of these words.

    Raises:
        OptionError, BadOrderError: they make none.
    """
    facts: dict[str, Any] = {"command": command}
    match command, words:
        case "pace", [seconds]:
            try:
                facts["seconds"] = float(seconds)
            except ValueError:
                raise OptionError(f"the pace is a number of seconds, got {seconds!r}") from None
        case "pace", _:
            raise OptionError("write the seconds behind it: pace 2.5")
        case "remove", [player, *reason] if reason:
            facts |= {"player": player, "reason": " ".join(reason)}
        case "remove", _:
            raise OptionError("write who and why behind it: remove Steph 'two programs, one student'")
        case _, [word, *_]:
            raise OptionError(f"nothing stands behind {command!r}, got {word!r}")
    return read_order(facts)


def _confirmed(order: Order, place: str) -> bool:
    """Whether whoever typed the order means it.

    Raises:
        OptionError: there is nobody to ask.
    """
    if not sys.stdin.isatty():
        raise OptionError("nobody can be asked here whether that is meant (no terminal): give --yes")
    print(f"{_QUESTIONS[order.command].format(order)} (at {place})? yes or no: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _token() -> str:
    """The token; never from the command line, which every user of a machine can read.

    Raises:
        OptionError: there is none, or it cannot be one.
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


def _ask(host: str, port: int, order: Order, token: str) -> tuple[int, dict[str, Any]]:
    """The desk's answer.

    Raises:
        DeskUnreachableError: there is none.
    """
    connection = HTTPConnection(host, port, timeout=ANSWER_SECONDS)  # which asks no proxy
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    try:
        connection.connect()
        address = connection.sock.getpeername()[0]  # a desk lets nobody in by another name
        headers["host"] = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        connection.request("POST", "/desk", json.dumps(order.as_json()), headers)
        answer = connection.getresponse()
        status, body = answer.status, answer.read(ANSWER_BYTES)
    except (OSError, HTTPException, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise DeskUnreachableError(f"no answer from {host}:{port}: {reason}") from None
    finally:
        connection.close()
    return status, _facts(body, f"{host}:{port}", "said" if status == 200 else "error")


def _facts(body: bytes, place: str, needed: str) -> dict[str, Any]:
    try:
        facts = json.loads(body)
    except ValueError:
        facts = None
    if not isinstance(facts, dict) or needed not in facts:
        raise DeskUnreachableError(f"there is no desk at {place}; its dealer must be started with --desk")
    return facts


def _show(command: Command, answer: Mapping[str, Any]) -> None:
    if command != "show":
        print(_plain(answer["said"]))
        return
    state = answer["state"]
    pace = f"at least {state['pace']:g} s a hand" if state["pace"] else "as fast as it goes"
    print(f"{state['phase']}{', paused' if state['paused'] else ''}; pace: {pace}")
    for player in state["players"]:
        chips = f", {player['chips']} chips" if "chips" in player else ""
        out = f", out: {player['out']}" if player["out"] is not None else "" if player["here"] else ", away"
        print(_plain(f"  {player['avatar']} (id={player['id']}{chips}){out}"))


def _plain(text: str) -> str:
    """What came over the network, without what would move a terminal's cursor."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
