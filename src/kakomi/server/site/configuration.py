"""The site's configuration from the environment. The defaults need no other services."""

import contextlib
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from kakomi.core.system import naming, user_folder
from kakomi.kernel.cache import cache_folder

SECRET_FILE = "secret.key"
"""The file in the data folder with the key that signs cookies."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
_LOCAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa", ".lan", ".test", ".invalid", ".onion")


def leads_out(host: str) -> bool:
    """Whether a host may be on the internet: it isn't an IP address or a name in a local network."""
    name = host.lower().rstrip(".")
    return "." in name and not name.endswith(_LOCAL_NAMES) and name.rpartition(".")[2][:1].isalpha()


def complete_environment() -> None:
    """Set missing environment variables for this process and its engines.

    Rules are interpreted until they are compiled, so nobody waits for the compiler. Processes share compiled
    code in files, which are in the data folder if the usual cache folder isn't writable.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
    os.environ.setdefault("KAKOMI_KERNEL", "adaptive")
    if not _can_be_written(cache_folder()):
        with contextlib.suppress(OSError):  # a missing data folder is reported later
            os.environ["KAKOMI_CACHE_DIR"] = str(data_folder() / "kernels")


def _can_be_written(folder: Path | None) -> bool:
    with contextlib.suppress(OSError):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            return os.access(folder, os.W_OK | os.X_OK)
    return False


@dataclass(frozen=True)
class Configuration:
    """The site's configuration: folders, databases, host names, mail."""

    folder: Path
    """The data folder, for the database, the secret key, and backups."""
    database_url: str
    redis_url: str
    """Empty for a single process, or several that poll the database."""
    hosts: tuple[str, ...]
    is_public: bool
    """Whether the site uses TLS; cookies are then sent only over TLS."""
    secret_key: str
    log: str = ""
    """The file for requests and events as JSON lines; `-` is standard error. If empty, only problems are
    logged, as plain text."""
    metrics_token: str = ""
    """The bearer token for reading the site's metrics. If empty, they can't be read."""
    site_name: str = "Kakomi"
    """The site's name in mails and authenticator apps."""
    mail_from: str = "Kakomi <kakomi@localhost>"
    """The sender of the site's mails."""
    mail_url: str = ""
    """The mail server, in the format of `notices.mail`. If empty, mails are stored but not sent."""
    address: str = "http://localhost:8000"
    """The site's URL, for links in mails and notices."""
    mail_in_address: str = ""
    """The mail address for commands, such as `play@games.example.org`. If empty, no mail is received."""
    mail_in_bounces: str = ""
    """The mail address to which undeliverable mails are returned."""
    mail_in_relay: str = ""
    """The authserv-id of the mail server whose authentication results are trusted. If empty, no sender counts
    as authenticated."""
    mail_in_lmtp: str = ""
    """The host and port for receiving mail by LMTP. If empty, LMTP is off."""
    mail_in_imap: str = ""
    """The IMAP folder to fetch mail from, in the format of `mail.transports`. If empty, none is fetched."""


@cache
def configuration() -> Configuration:
    """The site's configuration. Creates the data folder if necessary. Raises OSError if the folder or the
    secret key can't be created."""
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    hosts = tuple(host for host in os.environ.get("KAKOMI_HOSTS", "").split(",") if host)
    mail_in_address = os.environ.get("KAKOMI_MAIL_IN_ADDRESS", "")
    default_bounces = f"bounces@{mail_in_address.rpartition('@')[2]}" if mail_in_address else ""
    return Configuration(
        folder=folder,
        database_url=os.environ.get("KAKOMI_DATABASE_URL", "") or f"sqlite:///{folder / 'site.sqlite3'}",
        redis_url=os.environ.get("KAKOMI_REDIS_URL", ""),
        hosts=(*LOCAL_HOSTS, *hosts),
        is_public=os.environ.get("KAKOMI_PUBLIC", "") == "1",
        secret_key=os.environ.get("KAKOMI_SECRET_KEY", "")
        or kept_file(folder / SECRET_FILE, lambda: secrets.token_urlsafe(48)),
        log=os.environ.get("KAKOMI_LOG", ""),
        metrics_token=os.environ.get("KAKOMI_METRICS_TOKEN", ""),
        site_name=(site_name := os.environ.get("KAKOMI_SITE_NAME", "") or "Kakomi"),
        mail_from=os.environ.get("KAKOMI_MAIL_FROM", "")
        or f"{site_name} <kakomi@{(*hosts, 'localhost')[0]}>",
        mail_url=os.environ.get("KAKOMI_MAIL_URL", ""),
        address=_address(hosts),
        mail_in_address=mail_in_address,
        mail_in_bounces=os.environ.get("KAKOMI_MAIL_IN_BOUNCES", "") or default_bounces,
        mail_in_relay=os.environ.get("KAKOMI_MAIL_IN_RELAY", ""),
        mail_in_lmtp=os.environ.get("KAKOMI_MAIL_IN_LMTP", ""),
        mail_in_imap=os.environ.get("KAKOMI_MAIL_IN_IMAP_URL", ""),
    )


def _address(hosts: tuple[str, ...]) -> str:
    """The site's URL: `$KAKOMI_ADDRESS`, else derived from the first host name."""
    if chosen := os.environ.get("KAKOMI_ADDRESS"):
        return chosen.rstrip("/")
    scheme = "https" if os.environ.get("KAKOMI_PUBLIC", "") == "1" else "http"
    return f"{scheme}://{hosts[0]}" if hosts else "http://localhost:8000"


def data_folder() -> Path:
    """`$KAKOMI_DATA_DIR`, else `kakomi` in the XDG data folder. Raises OSError like `user_folder`."""
    if chosen := os.environ.get("KAKOMI_DATA_DIR"):
        return Path(chosen)
    return user_folder("XDG_DATA_HOME", ".local/share")


def kept_file(path: Path, make: Callable[[], str]) -> str:
    """The text of a private file, which is created the first time: a secret that survives restarts.

    The file appears under its name when it is complete. If several processes start at once, one creates it.
    """
    if not path.exists():
        with naming(path), TemporaryDirectory(prefix=".kakomi-", dir=path.parent) as folder:
            made = Path(folder, path.name)
            made.touch(mode=0o600)
            made.write_text(make(), encoding="ascii")
            with contextlib.suppress(FileExistsError):
                os.link(made, path)
    return path.read_text(encoding="ascii")
