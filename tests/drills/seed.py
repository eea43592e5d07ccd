"""All that drills leave to chance follows from one seed, which they print."""

import os
import secrets
from random import Random

#: The environment variable that a drill is run again by.
VARIABLE = "DRILL_SEED"

#: In CI always the same, else a new one each time.
SEED = os.environ.get(VARIABLE) or ("CI" if os.environ.get("CI") else secrets.token_hex(4))


def chance(*names: object) -> Random:
    """Return the chance of one part of a drill, which no other part has."""
    return Random("/".join(map(str, (SEED, *names))))
