"""One program's connection: its seat, its deadline, and who may connect at all."""
