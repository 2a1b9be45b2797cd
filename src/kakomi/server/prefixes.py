"""Names that begin with a text, whatever their capitals, in every alphabet.

A `FoldedField` keeps a name as it is compared, since SQLite itself knows the capitals of ASCII alone. The
lookup `name_folded__prefix` folds what is looked for alike, and is read from an index of the column with both
databases; Django's own `startswith` is so with PostgreSQL alone.
"""

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler

if TYPE_CHECKING:
    from django.db.migrations import RunPython

FOLDED_LENGTH = 60
"""A letter may become several; of a long name the beginning is enough."""
_LAST = "\U0010ffff"


def fold(text: str) -> str:
    """A text as it is compared: compatible letters (NFKC) without capitals; of a long one the beginning."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return folded[:FOLDED_LENGTH]


class FoldedField(models.CharField):
    """Another field of the row as it is compared. Saving keeps it; `update` has to name both."""

    def __init__(self, of: str, **options: Any) -> None:
        self.of = of
        super().__init__(
            **{"max_length": FOLDED_LENGTH, "editable": False, "blank": True, "default": "", **options}
        )

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """What migrations make it of."""
        name, path, values, options = super().deconstruct()
        return name, path, values, {"of": self.of, **options}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """The value that belongs to the other field."""
        folded = fold(getattr(model_instance, self.of) or "")
        setattr(model_instance, self.attname, folded)
        return folded


def fold_fields(row: models.Model) -> None:
    """Bring the folded fields of a row up to date, where it isn't saved in the usual way."""
    for field in row._meta.concrete_fields:
        if isinstance(field, FoldedField):
            field.pre_save(row, add=False)


class Prefix(models.Lookup):
    """Whether a folded name begins with a text."""

    lookup_name = "prefix"
    prepare_rhs = False

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:
        """Between the prefix and what comes after all that begins with it."""
        column, values = self.process_lhs(compiler, connection)
        first = fold(self.rhs)
        return f"({column} >= %s AND {column} < %s)", [*values, first, *values, first + _LAST]

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[Any]]:
        """By a pattern."""
        column, values = self.process_lhs(compiler, connection)
        pattern = f"{connection.ops.prep_for_like_query(fold(self.rhs))}%"
        return f"{column} LIKE %s", [*values, pattern]


def prefix_index(table: str, column: str, name: str, *, is_dropped: bool = False) -> "RunPython":
    """The operation of a migration that makes, or drops, an index on LOWER(column).

    Such indexes came before folded columns.
    """
    from django.db.migrations import RunPython  # which a site that is up to date has no need of

    def make(_: Any, editor: Any) -> None:
        patterns = " text_pattern_ops" if editor.connection.vendor == "postgresql" else ""
        editor.execute(f'CREATE INDEX {name} ON {table} (LOWER("{column}"){patterns})')

    def drop(_: Any, editor: Any) -> None:
        editor.execute(f"DROP INDEX {name}")

    return RunPython(drop, make) if is_dropped else RunPython(make, drop)


def fold_rows(app: str, model: str, source: str) -> "RunPython":
    """The operation of a migration that fills a new `FoldedField`, `source` with `_folded` behind it."""
    from django.db.migrations import RunPython

    def fill(apps: Any, _: Any) -> None:
        rows = apps.get_model(app, model).objects
        named = rows.exclude(**{source: ""}).exclude(**{source: None}).only("pk", source).order_by("pk")
        at = 0
        while batch := list(named.filter(pk__gt=at)[:1000]):
            for row in batch:
                setattr(row, f"{source}_folded", fold(getattr(row, source)))
            rows.bulk_update(batch, [f"{source}_folded"])
            at = batch[-1].pk

    return RunPython(fill, RunPython.noop)


def tell_apart(app: str, model: str, folded: str) -> "RunPython":
    """The operation of a migration that makes folded names unique: all but the first get their row's number.

    It follows a blank, which no name has, so nobody can take such a name.
    """
    from django.db.migrations import RunPython

    def number(apps: Any, _: Any) -> None:
        rows = apps.get_model(app, model).objects
        known = set()
        for row in rows.only("pk", folded).order_by("pk").iterator():
            name = getattr(row, folded)
            if name in known:
                rows.filter(pk=row.pk).update(**{folded: f"{name[: FOLDED_LENGTH - 20]} {row.pk}"})
            known.add(name)

    return RunPython(number, RunPython.noop)
