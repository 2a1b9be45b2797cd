"""The content of a backup: its manifest, models, migrations, secret key, and file name."""

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
from kakomi.server.site.configuration import SECRET_FILE, configuration

VERSION = 1
BATCH = 500
"""The number of rows to process at once."""

MADE_BY_MIGRATIONS = {"contenttypes.contenttype", "auth.permission"}
"""Models whose rows each database creates with its own primary keys; others refer to them by natural key."""

FOR_THE_OWNER = 0o600
"""The permissions of private files."""
Tell = Callable[[int, int], None]
"""A progress callback, called with the number of rows done and the total."""


class BackupError(Exception):
    """Raised with the reason if a backup can't be made or restored."""


@dataclass(frozen=True)
class Manifest:
    """A backup's description of itself."""

    kakomi_backup: int
    made_by: str
    """The version of the program."""
    made_at: float
    """Seconds since the epoch."""
    migrations: list[str]
    """The applied migrations, as `app.migration`."""
    rows: dict[str, int]
    """Model -> the number of its rows."""
    secret_key: str
    """The key that signs cookies; empty if it comes from the environment."""

    @staticmethod
    def of(line: str, path: Path) -> "Manifest":
        """Parse a line. Raises BackupError for another format, or ValueError, KeyError etc. for other
        data."""
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
    """All models to back up, including those of packages, each after the models to which it refers."""
    pending = [model for model in apps.get_models() if model._meta.label_lower not in MADE_BY_MIGRATIONS]
    ordered: list[type[Model]] = []
    while pending:
        ready = next(model for model in pending if not _pointed_to(model) & set(pending) - {model})
        pending.remove(ready)
        ordered.append(ready)
    return ordered


def links(model: type[Model]) -> list[type[Model]]:
    """The models of a model's many-to-many tables."""
    found = (field.remote_field.through for field in model._meta.many_to_many)
    return [through for through in found if through is not None]


def _pointed_to(model: type[Model]) -> set[type[Model]]:
    fields = (*model._meta.concrete_fields, *model._meta.many_to_many)
    return {field.related_model for field in fields if isinstance(field.related_model, type)}


def applied() -> list[str]:
    """The migrations applied to the database, as `app.migration`."""
    return sorted(".".join(migration) for migration in MigrationLoader(connection).applied_migrations or ())


def expect_current() -> None:
    """Raise BackupError unless the database has all migrations of this version."""
    loader = MigrationLoader(connection)
    if not loader.applied_migrations:
        raise BackupError(f"there is no site yet in {configuration().folder}")
    if set(loader.disk_migrations) - set(loader.applied_migrations):
        raise BackupError("the database is of an older version than this program: start the site once first")


def expect_known(manifest: Manifest) -> None:
    """Raise BackupError for a backup of a newer version, as this one might lose some of its data."""
    known = {".".join(migration) for migration in MigrationLoader(connection).disk_migrations}
    if unknown := sorted(set(manifest.migrations) - known):
        raise BackupError(
            f"the backup is of a newer Kakomi ({manifest.made_by}; this is {__version__}, "
            f"which doesn't know {unknown[0]}): update first"
        )


def unused(kind: str) -> Path:
    """An unused path for a backup in the data folder, named after its kind, date and time."""
    stamp = f"{kind}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    folder = configuration().folder / "backups"
    paths = (folder / f"{stamp}{again}.jsonl.gz" for again in chain([""], (f"-{n}" for n in count(2))))
    return next(path for path in paths if not path.exists())


def kept_secret() -> str:
    """The secret key saved in the data folder; empty if there is none."""
    path = configuration().folder / SECRET_FILE
    return path.read_text(encoding="ascii") if path.exists() else ""


def keep_secret(secret: str) -> None:
    """Save a secret key. It takes effect when the site is next started; until then old cookies stay valid."""
    path = configuration().folder / SECRET_FILE
    replace_file(path, secret.encode("ascii"), mode=FOR_THE_OWNER)
