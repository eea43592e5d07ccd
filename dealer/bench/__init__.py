"""What this machine can host: the dealer against a bare echo, measured in one run."""
