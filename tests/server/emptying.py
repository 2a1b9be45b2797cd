"""Emptying the database after a test that commits.

Django truncates every table, which on PostgreSQL makes new files for each of them and its indexes, and takes
a second. Then it has apps write down again what models and permissions there are. Tests touch a few tables,
and those two only where they put a backup back.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase

_OF_MODELS = {
    "django_content_type": "SELECT id, app_label, model FROM django_content_type ORDER BY id",
    "auth_permission": "SELECT id, content_type_id, codename, name FROM auth_permission ORDER BY id",
}
"""What follows from the models alone."""


def empty_quickly(patch: pytest.MonkeyPatch) -> None:
    """From now on empty those tables that hold something. Call it when the database has just been made."""
    flush: Callable[[Any], None] = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def empty(case: Any) -> None:
        if _of_models() == begun():
            empty_tables()
        else:
            flush(case)
            begun.cache_clear()

    begun = cache(_of_models)
    begun()
    patch.setattr(TransactionTestCase, "_fixture_teardown", empty)


def _of_models() -> list[list[tuple[Any, ...]]]:
    found = []
    with connection.cursor() as cursor:
        for query in _OF_MODELS.values():
            cursor.execute(query)
            found.append(cursor.fetchall())
    return found


def empty_tables(*, restart: bool = False) -> None:
    """Empty those tables that hold something, but for what follows from the models; `restart` numbers rows
    from 1 again."""
    quote = connection.ops.quote_name
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = sorted(set(names) - _OF_MODELS.keys())
    queries = [f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quote(name)})" for name in tables]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(queries))
        for (name,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {quote(name)}")
        if restart:
            _restart(cursor)


def _restart(cursor: Any) -> None:
    if connection.vendor == "sqlite":
        cursor.execute("DELETE FROM sqlite_sequence")
        return
    cursor.execute(
        "SELECT setval(pg_get_serial_sequence(quote_ident(table_name), column_name), 1, false)"
        " FROM information_schema.columns WHERE table_schema = 'public' AND is_identity = 'YES'"
        " AND table_name NOT IN ('django_content_type', 'auth_permission', 'django_migrations')"
    )
