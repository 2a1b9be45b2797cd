"""Tables as they stand, kept in memory: an action then costs one step and not the whole game again."""

import threading
from collections import OrderedDict
from typing import NamedTuple

from kakomi.server.tables import models
from kakomi.session import Entry, Table

REMEMBERED = 100_000
"""Positions: a table keeps that of every moment, for takebacks, of 1 to 5 kB each."""


class _Known(NamedTuple):
    head: str
    """The key of the table's last entry: it names the whole log, whatever became of the database since."""
    table: Table

    @property
    def positions(self) -> int:
        return self.table.entries + 1


class TableCache:
    """The tables looked at last. What is remembered counts only while the database says the same."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self.positions = 0
        """How many are remembered, of all tables together."""
        self._tables: OrderedDict[str, _Known] = OrderedDict()
        self._lock = threading.Lock()

    def table_of(self, row: models.Table) -> Table:
        """The table after the entries that its row knows of."""
        with self._lock:
            known = self._tables.get(row.code)
        if known is None or known.head != row.head:
            known = _Known(row.head, _gone_on(known, row) or _replayed(row))
            self.remember(row, known.table)
        return known.table

    def remember(self, row: models.Table, table: Table) -> None:
        """Keep a table; its entries must be in the database for good."""
        with self._lock:
            if former := self._tables.pop(row.code, None):
                self.positions -= former.positions
            self._tables[row.code] = known = _Known(row.head, table)
            self.positions += known.positions
            while self.positions > self._most and len(self._tables) > 1:
                _, forgotten = self._tables.popitem(last=False)
                self.positions -= forgotten.positions


def _gone_on(known: _Known | None, row: models.Table) -> Table | None:
    """What is known with the later entries; None if the log doesn't contain what is known."""
    if known is None or not 0 < known.table.entries < row.entries:
        return None
    later = row.log.filter(number__gte=known.table.entries, number__lte=row.entries)
    lines = list(later.order_by("number").values_list("key", "content"))
    if lines[0][0] != known.head:
        return None
    return _after(known.table, [content for _, content in lines[1:]])


def _replayed(row: models.Table) -> Table:
    """From the beginning."""
    lines = row.log.filter(number__lte=row.entries).order_by("number")
    return _after(Table.from_json(row.begun), list(lines.values_list("content", flat=True)))


def _after(table: Table, contents: list[object]) -> Table:
    for content in contents:
        table = table.carry_out(Entry.from_json(content))
    return table


CACHE = TableCache()
"""This process's."""
