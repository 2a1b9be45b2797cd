"""Names that begin with a text, whatever their capitals: `name__prefix`, read from an index on LOWER(name).

Django's own `istartswith` can use no index that both databases have. Such indexes are made by migrations
(`prefix_index`), as only PostgreSQL wants to be told that they are for patterns.
"""

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler

if TYPE_CHECKING:
    from django.db.migrations import RunPython

_LAST = "\U0010ffff"


class Prefix(models.Lookup):
    """Whether a text begins with another, whatever the capitals."""

    lookup_name = "prefix"
    prepare_rhs = False

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:
        """Between the prefix and what comes after all that begins with it."""
        column, values = self.process_lhs(compiler, connection)
        sql = f"(LOWER({column}) >= LOWER(%s) AND LOWER({column}) < LOWER(%s) || %s)"
        return sql, [*values, self.rhs, *values, self.rhs, _LAST]

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:
        """By a pattern."""
        column, values = self.process_lhs(compiler, connection)
        pattern = f"{connection.ops.prep_for_like_query(self.rhs)}%"
        return f"LOWER({column}) LIKE LOWER(%s)", [*values, pattern]


def prefix_index(table: str, column: str, name: str) -> "RunPython":
    """The operation of a migration that makes an index for this lookup."""
    from django.db.migrations import RunPython  # which a site that is up to date has no need of

    def make(_: Any, editor: Any) -> None:
        patterns = " text_pattern_ops" if editor.connection.vendor == "postgresql" else ""
        editor.execute(f'CREATE INDEX {name} ON {table} (LOWER("{column}"){patterns})')

    def drop(_: Any, editor: Any) -> None:
        editor.execute(f"DROP INDEX {name}")

    return RunPython(make, drop)
