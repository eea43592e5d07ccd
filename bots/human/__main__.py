"""The process behind one browser: ``casino play --web`` starts it with the order as JSON on the command line."""

import json
import secrets
import sys
from dataclasses import replace

from bots.human.person_app import Casino
from bots.human.table_order import Order


def main() -> None:
    """Play at the table that was ordered; without a seed in the order, each process draws its own."""
    facts = json.loads(sys.argv[1])
    order = Order(**{**facts, "against": tuple(facts["against"])})
    Casino(order if order.seed else replace(order, seed=secrets.token_hex(8))).run()


if __name__ == "__main__":
    main()
