"""What there is to keep: the site's models, and the version of their tables."""

from django.apps import apps
from django.core import serializers
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from kakomi import __version__
from kakomi.server.configuration import configuration
from kakomi.server.operations.backups.manifest import BackupError, Manifest


def own_models() -> list[type[Model]]:
    """All of the site's, each after those that it points to."""
    own = [app for app in apps.get_app_configs() if app.name.startswith("kakomi.server.")]
    pending: list[type[Model]] = serializers.sort_dependencies([(app, None) for app in own])
    ordered: list[type[Model]] = []
    while pending:
        ready = next(model for model in pending if not _pointed_to(model) & set(pending) - {model})
        pending.remove(ready)
        ordered.append(ready)
    return ordered


def _pointed_to(model: type[Model]) -> set[type[Model]]:
    fields = model._meta.concrete_fields
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
