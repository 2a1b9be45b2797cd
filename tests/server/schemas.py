"""What is in a database: its tables with columns and constraints, and its indexes, whatever their order."""

import re
from collections.abc import Hashable, Mapping

from django.db import connection

COLUMNS = """
SELECT table_name, column_name, udt_name, character_maximum_length, is_nullable, column_default, is_identity,
       collation_name
FROM information_schema.columns WHERE table_schema = current_schema()
"""
CONSTRAINTS = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), condeferrable, condeferred
FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND conrelid <> 0
"""
INDEXES = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()"
WRITTEN = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"


def schema() -> Mapping[str, Hashable]:
    """What is what, by names; two that are equal have the same."""
    return _of_postgresql() if connection.vendor == "postgresql" else _of_sqlite()


def _of_postgresql() -> Mapping[str, Hashable]:
    found = {}
    for kind, query in (("column", COLUMNS), ("constraint", CONSTRAINTS), ("index", INDEXES)):
        found |= {f"{kind} {table} {name}": tuple(rest) for table, name, *rest in _rows(query)}
    return found


def _of_sqlite() -> Mapping[str, Hashable]:
    """By the statements that made them, which SQLite keeps; a table's parts may stand in any order."""
    return {f"{kind} {name}": (table, _parts(sql)) for kind, name, table, sql in _rows(WRITTEN)}


def _parts(sql: str) -> frozenset[str]:
    """A statement's parts between commas that no other brackets hold, and what stands before them."""
    before, _, rest = " ".join(sql.split()).partition("(")
    parts, depth = [""], 0
    for piece in re.split(r"([(),])", rest.rpartition(")")[0]):
        depth += (piece == "(") - (piece == ")")
        if piece == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return frozenset({before.strip(), *(part.strip() for part in parts)})


def _rows(query: str) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query.replace("%", "%%") if connection.vendor == "postgresql" else query)
        rows: list[tuple[str, ...]] = cursor.fetchall()
    return rows
