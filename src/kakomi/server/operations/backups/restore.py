"""Restoring backups."""

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError, DeserializedObject
from django.db import Error, connection
from django.db.models import Max, Model

from kakomi.server.accounts.models import Guest, SignIn, User
from kakomi.server.operations.backups.backup import write
from kakomi.server.operations.backups.manifest import (
    BATCH,
    BackupError,
    Manifest,
    Tell,
    expect_known,
    keep_secret,
    kept_models,
    links,
    unused,
)
from kakomi.server.site.database import fold_fields, writing
from kakomi.server.tables.models import Table

_NUMBERS_LEFT_OUT = 1_000_000
_NO_FILE = (EOFError, zlib.error, gzip.BadGzipFile)
_NO_ROWS = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""Exceptions when reading a file that is truncated or not compressed, and one with other content."""


def restore(path: Path, tell: Tell) -> tuple[Manifest, Path]:
    """Replace the site's data by a backup. Return its manifest, and the path of a backup of the old data.

    If this raises BackupError, or OSError for a file, nothing has changed.
    """
    manifest = _checked(path)
    kept = unused("before-restore")
    try:
        expect_known(manifest)
        with _alone():
            write(kept, lambda done, total: None)
            _replace_all(path, manifest, tell)
    except Error as error:
        raise BackupError(f"nothing was restored: {error}") from None
    if manifest.secret_key:
        keep_secret(manifest.secret_key)
    return manifest, kept


def _checked(path: Path) -> Manifest:
    """Check that a backup is complete by reading every line, and return its manifest. Raises BackupError."""
    counted: dict[str, int] = {}
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            manifest = Manifest.of(file.readline(), path)
            for line in file:
                model = json.loads(line)["model"]
                counted[model] = counted.get(model, 0) + 1
    except (*_NO_FILE, *_NO_ROWS):
        raise BackupError(f"{path} is no backup of Kakomi, or it is damaged") from None
    if counted != {model: rows for model, rows in manifest.rows.items() if rows}:
        raise BackupError(f"{path} is damaged: it should have {manifest.total} rows")
    return manifest


@contextmanager
def _alone() -> Iterator[None]:
    """A transaction without concurrent writers; SQLite never has any."""
    with writing():
        if connection.vendor == "postgresql":
            names = ", ".join(table for model in kept_models() for table in _tables(model))
            _execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
        yield


def _replace_all(path: Path, manifest: Manifest, tell: Tell) -> None:
    models, highest = kept_models(), _highest_guest()
    shown = dict(Table.objects.values_list("code", "news"))  # what open pages may show
    had_users, signed_in = User.objects.exists(), _sign_ins()
    for model in reversed(models):
        for table in _tables(model):
            _execute(f"DELETE FROM {table}")
    for done, found in enumerate(_rows(path), 1):
        fold_fields(found.object)  # backups of older versions lack these fields
        # `raw` keeps the dates that are otherwise set on saving.
        found.object.save_base(raw=True, force_insert=True)
        for name, others in (found.m2m_data or {}).items():
            getattr(found.object, name).set(others)
        if done % BATCH == 0 or done == manifest.total:
            tell(done, manifest.total)
    _leave_numbers_out(max(highest, _highest_guest()), models)
    _raise_news(shown)
    if had_users:  # browsers that were signed out since the backup stay signed out
        for ended in _sign_ins() - signed_in:
            SignIn.objects.filter(key_hash=ended).delete()


def _tables(model: type[Model]) -> list[str]:
    """The quoted names of a model's many-to-many tables and of its own table."""
    return [connection.ops.quote_name(each._meta.db_table) for each in (*links(model), model)]


def _rows(path: Path) -> Iterator[DeserializedObject]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        file.readline()
        try:
            while lines := list(islice(file, BATCH)):
                data = [json.loads(line) for line in lines]
                yield from serializers.deserialize("python", data, ignorenonexistent=True)
        except DeserializationError as error:
            raise BackupError(f"{path} has a row that makes no sense: {error}") from None


def _highest_guest() -> int:
    return Guest.objects.aggregate(most=Max("pk"))["most"] or 0


def _leave_numbers_out(highest: int, models: list[type[Model]]) -> None:
    """Skip primary keys that guests may have got after the backup was made.

    Their browsers still have these keys, and would be accepted as the new guests.
    """
    last = Guest(pk=highest + _NUMBERS_LEFT_OUT)
    last.save(force_insert=True)
    for statement in connection.ops.sequence_reset_sql(no_style(), models):
        _execute(statement)
    last.delete()


def _sign_ins() -> set[str]:
    """The key hashes of all sign-ins."""
    return set(SignIn.objects.values_list("key_hash", flat=True))


def _raise_news(shown: dict[str, int]) -> None:
    """Make the restored tables' news numbers higher than before, so that open pages reload."""
    for code, news in shown.items():
        Table.objects.filter(code=code, news__lte=news).update(news=news + 1)


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
