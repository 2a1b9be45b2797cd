"""Tables for a database that has none yet.

Migrations lead there too, but Django renders many models anew for each of their steps. That takes seconds,
in which a person who starts Kakomi for the first time sees nothing.
"""

from typing import Any

from django.apps import apps
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

_LOCK = 0x6B616B6F6D69
"""Of PostgreSQL: who holds it makes the tables."""


def make_tables() -> bool:
    """Make the tables of all models in a database that has none, and note all migrations as applied.

    All of it or nothing is done, by one of the processes that come together. Returns whether this one did it.
    """
    if not connection.features.can_rollback_ddl or connection.introspection.table_names():
        return False
    with connection.schema_editor() as editor:
        if connection.vendor == "postgresql":  # SQLite lets only one write from here on
            editor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        if connection.introspection.table_names():
            return False
        migrations = MigrationLoader(None)
        for model in _models(migrations):
            editor.create_model(model)
        MigrationRecorder(connection).migration_qs.bulk_create(_noted(migrations))
    return True


def _models(migrations: MigrationLoader) -> list[type[models.Model]]:
    """Those that have tables, and first the one in which migrations are noted.

    As the last migrations see them, who know nothing of an app's own kind of keys: in a table that joins two
    of Django's models, the key is a larger integer than in the models themselves.
    """
    found = migrations.project_state().apps.get_models()
    return [MigrationRecorder.Migration, *(each for each in found if each._meta.can_migrate(connection))]


def _noted(migrations: MigrationLoader) -> list[Any]:
    """All that there are, as rows."""
    known = sorted(migrations.disk_migrations)
    return [MigrationRecorder.Migration(app=app, name=name) for app, name in known]


def unknown_migrations() -> list[str]:
    """The migrations, as `app.migration`, that the database has had and this version doesn't have."""
    loader = MigrationLoader(connection)
    unknown = set(loader.applied_migrations or ()) - set(loader.disk_migrations)
    return sorted(f"{app}.{name}" for app, name in unknown if app in apps.app_configs)
