"""What a backup has to do with the data folder: files of its own, and the secret key."""

from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

from kakomi.core.system import replace_file
from kakomi.server.configuration import SECRET_FILE, configuration

FOR_THE_OWNER = 0o600
"""The permissions of files that nobody else may read."""


def unused(kind: str) -> Path:
    """Where nothing is yet: in the data folder, by date and time."""
    stamp = f"{kind}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    folder = configuration().folder / "backups"
    paths = (folder / f"{stamp}{again}.jsonl.gz" for again in chain([""], (f"-{n}" for n in count(2))))
    return next(path for path in paths if not path.exists())


def kept_secret() -> str:
    """The key that the site made for itself; empty if the environment gives it one."""
    path = configuration().folder / SECRET_FILE
    return path.read_text(encoding="ascii") if path.exists() else ""


def keep_secret(secret: str) -> None:
    """Known to the site when it starts next; until then cookies of the old one are good."""
    path = configuration().folder / SECRET_FILE
    replace_file(path, secret.encode("ascii"), mode=FOR_THE_OWNER)
