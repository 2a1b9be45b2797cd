"""Databases left behind by killed test runs are dropped, but never those of active runs."""

import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from server.migrated import NAMED, PREFIX, drop_forgotten, migrated_database
from server.services import POSTGRES, require

TESTS = Path(__file__).resolve().parents[2]
HOLDER = (
    "import sys; from server.migrated import hold;"
    "hold(*sys.argv[1:]); print('held', flush=True); sys.stdin.read()"
)


@pytest.fixture
def server() -> Iterator["psycopg.Connection[Any]"]:
    require(POSTGRES)
    with psycopg.connect(POSTGRES, autocommit=True) as connection:
        yield connection


def left_behind(server: "psycopg.Connection[Any]") -> str:
    """Create a database as left behind by a dead run."""
    name = f"{PREFIX}20260101_1200_{secrets.token_hex(6)}"
    server.execute(f"CREATE DATABASE {name}")
    return name


def names(server: "psycopg.Connection[Any]") -> set[str]:
    return {name for (name,) in server.execute("SELECT datname FROM pg_database").fetchall()}


def test_what_a_killed_run_left_goes_and_what_a_living_one_uses_stays(
    server: "psycopg.Connection[Any]",
) -> None:
    own, forgotten, used = migrated_database(POSTGRES), left_behind(server), left_behind(server)
    command = [sys.executable, "-c", HOLDER, POSTGRES, used]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=TESTS) as living:
        try:
            assert living.stdout is not None and living.stdout.readline()
            drop_forgotten(server)
            assert {own, used} <= names(server) and forgotten not in names(server)
            server.execute(f"CREATE DATABASE {used}_copy TEMPLATE {used}")
            server.execute(f"DROP DATABASE {used}_copy")
        finally:
            living.kill()
    wait_until_gone(server, used)
    drop_forgotten(server)
    assert own in names(server) and used not in names(server)


def wait_until_gone(server: "psycopg.Connection[Any]", name: str) -> None:
    """Wait until the server has noticed that a process is dead."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
    while server.execute(query, [name]).fetchall() != [(0,)]:
        server.execute("SELECT pg_sleep(0.05)")


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        (f"{PREFIX}20260101_1200_0123456789ab", True),
        (f"{PREFIX}20260101_0123456789ab", False),
        ("kakomi_test_0123456789ab", False),
        ("kakomi", False),
    ],
)
def test_nothing_else_is_touched(name: str, is_one: bool, server: "psycopg.Connection[Any]") -> None:
    assert server.execute("SELECT %s LIKE %s", [name, NAMED]).fetchone() == (is_one,)
