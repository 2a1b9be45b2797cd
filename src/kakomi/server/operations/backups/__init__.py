"""The whole site in one file, written and read while it runs, and the same for every database.

A backup is gzipped JSON lines: a header, then a row of the database a line, as Django spells it. It is
written from one snapshot. Restoring is one transaction: whoever looks sees the old site or the new one.
"""

from kakomi.server.operations.backups.folder import unused
from kakomi.server.operations.backups.header import BackupError, Header
from kakomi.server.operations.backups.restoring import restore
from kakomi.server.operations.backups.writing import back_up

__all__ = ["BackupError", "Header", "back_up", "restore", "unused"]
