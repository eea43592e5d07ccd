"""Run a foreign program in a sandbox: it sees its own folder, one port, and nothing else of this machine."""
