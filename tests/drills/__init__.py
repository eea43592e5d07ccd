"""Drills: the dealer under attack, on bad networks, killed and brought back; each prints its figures."""
