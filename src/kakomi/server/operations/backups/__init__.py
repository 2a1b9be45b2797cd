"""The whole site in one file, written and read while it runs, and the same for every database.

A backup is gzipped JSON lines: a manifest, then a row of the database a line, as Django spells it. It is
written from one snapshot. Restoring is one transaction: whoever looks sees the old site or the new one.
"""

from kakomi.server.operations.backups.backup import back_up
from kakomi.server.operations.backups.manifest import BackupError, Manifest, unused
from kakomi.server.operations.backups.restore import restore

__all__ = ["BackupError", "Manifest", "back_up", "restore", "unused"]
