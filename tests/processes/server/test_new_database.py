"""The first start of a site: one of several processes creates all tables, or none."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest

from server.ledgers import on_server
from server.services import POSTGRES, require

MAKE = "from kakomi.server.running import prepare_database; prepare_database()"
FAIL = """
import django; django.setup()
from django.db.backends.base.schema import BaseDatabaseSchemaEditor as Editor
from kakomi.server.running import make_tables
made, create_model = [], Editor.create_model
def create(self, model):
    if len(made) == 9:
        raise SystemExit("the lights went out")
    made.append(model)
    create_model(self, model)
Editor.create_model = create
make_tables()
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """The environment of a site with an empty database."""
    with contextlib.ExitStack() as ends:
        url = ""
        if request.param == "postgresql":
            require(POSTGRES)
            url = ends.enter_context(on_server(POSTGRES, has_tables=False)).url
        given = {"KAKOMI_DATABASE_URL": url, "KAKOMI_DATA_DIR": str(tmp_path), "KAKOMI_REDIS_URL": ""}
        yield {**os.environ, **given, "DJANGO_SETTINGS_MODULE": "kakomi.server.settings"}


def run(program: str, site: Mapping[str, str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program]
    return subprocess.Popen(command, env=site, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def looked(site: Mapping[str, str]) -> tuple[int, list[tuple[str, str]]]:
    """The number of tables, and the migrations recorded as applied."""
    url, file = site["KAKOMI_DATABASE_URL"], Path(site["KAKOMI_DATA_DIR"], "site.sqlite3")
    names = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    if not url:
        names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    with contextlib.closing(psycopg.connect(url) if url else sqlite3.connect(file)) as connection:
        tables = connection.execute(names).fetchall()
        noted = connection.execute("SELECT app, name FROM django_migrations").fetchall() if tables else []
    return len(tables), noted


def test_those_who_come_together_make_one_database(site: Mapping[str, str]) -> None:
    starts = [run(MAKE, site) for _ in range(2)]
    assert [start.communicate()[1] for start in starts] == ["", ""]
    assert [start.returncode for start in starts] == [0, 0]
    tables, noted = looked(site)
    assert tables > 50 and len(noted) == len(set(noted)) > 30


def test_what_is_broken_off_leaves_nothing(site: Mapping[str, str]) -> None:
    assert "the lights went out" in run(FAIL, site).communicate()[1]
    assert looked(site) == (0, [])
