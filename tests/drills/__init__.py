"""Drills: the dealer under attack, on bad networks, killed and brought back; each prints its figures."""

import pytest

pytest.register_assert_rewrite("tests.drills.killing", "tests.drills.surviving")
