"""`python -m tests.season --days 30 --people 60`: a season in simulated time, and what came of it."""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import conftest  # noqa: F401  (where compiled code is kept)
from season.season import Course, Plan, Season
from server.ledgers import in_file, on_server
from server.services import POSTGRES, is_there

DATABASES = ("sqlite", "postgres")
SHOWN = 20
"""Findings that are printed."""


def main() -> int:
    chosen = _arguments()
    databases = chosen.pop("on")
    if "postgres" in databases and not is_there(POSTGRES):
        print(f"  without PostgreSQL: nothing listens at {POSTGRES}")
        if os.environ.get("CI") == "true":
            return 1
        databases.remove("postgres")
    return max((play(Plan(**chosen), database) for database in databases), default=0)


def _arguments() -> dict[str, Any]:
    usual, parser = Plan(), argparse.ArgumentParser(prog="season", description=__doc__)
    parser.add_argument("--days", type=float, default=usual.days, help="simulated (default %(default)s)")
    parser.add_argument("--people", type=int, default=usual.people, help="who play (default %(default)s)")
    parser.add_argument("--processes", type=int, default=usual.processes, help="of the site (default 3)")
    parser.add_argument("--kills", type=int, default=usual.kills, help="about so many (default 30)")
    parser.add_argument("--outages", type=int, default=usual.outages, help="of the site (default 4)")
    parser.add_argument("--seed", type=int, default=usual.seed, help="where chance begins (default 1)")
    parser.add_argument("--on", nargs="+", choices=DATABASES, default=list(DATABASES))
    return vars(parser.parse_args())


def play(plan: Plan, database: str) -> int:
    """Play a season on a database and audit it; 1 if something is wrong."""
    with _new(database) as url:
        environment = {
            "KAKOMI_DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "kakomi.server.settings",
            "KAKOMI_REDIS_URL": "",
        }
        _migrate(environment)
        with Season(plan, environment) as season:
            course = season.play()
            found = season.audit()
    _tell(database, course, found["figures"])
    for finding in found["findings"][:SHOWN]:
        print(f"  WRONG: {finding}")
    return int(bool(found["findings"]))


@contextlib.contextmanager
def _new(database: str) -> Iterator[str]:
    with contextlib.ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        kept = in_file(folder) if database == "sqlite" else on_server(POSTGRES)
        yield ends.enter_context(kept).url


def _migrate(environment: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        given = {**os.environ, **environment, "KAKOMI_DATA_DIR": folder}
        subprocess.run([sys.executable, "-m", "django", "migrate", "--verbosity", "0"], check=True, env=given)


def _tell(database: str, course: Course, figures: dict[str, int]) -> None:
    plan = course.plan
    print(
        f"  {database}, seed {plan.seed}: {plan.days:g} days, {plan.people} people, "
        f"{plan.processes} processes, {course.kills} kills, {len(course.outages)} outages "
        f"({course.seconds:.0f} s)"
    )
    print("    " + ", ".join(f"{count} {name}" for name, count in figures.items()))
    print("    did: " + ", ".join(f"{count} {kind}" for kind, count in course.deeds.most_common()))


if __name__ == "__main__":
    sys.exit(main())
