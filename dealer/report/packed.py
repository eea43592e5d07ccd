"""A report as one file to download, made in a process of its own, so that the dealer plays on undisturbed.

``python -m dealer.report.packed JOURNAL REPORT ROSTER`` writes the folder REPORT and packs it into REPORT.zip.
ROSTER may be empty. On standard output it prints the percentage of the journal that is read, a line for each; what
stands in its way goes to standard error, as with ``casino report``. The tournament may still be played.
"""

import os
import shutil
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path

from dealer.report.write import ReportOptions, write_report

#: How much this process stands back behind the dealer and the programs of players, as in nice(1).
NICE = 15


def main() -> int:
    """Write and pack the report that the command line asks for; the exit code."""
    journal, report, roster = sys.argv[1:]
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(NICE)
    told = sys.stdout
    options = ReportOptions(
        Path(journal),
        Path(report),
        Path(roster) if roster else None,
        unfinished=True,
        tell=lambda share: print(round(100 * share), file=told, flush=True),
    )
    with redirect_stdout(sys.stderr):
        code = write_report(options)
    if code == 0:
        folder = Path(report)
        shutil.make_archive(report, "zip", folder.parent, folder.name)
    return code


if __name__ == "__main__":
    sys.exit(main())
