"""Who logs in, who waits for the first hand, and who comes back after a lost connection."""
