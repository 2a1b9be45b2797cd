"""How long the site takes to rate a long ledger: all of it, and again after the first result is annulled.

    python -m benchmarks.ledger [--games 100000] [--seats 2 6] [--on sqlite postgres]

Each ledger is one pool of 2,000 people in a database of its own. What is timed is what the site's job does.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

from benchmarks.load.site import SETUPS, database
from benchmarks.ratings import random_log
from kakomi.contest import Outcome

PEOPLE = 2_000
HEADER = (
    "| database | results | seats | taken in | after the first was annulled | of it processor |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: |\n"
)


def _measured(name: str, games: int, seats: int) -> str:
    """A line of the table. Uses up this process, as Django has one database."""
    with tempfile.TemporaryDirectory() as folder, database(SETUPS[name]) as variables:
        os.environ.update(variables, KAKOMI_DATA_DIR=folder, DJANGO_SETTINGS_MODULE="kakomi.server.settings")
        from django.db import connections

        from kakomi.server.running import prepare_database

        prepare_database()
        _write(random_log(games, players=PEOPLE, sizes=[seats], seed=1))
        from kakomi.server.ratings import jobs
        from kakomi.server.ratings.models import Result

        taken_in, _ = _timed(jobs.rate_results)
        first = Result.objects.order_by("ended_at", "table").values("pk")[:1]
        Result.objects.filter(pk__in=first).update(is_annulled=True, is_due=True)
        again, processor = _timed(jobs.rate_results)
        connections.close_all()
    kind = name.replace("sqlite", "SQLite").replace("postgres", "PostgreSQL")
    return f"| {kind} | {games:,} | {seats} | {taken_in:.0f} s | {again:.0f} s | {processor:.0f} s |\n"


def _write(log: Sequence[Outcome[int]]) -> None:
    """Put results into the database as if their games had been played."""
    from django.db import transaction

    from kakomi.server.accounts.models import Guest
    from kakomi.server.ratings import models
    from kakomi.server.tables.models import Table, new_code

    with transaction.atomic():
        pool = models.Pool.objects.create(game="rings", size_class="standard", pace="days")
        people = Guest.objects.bulk_create(Guest(name=f"Player {number}") for number in range(PEOPLE))
        tables = Table.objects.bulk_create(
            (
                Table(
                    code=new_code(), begun={}, game=pool.game, is_over=True, is_rated=True, ended_at=line.at
                )
                for line in log
            ),
            batch_size=2_000,
        )
        results = models.Result.objects.bulk_create(
            (
                models.Result(table=table, pool=pool, ended_at=line.at)
                for table, line in zip(tables, log, strict=True)
            ),
            batch_size=2_000,
        )
        models.Entrant.objects.bulk_create(
            (
                models.Entrant(result=result, seat=seat, guest=people[entrant.name], place=entrant.place)
                for result, line in zip(results, log, strict=True)
                for seat, entrant in enumerate(line.entrants)
            ),
            batch_size=2_000,
        )


def _timed(job: Callable[[], None]) -> tuple[float, float]:
    """Seconds, and seconds of this process's processor."""
    began, processor = time.monotonic(), time.process_time()
    job()
    return time.monotonic() - began, time.process_time() - processor


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ledger", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--games", type=int, default=100_000, help="results (default 100,000)")
    parser.add_argument("--seats", type=int, nargs="+", choices=range(2, 7), default=[2, 6])
    parser.add_argument("--on", nargs="+", choices=sorted(SETUPS), default=list(SETUPS))
    chosen = parser.parse_args()
    if len(chosen.on) == len(chosen.seats) == 1:
        print(_measured(chosen.on[0], chosen.games, chosen.seats[0]), end="", flush=True)
        return
    print(HEADER, end="", flush=True)
    for name in chosen.on:
        for seats in chosen.seats:
            asked = ["--games", str(chosen.games), "--seats", str(seats), "--on", name]
            subprocess.run([sys.executable, "-m", "benchmarks.ledger", *asked], check=True)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"\n{os.cpu_count()} cores, shared with the database; load average at the end: {load}.")


if __name__ == "__main__":
    main()
