"""`python -m tests.season --days 30 --people 60`: play a season in simulated time and audit the result."""

import argparse
import contextlib
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import conftest  # noqa: F401  (where compiled code is kept)
from season.course import BOUNCES, PLAY, RELAY, Plan, SeasonFolder
from season.post_office import PostOffice
from season.season import Season
from season.shared_clock import SharedClock
from server.ledgers import in_file, new_database, on_server
from server.migrated import prepare
from server.proxy import Proxy
from server.services import POSTGRES, REDIS, is_there

DATABASES = ("sqlite", "postgres")
SHOWN = 20
"""The most findings to print."""
IN_MEMORY = Path("/dev/shm")
"""The folder for temporary seasons, if it exists. Memory suffices, since a killed process is no power cut."""
HELP = {
    "days": "simulated",
    "people": "who play",
    "looks": "of somebody on a day, on average",
    "processes": "of the site",
    "kills": "about so many processes die",
    "outages": "of the whole site, for hours",
    "absences": "of the database, for hours",
    "blips": "of the database and of Redis, for a moment",
    "seed": "where chance begins",
}


def main() -> int:
    chosen = _arguments()
    databases, folder = chosen.pop("on"), chosen.pop("folder")
    for service, url, needed in (("PostgreSQL", POSTGRES, "postgres"), ("Redis", REDIS, "")):
        if is_there(url):
            continue
        print(f"  without {service}: nothing listens at {url}")
        if os.environ.get("CI") == "true":
            return 1
        databases = [database for database in databases if database != needed]
    stop = threading.Event()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wanted, lambda *_: stop.set())
    plan = Plan(**chosen)
    return max((play(plan, database, folder, stop) for database in databases), default=0)


def _arguments() -> dict[str, Any]:
    usual, parser = Plan(), argparse.ArgumentParser(prog="season", description=__doc__)
    for name, what in HELP.items():
        value = getattr(usual, name)
        parser.add_argument(f"--{name}", type=type(value), default=value, help=f"{what} (default {value:g})")
    parser.add_argument("--on", nargs="+", choices=DATABASES, default=list(DATABASES))
    parser.add_argument("--folder", type=Path, help="keep the season here; the same command goes on with it")
    chosen = vars(parser.parse_args())
    return {**chosen, "days": float(chosen["days"])}


def play(plan: Plan, database: str, kept: Path | None = None, stop: threading.Event | None = None) -> int:
    """Play or resume a season on a database and audit it. Return 1 if something is wrong."""
    with contextlib.ExitStack() as ends:
        folder = SeasonFolder(kept / database if kept else Path(ends.enter_context(_temporary())))
        url = ends.enter_context(_database(database, folder.path, is_kept=bool(kept)))
        proxy = ends.enter_context(Proxy(url)) if database == "postgres" else None
        redis = ends.enter_context(Proxy(REDIS)) if is_there(REDIS) else None
        now = SharedClock(folder.clock).now
        post = ends.enter_context(PostOffice(folder, now, plan.seed))
        environment = {
            "KAKOMI_DATABASE_URL": proxy.url if proxy else url,
            "KAKOMI_MAIL_URL": post.url,
            "KAKOMI_MAIL_IN_ADDRESS": PLAY,
            "KAKOMI_MAIL_IN_BOUNCES": BOUNCES,
            "KAKOMI_MAIL_IN_RELAY": RELAY,
            "DJANGO_SETTINGS_MODULE": "kakomi.server.settings",
            "KAKOMI_REDIS_URL": redis.url if redis else "",
        }
        prepare({**environment, "KAKOMI_DATABASE_URL": url, "KAKOMI_DATA_DIR": str(folder.path)})
        season = ends.enter_context(Season(plan, folder, environment, post, database=proxy, redis=redis))
        if not season.play(lambda: not (stop and stop.is_set())):
            print(f"  {database}: stopped after {season.course.step} steps; the same command goes on")
            return 0
        found = season.audit()
        _tell(database, season, found)
        return int(bool(found["findings"]))


def _temporary() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="kakomi-season-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None)


@contextlib.contextmanager
def _database(database: str, folder: Path, *, is_kept: bool) -> Iterator[str]:
    """Yield the URL of a new database, or of the one recorded in the folder."""
    if database == "sqlite":
        with in_file(folder) as ledger:
            yield ledger.url
    elif not is_kept:
        with on_server(POSTGRES) as ledger:
            yield ledger.url
    else:
        name = folder / "database"
        if not name.exists():
            name.write_text(new_database(POSTGRES))
        yield f"{POSTGRES.rpartition('/')[0]}/{name.read_text()}"


def _tell(database: str, season: Season, found: Mapping[str, Any]) -> None:
    plan, course = season.plan, season.course
    print(
        f"  {database}, seed {plan.seed}: {plan.days:g} days, {plan.people} people, "
        f"{plan.processes} processes, {course.kills} kills, {len(course.outages)} outages "
        f"({course.seconds:.0f} s)"
    )
    print("    " + _listed(found["figures"]))
    print("    did: " + _listed(dict(course.deeds.most_common())))
    print(f"    away: {_listed(course.troubles)}; {course.away} answers said so, {course.pages} pages seen")
    print(
        "    processor: " + ", ".join(f"{what} {took:.0f} s" for what, took in course.processor.most_common())
    )
    for finding in found["findings"][:SHOWN]:
        print(f"  WRONG: {finding}")
    print(end="", flush=True)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


if __name__ == "__main__":
    sys.exit(main())
