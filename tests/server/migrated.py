"""Databases as a site's first start makes them, which tests copy: that is ten times as quick.

On SQLite it is kept between runs, in a file whose name says all that its content depends on. On PostgreSQL it
is made once in a run, and goes with it; that of a run that was killed goes when the next one begins.
"""

import atexit
import contextlib
import hashlib
import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg
    import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
KEPT = PROJECT / ".cache" / "databases"
SEVERAL = 5
"""So many files are kept: the last versions that somebody worked on."""
MAKERS = ("django", "django-allauth")
"""Distributions whose migrations are the site's as well."""
PREFIX = "kakomi_migrated_"
NAMED = PREFIX.replace("_", r"\_") + 8 * "_" + r"\_" + 4 * "_" + r"\_%"
"""So the databases of runs are named, for LIKE: with the day and the minute. Those of versions that don't say
whether a run lives have no minute."""
RUN = "KAKOMI_TEST_RUN"
"""Names this run of the tests, in all of its processes."""


def file_with_tables(path: Path) -> None:
    """Make a SQLite database at a path, unless something is there already."""
    if not path.exists():
        shutil.copyfile(migrated_file(), path)


@cache
def migrated_file() -> Path:
    """The SQLite database of this version; nobody may change it."""
    kept = KEPT / f"{_fingerprint()}.sqlite3"
    with _alone(KEPT / "lock"):
        if not kept.exists():
            with tempfile.TemporaryDirectory(dir=KEPT) as folder:
                made = Path(folder, "made.sqlite3")
                _make(f"sqlite:///{made}")
                with contextlib.closing(sqlite3.connect(made)) as connection:
                    connection.execute("PRAGMA journal_mode=DELETE")  # so that all is in one file
                with contextlib.suppress(
                    PermissionError
                ):  # on Windows, where another worker has just made it
                    made.replace(kept)
            for old in sorted(KEPT.glob("*.sqlite3"), key=lambda file: file.stat().st_mtime)[:-SEVERAL]:
                old.unlink()
    return kept


def copy_instead_of_migrating(patch: "pytest.MonkeyPatch") -> None:
    """Fill the next database that Django migrates, one of SQLite in memory."""
    from django.core import management
    from django.db import connection

    call_command = management.call_command

    def call(name: str, *args: Any, **options: Any) -> Any:
        if name != "migrate":
            return call_command(name, *args, **options)
        patch.setattr(management, "call_command", call_command)
        connection.ensure_connection()
        with contextlib.closing(sqlite3.connect(migrated_file())) as made:
            made.backup(connection.connection)
        return None

    patch.setattr(management, "call_command", call)


def migrated_database(url: str) -> str:
    """The name of this run's database, on the server of a PostgreSQL database; nobody may connect to it."""
    import psycopg

    server, name = url.rpartition("/")[0], f"{PREFIX}{run()}"
    with _alone(_folder() / hashlib.sha256(server.encode()).hexdigest()) as made:
        hold(url, name)
        with psycopg.connect(url, autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                drop_forgotten(connection)
                connection.execute(f"CREATE DATABASE {name}")
                made.write_text(url)
                _make(f"{server}/{name}")
    return name


@cache
def hold(url: str, name: str) -> "psycopg.Connection[Any]":
    """Let everybody see that a database is in use, for as long as this process lives. To be connected to it
    would forbid to copy it, so it is a session elsewhere on the server that names it."""
    import psycopg

    return psycopg.connect(url, autocommit=True, application_name=name)


def drop_forgotten(connection: "psycopg.Connection[Any]") -> None:
    """Drop the databases that no process holds: their runs have ended by a kill."""
    query = (
        "SELECT made.datname FROM pg_database AS made WHERE made.datname LIKE %s"
        " AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = made.datname)"
    )
    for (name,) in connection.execute(query, [NAMED]).fetchall():
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def run() -> str:
    """The name of this run: workers and other processes have it from the one that began, which ends it."""
    if RUN not in os.environ:
        os.environ[RUN] = f"{datetime.now(UTC):%Y%m%d_%H%M}_{secrets.token_hex(6)}"
        atexit.register(_end_run, os.getpid())
    return os.environ[RUN]


def _end_run(began: int) -> None:
    if os.getpid() != began or not _folder().exists():
        return
    for made in _folder().iterdir():
        if url := made.read_text():
            import psycopg

            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE IF EXISTS {PREFIX}{run()} WITH (FORCE)")
    shutil.rmtree(_folder())


def _folder() -> Path:
    """Here each process of this run finds what another has made."""
    return Path(tempfile.gettempdir(), f"kakomi-tests-{run()}")


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[Path]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a") as file:
        with contextlib.suppress(ImportError):
            import fcntl  # not there on Windows, where at worst several make the same

            fcntl.flock(file, fcntl.LOCK_EX)
        yield lock


def _fingerprint() -> str:
    digest = hashlib.sha256(repr([(name, version(name)) for name in MAKERS]).encode())
    package = PROJECT / "src" / "kakomi"
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:32]


def _make(url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        prepare({"KAKOMI_DATABASE_URL": url, "KAKOMI_DATA_DIR": folder, "KAKOMI_REDIS_URL": ""})


def prepare(environment: Mapping[str, str]) -> None:
    """Make the tables of a site that has this environment, as its first start does."""
    program = "from kakomi.server.running import prepare_database; prepare_database()"
    given = {**os.environ, **environment, "DJANGO_SETTINGS_MODULE": "kakomi.server.settings"}
    subprocess.run([sys.executable, "-c", program], check=True, env=given, cwd=PROJECT)
