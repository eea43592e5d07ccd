"""Tables in worker processes: `--procs` spreads them over cores; ledger, journal and page stay in the dealer.

Others import `open_workers` from `workers.py`. A worker is the program `__main__.py`, which runs `worker.py`. It plays
with the ordinary `Table`. How it works, and why so, is told in `dealer/docs/processes.md`.
"""
