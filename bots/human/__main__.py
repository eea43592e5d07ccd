"""One person's game behind a web page: the server starts a process for each browser, with the order as JSON."""

import json
import secrets
import sys
from dataclasses import replace

from bots.human.person_app import Casino
from bots.human.table_order import Order


def main() -> None:
    """Play the order that the command line gives; a seed that was not asked for is new for everybody."""
    facts = json.loads(sys.argv[1])
    order = Order(**{**facts, "against": tuple(facts["against"])})
    Casino(order if order.seed else replace(order, seed=secrets.token_hex(8))).run()


if __name__ == "__main__":
    main()
