"""Putting a backup in the place of what there is."""

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
from kakomi.server.database import writing
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
from kakomi.server.prefixes import fold_fields
from kakomi.server.tables.models import Table

_NUMBERS_LEFT_OUT = 1_000_000
_NO_FILE = (EOFError, zlib.error, gzip.BadGzipFile)
_NO_ROWS = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What reading raises where a file is cut off, and where it holds something else."""


def restore(path: Path, tell: Tell) -> tuple[Manifest, Path]:
    """Put a backup in the place of all that the site has; also says where a backup of that was put.

    Raises BackupError, or OSError for a file, and then nothing has changed.
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
    """The manifest of a backup that is whole, every line read. Raises BackupError if it isn't."""
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
    """A transaction without concurrent writers; SQLite's are so anyway."""
    with writing():
        if connection.vendor == "postgresql":
            names = ", ".join(table for model in kept_models() for table in _tables(model))
            _execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
        yield


def _replace_all(path: Path, manifest: Manifest, tell: Tell) -> None:
    models, heard, highest = kept_models(), _news(), _highest_guest()
    had_users, signed_in = User.objects.exists(), _sign_ins()
    for model in reversed(models):
        for table in _tables(model):
            _execute(f"DELETE FROM {table}")
    for done, found in enumerate(_rows(path), 1):
        fold_fields(found.object)  # which a backup of an older site doesn't have
        # Raw: dates that are set when something is saved stay what they were.
        found.object.save_base(raw=True, force_insert=True)
        for name, others in (found.m2m_data or {}).items():
            getattr(found.object, name).set(others)
        if done % BATCH == 0 or done == manifest.total:
            tell(done, manifest.total)
    _leave_numbers_out(max(highest, _highest_guest()), models)
    _let_it_be_heard(heard)
    if had_users:  # a browser that was signed out since is not let in again
        for ended in _sign_ins() - signed_in:
            SignIn.objects.filter(key_hash=ended).delete()


def _tables(model: type[Model]) -> list[str]:
    """A model's table in the database, after those that link its rows with others."""
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
    """Give no guest a number from now on that somebody may have got after the backup was made.

    Their browser still has it, and would pass for the new guest.
    """
    last = Guest(pk=highest + _NUMBERS_LEFT_OUT)
    last.save(force_insert=True)
    for statement in connection.ops.sequence_reset_sql(no_style(), models):
        _execute(statement)
    last.delete()


def _sign_ins() -> set[str]:
    """The browsers that are signed in."""
    return set(SignIn.objects.values_list("key_hash", flat=True))


def _news() -> dict[str, int]:
    """The number of the latest news of each table that open pages may have."""
    return dict(Table.objects.values_list("code", "news"))


def _let_it_be_heard(heard: dict[str, int]) -> None:
    """Number the restored tables' news on from there, so that open pages look again."""
    for code, news in heard.items():
        Table.objects.filter(code=code, news__lte=news).update(news=news + 1)


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
