"""`python -m tests.soak --seconds 600`: run rounds of random checks until the time is up.

A failed round is reported with its seed, and `--seed` with that number repeats it first.
"""

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import conftest  # noqa: F401  (where compiled code is kept)
from soak.rounds import ROUNDS


def main() -> int:
    arguments = argparse.ArgumentParser(prog="soak", description=__doc__)
    arguments.add_argument("--seconds", type=float, default=600, help="how long (default 600)")
    arguments.add_argument("--seed", type=int, help="where to begin (default: drawn at random)")
    chosen = arguments.parse_args()
    seed = random.SystemRandom().randrange(10**9) if chosen.seed is None else chosen.seed
    return soak(seed, chosen.seconds)


def soak(seed: int, seconds: float) -> int:
    """Run rounds until the time is up. Return 1 at the first failure."""
    print(f"soaking for {seconds:g} seconds from seed {seed}", flush=True)
    until = time.monotonic() + seconds
    done: Counter[str] = Counter()
    while time.monotonic() < until or not done:
        check = ROUNDS[seed % len(ROUNDS)]
        try:
            check(random.Random(seed))
        except Exception:
            traceback.print_exc()
            print(f"{check.__name__} failed; again with: python -m tests.soak --seed {seed}")
            return 1
        done[check.__name__] += 1
        seed += 1
    for name, times in sorted(done.items()):
        print(f"  {name}: {times} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
