"""Tests of versions: recorded hands played again, two versions in the same deals, and what differences are worth."""
