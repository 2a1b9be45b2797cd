"""The database: what migrations say of the models, and what becomes of one that another version made."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from kakomi.server.running import make_tables
from server.migrated import migrated_file


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_each_app_has_one_migration_until_the_first_release() -> None:
    ours = [
        (app, migration.name)
        for (app, _), migration in MigrationLoader(None).disk_migrations.items()
        if type(migration).__module__.startswith("kakomi.")
    ]
    assert len(ours) > 10 and {name for _, name in ours} == {"0001_initial"}


@pytest.mark.parametrize("app", ["tables", "guests"], ids=["an app of today", "an app of an earlier version"])
def test_a_database_of_another_version_is_refused_in_a_sentence(tmp_path: Path, app: str) -> None:
    file = tmp_path / "site.sqlite3"
    file.write_bytes(migrated_file().read_bytes())
    with closing(sqlite3.connect(file)) as old:
        old.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES (?, '0002_old', '2026-01-01')", (app,)
        )
        old.commit()
    here = {"KAKOMI_DATA_DIR": str(tmp_path), "KAKOMI_DATABASE_URL": "", "KAKOMI_REDIS_URL": ""}
    started = subprocess.run(
        [sys.executable, "-m", "kakomi", "serve", "--no-browser", "--port", "0"],
        env={**os.environ, **here},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert started.returncode == 1
    assert "another version of Kakomi made this site's database" in started.stderr
    assert f"{app}.0002_old" in started.stderr and "Traceback" not in started.stderr


@pytest.mark.django_db
def test_a_database_with_tables_is_left_to_migrations() -> None:
    before = connection.introspection.table_names()
    assert before and not make_tables()
    assert connection.introspection.table_names() == before
