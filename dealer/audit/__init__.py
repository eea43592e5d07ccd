"""From a journal back to a ledger: every record is checked against the rules."""
