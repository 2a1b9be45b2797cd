"""`python -m tests.protocol.mail --mails 100000`: read and parse random mails, and print the slowest.

A failing mail is reported with its seed, and `--seed` with that number starts with it.
"""

import argparse
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from protocol.mail.generated import CHECKS


def main() -> int:
    arguments = argparse.ArgumentParser(prog="tests.protocol.mail", description=__doc__)
    arguments.add_argument("--mails", type=int, default=10_000, help="how many (default 10,000)")
    arguments.add_argument("--seed", type=int, default=0, help="where to begin (default 0)")
    chosen = arguments.parse_args()
    slowest, which = 0.0, ""
    for number in range(chosen.mails):
        seed, check = chosen.seed + number, CHECKS[number % len(CHECKS)]
        begun = time.perf_counter()
        try:
            check(seed)
        except Exception:
            traceback.print_exc()
            print(f"{check.__name__} failed with seed {seed}")
            return 1
        took = time.perf_counter() - begun
        if took > slowest:
            slowest, which = took, f"{check.__name__} with seed {seed}"
    print(
        f"{chosen.mails} mails from seed {chosen.seed}: all well; the slowest took {slowest:.3f} s ({which})"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
