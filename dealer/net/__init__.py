"""One program's connection: its seat, its deadline and its limits, and which connections are admitted at all."""
