"""What is on disk, read without the site's own code: SQLite or PostgreSQL."""

import contextlib
import json
import re
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from server.migrated import file_with_tables, migrated_database


class Kept(NamedTuple):
    """A table as the database has it."""

    begun: dict[str, Any]
    columns: dict[str, Any]
    log: list[tuple[int, str, dict[str, Any]]]
    """Numbers, keys and contents of the entries, in order."""
    drafts: dict[int, tuple[int, list[str]]]
    """Seat -> how many entries there were, and the actions."""


COLUMNS = ("entries", "head", "to_act", "waits_for_bot", "is_over")


def key_of_sender(key: str) -> str:
    """An entry's key as its sender chose it: people's keys are kept behind their number and a dot."""
    return re.sub(r"^\d+\.", "", key)


class Ledger:
    """The database with a URL."""

    def __init__(self, url: str) -> None:
        self.url = url

    def table(self, code: str) -> Kept:
        with self._connection() as connection:
            names = ", ".join(COLUMNS)
            row = _one(connection, f"SELECT id, begun, {names} FROM tables_table WHERE code = '{code}'")
            log = _all(
                connection,
                f"SELECT number, key, content FROM tables_entry WHERE table_id = {row[0]} ORDER BY number",
            )
            seats = _all(
                connection, f"SELECT number, draft_base, draft FROM tables_seat WHERE table_id = {row[0]}"
            )
        return Kept(
            _read(row[1]),
            dict(zip(COLUMNS, row[2:], strict=True)),
            [(number, key, _read(content)) for number, key, content in log],
            {number: (base, _read(draft)) for number, base, draft in seats},
        )

    def invitation(self, code: str) -> str:
        """The address at which somebody takes the free seat of a table."""
        with self._connection() as connection:
            query = (
                "SELECT invitation FROM tables_seat JOIN tables_table ON table_id = tables_table.id "
                f"WHERE code = '{code}' AND guest_id IS NULL AND bot = ''"
            )
            return f"/join/{_one(connection, query)[0]}"

    def waiting_mails(self) -> int:
        """How many mails have come in that nobody has handled or is handling."""
        with self._connection() as connection:
            query = "SELECT COUNT(*) FROM mail_receivedmail WHERE state = 'waiting'"
            return int(_one(connection, query)[0])

    @contextlib.contextmanager
    def _connection(self) -> Iterator[Any]:
        if self.url.startswith("sqlite"):
            with contextlib.closing(sqlite3.connect(self.url.removeprefix("sqlite:///"))) as connection:
                yield connection
        else:
            with psycopg.connect(self.url) as connection:
                yield connection


@contextlib.contextmanager
def in_file(folder: Path) -> Iterator[Ledger]:
    """SQLite, in a folder, where the tables are already."""
    path = folder / "site.sqlite3"
    file_with_tables(path)
    yield Ledger(f"sqlite:///{path}")


@contextlib.contextmanager
def on_server(server: str, *, has_tables: bool = True) -> Iterator[Ledger]:
    """The same on a PostgreSQL server, in a new database; it is dropped afterwards."""
    name = new_database(server, has_tables=has_tables)
    try:
        yield Ledger(f"{server.rpartition('/')[0]}/{name}")
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def new_database(server: str, *, has_tables: bool = True) -> str:
    """Make a database with the site's tables, or an empty one, and return its name."""
    name = f"kakomi_test_{secrets.token_hex(6)}"
    template = f" TEMPLATE {migrated_database(server)}" if has_tables else ""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}{template}")
    return name


def _one(connection: Any, query: str) -> Any:
    (row,) = _all(connection, query)
    return row


def _all(connection: Any, query: str) -> list[Any]:
    return list(connection.execute(query).fetchall())


def _read(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
