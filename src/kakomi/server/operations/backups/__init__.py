"""Backups of the whole site in one file, made and restored while it runs, and portable between databases.

A backup is gzipped JSON lines: a manifest, then a database row per line, in Django's format. It is written
from one snapshot. Restoring is a single transaction: visitors see either the old state or the new one.
"""

from kakomi.server.operations.backups.backup import back_up
from kakomi.server.operations.backups.manifest import BackupError, Manifest, unused
from kakomi.server.operations.backups.restore import restore

__all__ = ["BackupError", "Manifest", "back_up", "restore", "unused"]
