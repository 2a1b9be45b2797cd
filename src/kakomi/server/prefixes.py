"""Names that begin with a text, whatever their capitals, in every alphabet.

A `FoldedField` keeps a name as it is compared, since SQLite itself knows the capitals of ASCII alone. The
lookup `name_folded__prefix` folds what is looked for alike, and is read from an index of the column with both
databases; Django's own `startswith` is so with PostgreSQL alone.
"""

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler

FOLDED_LENGTH = 60
"""A letter may become several; of a long name the beginning is enough."""
_LAST = "\U0010ffff"


def fold(text: str, length: int | None = FOLDED_LENGTH) -> str:
    """A text as it is compared: compatible letters (NFKC) without capitals; of a long one the beginning."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())[:length]


class FoldedField(models.CharField):
    """Another field of the row as it is compared, by `fold` or otherwise. Saving keeps it; `update` has to
    name both."""

    def __init__(self, of: str, by: Callable[[str], str] = fold, **options: Any) -> None:
        self.of, self.by = of, by
        super().__init__(
            **{"max_length": FOLDED_LENGTH, "editable": False, "blank": True, "default": "", **options}
        )

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """What migrations make it of."""
        name, path, values, options = super().deconstruct()
        return name, path, values, {"of": self.of, **({} if self.by is fold else {"by": self.by}), **options}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """The value that belongs to the other field."""
        folded = self.by(getattr(model_instance, self.of) or "")
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
