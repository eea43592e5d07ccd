"""Run a command that hosts a tournament, so that neither its output nor a signal can lose the tournament."""

import sys
from collections.abc import Awaitable

import trio

from dealer.cli.output import complain, complain_in_words, report_errors
from dealer.cli.streams import lasting_streams, standard_stream, standard_streams
from dealer.errors import NobodyPlayedError
from dealer.hosting.interrupts import SignalGuard, open_interrupts


async def run_hosted(work: Awaitable[int], *, as_json: bool) -> int:
    """Await the work of a command that hosts a tournament, and return the exit code.

    Args:
        work: prints the results on standard output, and raises ``CasinoError``.
        as_json: whether standard output takes nothing but the results.
    """
    with lasting_streams(only_results=as_json):
        with trio.CancelScope() as starting:
            guard = SignalGuard(starting.cancel)
            guard.install()
            code = await report_errors(work)
        guard.missed = None  # the work was ending anyway
        if starting.cancelled_caught:
            code = complain(NobodyPlayedError("interrupted before play began"))
        with trio.CancelScope() as finishing:
            async with open_interrupts(finishing.cancel):
                await _finish_output()
        out = standard_stream(sys.stdout)
        if out is not None and out.lost and code == 0:
            code = complain_in_words(f"the results are lost: {out.trouble}")
    return code


async def _finish_output() -> None:
    """Wait until readers have taken all that was written, however long that takes; give the rest up if cancelled."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    try:
        for raw in standard_streams():
            raw.push()
            while raw.waits:
                await trio.lowlevel.wait_writable(raw.fileno())
                raw.push()
    finally:
        for raw in standard_streams():
            raw.drop()
