"""Players who log in, wait for the first hand, or reconnect after a lost connection."""
