"""Records of many games in one file, read from the database while it is sent."""

import json
from collections.abc import Iterator
from itertools import islice

from django.db.models import QuerySet

from kakomi.records import write_json
from kakomi.server.streamed_files import zipped
from kakomi.server.tables import selectors
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import record_at
from kakomi.session import Refused

FORMATS = {"zip": "application/zip", "jsonl": "application/x-ndjson"}
"""The kinds of files, by their ending, with their media types."""
MOST_IN_ZIP = 10_000
"""Matches in one ZIP, as it keeps a list of its files to the end. Lines of JSON have no limit."""
ROWS_AT_ONCE = 50
"""Matches that are read by one query."""


def pieces_of(found: "QuerySet[Table]", kind: str) -> Iterator[bytes]:
    """The records of games, which come the newest first, as a ZIP with one file each or as lines of JSON."""
    if kind == "jsonl":
        return (json.dumps(json.loads(text)).encode() + b"\n" for _, text in _records(_rows(found)))
    return zipped(_records(islice(_rows(found), MOST_IN_ZIP)))


def _rows(found: "QuerySet[Table]") -> Iterator[Table]:
    """All of them, by and by. Each query begins after the last row of the one before."""
    rows = list(found[:ROWS_AT_ONCE])
    while rows:
        yield from rows
        rows = list(found.filter(pk__lt=rows[-1].pk)[:ROWS_AT_ONCE])


def _records(rows: Iterator[Table]) -> Iterator[tuple[str, bytes]]:
    """A name and a record for every game that can be recorded: while colours are settled it can't."""
    for row in rows:
        table = selectors.replayed_table(row)
        for number, leg in enumerate(table.match.games, 1):
            try:
                record = record_at(row, leg, table)
            except Refused:
                continue
            yield f"{row.game}-{row.code}-{number}.kakomi.json", write_json(record)
