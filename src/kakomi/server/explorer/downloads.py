"""Records of many games in one file, streamed from the database."""

import json
from collections.abc import Iterator
from itertools import islice

from django.db.models import QuerySet

from kakomi.records import write_json
from kakomi.server.site.streamed_files import zipped
from kakomi.server.tables import selectors
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import record_at
from kakomi.session import Refused

FORMATS = {"zip": "application/zip", "jsonl": "application/x-ndjson"}
"""The media types by file extension."""
MOST_IN_ZIP = 10_000
"""The maximum number of matches in a ZIP, which holds its file list in memory. JSON lines have no limit."""
ROWS_AT_ONCE = 50
"""The number of matches read per query."""


def pieces_of(found: "QuerySet[Table]", kind: str) -> Iterator[bytes]:
    """The records of games, which must be ordered newest first, as a ZIP of files or as JSON lines."""
    if kind == "jsonl":
        return (json.dumps(json.loads(text)).encode() + b"\n" for _, text in _records(_rows(found)))
    return zipped(_records(islice(_rows(found), MOST_IN_ZIP)))


def _rows(found: "QuerySet[Table]") -> Iterator[Table]:
    """Yield all rows, in pages. Each query begins after the last row of the preceding one."""
    rows = list(found[:ROWS_AT_ONCE])
    while rows:
        yield from rows
        rows = list(found.filter(pk__lt=rows[-1].pk)[:ROWS_AT_ONCE])


def _records(rows: Iterator[Table]) -> Iterator[tuple[str, bytes]]:
    """Yield a file name and a record for each game, except those whose colours aren't settled yet."""
    for row in rows:
        table = selectors.replayed_table(row)
        for number, leg in enumerate(table.match.games, 1):
            try:
                record = record_at(row, leg, table)
            except Refused:
                continue
            yield f"{row.game}-{row.code}-{number}.kakomi.json", write_json(record)
