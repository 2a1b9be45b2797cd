"""`python -m tests.soak.kills --kills 200`: kill servers while people play, on every kind of site.

Half of the kills are in sites with one process and half in sites with two, on SQLite, and on PostgreSQL with
Redis if available.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import conftest  # noqa: F401  (where compiled code is kept)
from server.kills import kill_and_check
from server.kinds_of_sites import KINDS


def main() -> int:
    arguments = argparse.ArgumentParser(prog="kills", description=__doc__)
    arguments.add_argument("--kills", type=int, default=200, help="how many (default 200)")
    arguments.add_argument("--seed", type=int, help="where chance begins (default: drawn at random)")
    chosen = arguments.parse_args()
    seed = random.SystemRandom().randrange(10**9) if chosen.seed is None else chosen.seed
    kinds = [kind for kind in KINDS if kind.is_possible]
    if len(kinds) < len(KINDS):
        print("  without PostgreSQL and Redis: neither listens here")
        if os.environ.get("CI") == "true":
            return 1
    for number, kind in enumerate(kinds):
        kills = chosen.kills * (number + 1) // len(kinds) - chosen.kills * number // len(kinds)
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, kind.running(Path(folder)) as (sites, ledger):
            toll = kill_and_check(sites, ledger, kills, random.Random(seed + number))
        print(f"  {kind}, seed {seed + number}: {toll} ({time.monotonic() - began:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
