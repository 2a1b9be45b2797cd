"""The content of a backup, and its manifest: models, schema, the secret key, the file's place."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from kakomi import __version__
from kakomi.core.system import replace_file
from kakomi.server.configuration import SECRET_FILE, configuration

VERSION = 1
BATCH = 500
"""Rows that are dealt with at once."""

MADE_BY_MIGRATIONS = {"contenttypes.contenttype", "auth.permission"}
"""Models whose rows every database makes itself, with numbers of its own: others refer to them by name."""

FOR_THE_OWNER = 0o600
"""The permissions of private files."""
Tell = Callable[[int, int], None]
"""Called with the number of rows done and the number of all rows."""


class BackupError(Exception):
    """A backup that can't be made or restored, and why."""


@dataclass(frozen=True)
class Manifest:
    """A backup's description of itself."""

    kakomi_backup: int
    made_by: str
    """Version of the program."""
    made_at: float
    migrations: list[str]
    """The migrations of the database, as `app.migration`."""
    rows: dict[str, int]
    """Model -> how many."""
    secret_key: str
    """The key that signs cookies; empty if the environment gives it."""

    @staticmethod
    def of(line: str, path: Path) -> "Manifest":
        """A line as a manifest. Raises BackupError for another format, ValueError or the like for none."""
        data: dict[str, Any] = json.loads(line)
        if (found := data["kakomi_backup"]) != VERSION:
            raise BackupError(f"{path} has format {found}, and this program reads {VERSION}")
        return Manifest(**data)

    @property
    def total(self) -> int:
        """The number of all rows."""
        return sum(self.rows.values())

    @property
    def games(self) -> int:
        """The number of tables."""
        return self.rows.get("tables.table", 0)


def kept_models() -> list[type[Model]]:
    """All models, packages' too, that hold what somebody did; each after those that it refers to."""
    pending = [model for model in apps.get_models() if model._meta.label_lower not in MADE_BY_MIGRATIONS]
    ordered: list[type[Model]] = []
    while pending:
        ready = next(model for model in pending if not _pointed_to(model) & set(pending) - {model})
        pending.remove(ready)
        ordered.append(ready)
    return ordered


def links(model: type[Model]) -> list[type[Model]]:
    """The models of the tables that link rows of this one with rows of others."""
    found = (field.remote_field.through for field in model._meta.many_to_many)
    return [through for through in found if through is not None]


def _pointed_to(model: type[Model]) -> set[type[Model]]:
    fields = (*model._meta.concrete_fields, *model._meta.many_to_many)
    return {field.related_model for field in fields if isinstance(field.related_model, type)}


def applied() -> list[str]:
    """The migrations that the database has had."""
    return sorted(".".join(migration) for migration in MigrationLoader(connection).applied_migrations or ())


def expect_current() -> None:
    """Raises BackupError if the database isn't one of this version of the program."""
    loader = MigrationLoader(connection)
    if not loader.applied_migrations:
        raise BackupError(f"there is no site yet in {configuration().folder}")
    if set(loader.disk_migrations) - set(loader.applied_migrations):
        raise BackupError("the database is of an older version than this program: start the site once first")


def expect_known(manifest: Manifest) -> None:
    """Raises BackupError for a newer site: it may hold what this version would lose."""
    known = {".".join(migration) for migration in MigrationLoader(connection).disk_migrations}
    if unknown := sorted(set(manifest.migrations) - known):
        raise BackupError(
            f"the backup is of a newer Kakomi ({manifest.made_by}; this is {__version__}, "
            f"which doesn't know {unknown[0]}): update first"
        )


def unused(kind: str) -> Path:
    """An unused path in the data folder, by date and time."""
    stamp = f"{kind}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    folder = configuration().folder / "backups"
    paths = (folder / f"{stamp}{again}.jsonl.gz" for again in chain([""], (f"-{n}" for n in count(2))))
    return next(path for path in paths if not path.exists())


def kept_secret() -> str:
    """The key that the site made for itself; empty if the environment gives it one."""
    path = configuration().folder / SECRET_FILE
    return path.read_text(encoding="ascii") if path.exists() else ""


def keep_secret(secret: str) -> None:
    """Known to the site when it starts next; until then cookies of the old one are good."""
    path = configuration().folder / SECRET_FILE
    replace_file(path, secret.encode("ascii"), mode=FOR_THE_OWNER)
