"""Making backups."""

import gzip
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

from django.core import serializers
from django.core.serializers.json import DjangoJSONEncoder
from django.db import Error, connection, transaction
from django.db.models import Model

from kakomi import __version__
from kakomi.core.system import replacing
from kakomi.server.operations.backups.manifest import (
    BATCH,
    FOR_THE_OWNER,
    VERSION,
    BackupError,
    Manifest,
    Tell,
    applied,
    expect_current,
    kept_models,
    kept_secret,
)
from kakomi.server.site.django_private import reading_transactions


def back_up(path: Path, tell: Tell, *, replace: bool = False) -> Manifest:
    """Write a backup of the current state. Raises BackupError, or OSError for the file."""
    if path.exists() and not replace:
        raise BackupError(f"{path} exists already: name another file, or say --force")
    try:
        expect_current()
        with _snapshot():
            return write(path, tell)
    except Error as error:
        raise BackupError(f"the database can't be read: {error}") from None


@contextmanager
def _snapshot() -> Iterator[None]:
    """A transaction that reads from one snapshot and doesn't block writers."""
    connection.ensure_connection()
    with reading_transactions(), transaction.atomic():
        if connection.vendor != "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def write(path: Path, tell: Tell) -> Manifest:
    """Write all rows that the transaction sees to a file, which appears when it is complete."""
    models = kept_models()
    manifest = Manifest(
        kakomi_backup=VERSION,
        made_by=__version__,
        made_at=time.time(),
        migrations=applied(),
        rows={model._meta.label_lower: model._default_manager.count() for model in models},
        secret_key=kept_secret(),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        replacing(path, mode=FOR_THE_OWNER) as raw,
        gzip.open(raw, "wt", encoding="utf-8", compresslevel=6) as file,
    ):
        file.write(json.dumps(asdict(manifest)) + "\n")
        _write_rows(file, models, manifest.total, tell)
    return manifest


def _write_rows(file: IO[str], models: list[type[Model]], total: int, tell: Tell) -> None:
    done = 0
    for model in models:
        rows = model._default_manager.order_by("pk").iterator(chunk_size=BATCH)
        while batch := list(islice(rows, BATCH)):
            file.write(serializers.serialize("jsonl", batch, cls=_Exact, use_natural_foreign_keys=True))
            done += len(batch)
            tell(done, total)


class _Exact(DjangoJSONEncoder):
    """Keeps the microseconds of times, which Django's encoder truncates to milliseconds."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)
