"""Records of many games in one file."""

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime

from django.db.models import QuerySet

from kakomi.records import write_json
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import table_of
from kakomi.session import Refused
from kakomi.session.record import record_of

FORMATS = {"zip": "application/zip", "jsonl": "application/x-ndjson"}
"""The kinds of files, by their ending, with their media types."""
MOST_FILES = 500
"""Matches in one file."""


def packed(rows: "QuerySet[Table]", kind: str) -> bytes:
    """The records of some tables' games, as a ZIP with one file each or as lines of JSON."""
    if kind == "jsonl":
        return b"".join(json.dumps(json.loads(text)).encode() + b"\n" for _, text in _records(rows))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _records(rows):
            archive.writestr(f"{name}.kakomi.json", text)
    return file.getvalue()


def _records(rows: "QuerySet[Table]") -> Iterator[tuple[str, str]]:
    """A name and a record for every game that can be recorded: while colours are settled it can't."""
    for row in rows.iterator(chunk_size=50):
        table = table_of(row)
        day = datetime.fromtimestamp(table.at, UTC).date().isoformat()
        for number, leg in enumerate(table.match.games, 1):
            try:
                text = write_json(record_of(table.match, leg, date=day))
            except Refused:
                continue
            yield f"{row.game}-{row.code}-{number}", text.decode()
