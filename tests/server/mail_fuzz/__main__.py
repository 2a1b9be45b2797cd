"""`python -m tests.server.mail_fuzz --mails 100000`: send random mails to a whole site.

A fault is reported with the mail, and with a command that reproduces it. Mails come in rounds of 200, each
independent of earlier ones: `--from 4000` continues a stopped run.
"""

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import conftest  # noqa: F401  (sets the folder for compiled code)


def main() -> int:
    arguments = argparse.ArgumentParser(prog="tests.server.mail_fuzz", description=__doc__)
    arguments.add_argument("--mails", type=int, default=1_000, help="how many (default 1,000)")
    arguments.add_argument("--seed", type=int, default=0, help="what chance follows from (default 0)")
    arguments.add_argument("--from", type=int, default=0, dest="first", help="where to begin (default 0)")
    arguments.add_argument(
        "--postgres", action="store_true", help="in PostgreSQL, each mail from several threads at once"
    )
    arguments.add_argument("--threads", type=int, default=2, help="so many, with --postgres (default 2)")
    chosen = arguments.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "site_settings"
    os.environ["KAKOMI_SECRET_KEY"] = "the same in every run, as secret addresses follow from it"
    if not chosen.postgres:
        return fuzz(chosen.seed, chosen.first, chosen.mails, 1)
    from server.ledgers import on_server
    from server.services import POSTGRES

    with on_server(POSTGRES) as ledger:
        os.environ["KAKOMI_DATABASE_URL"] = ledger.url
        try:
            return fuzz(chosen.seed, chosen.first, chosen.mails, chosen.threads)
        finally:
            from django.db import connection

            connection.close()


def fuzz(seed: int, first: int, mails: int, threads: int) -> int:
    """Send mails to the site; return 1 at the first fault, else 0."""
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import setup_test_environment

    setup_test_environment()
    if connection.vendor == "sqlite":
        _in_memory()
    from server.mail_fuzz.rounds import MAILS, Fault, Run

    run, begun = Run(seed, threads), time.monotonic()
    rounds = range(first // MAILS, (first + mails + MAILS - 1) // MAILS)
    for number in rounds:
        try:
            run.round(number)
        except Fault as fault:
            print(fault, flush=True)
            return 1
        done = (number - rounds[0] + 1) * MAILS
        if done % 1_000 == 0 or number == rounds[-1]:
            speed = done / (time.monotonic() - begun)
            print(f"{first + done:,} mails, {run.deliveries:,} deliveries, {speed:.1f} a second", flush=True)
    for counted in (run.kinds, run.states):
        for name, times in counted.most_common(40):
            print(f"  {times:7,} {name}")
    print(f"{len(rounds) * MAILS:,} mails from {first} of seed {seed}: all well")
    return 0


def _in_memory() -> None:
    import pytest
    from django.db import connection

    from server.migrated import copy_instead_of_migrating

    with pytest.MonkeyPatch.context() as patch:
        copy_instead_of_migrating(patch)
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)


if __name__ == "__main__":
    sys.exit(main())
