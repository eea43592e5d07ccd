"""From a journal back to a ledger, through the rules: what verify, resume, replay and report begin with."""
