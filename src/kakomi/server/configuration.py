"""The site's configuration from the environment. Every default works without services."""

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
    """Whether a host can be one of the internet: no address in digits, and no name of a local network."""
    name = host.lower().rstrip(".")
    return "." in name and not name.endswith(_LOCAL_NAMES) and name.rpartition(".")[2][:1].isalpha()


def complete_environment() -> None:
    """Set what the environment of a site needs and may leave out, for this process and its engines.

    Rules run interpreted until they are compiled, and nobody waits for a compiler. The process that compiles
    them shares them by files, which are in the data folder where the usual one can't be written.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
    os.environ.setdefault("KAKOMI_KERNEL", "adaptive")
    if not _can_be_written(cache_folder()):
        with contextlib.suppress(OSError):  # without a data folder the site says so itself
            os.environ["KAKOMI_CACHE_DIR"] = str(data_folder() / "kernels")


def _can_be_written(folder: Path | None) -> bool:
    with contextlib.suppress(OSError):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            return os.access(folder, os.W_OK | os.X_OK)
    return False


@dataclass(frozen=True)
class Configuration:
    """The site's folders, databases and host names."""

    folder: Path
    """For the database, the secret key, and backups."""
    database_url: str
    redis_url: str
    """Empty: one process serves, or several look into the database now and then."""
    hosts: tuple[str, ...]
    is_public: bool
    """Whether the site is reached through TLS: cookies are then sent over nothing else."""
    secret_key: str
    log: str = ""
    """A file for requests and events as JSON lines; `-` is standard error. Empty: only what goes wrong is
    told, in plain words."""
    metrics_token: str = ""
    """What a program shows that may read the site's metrics. Empty: nobody may."""
    site_name: str = "Kakomi"
    """How the site calls itself in mails and to authenticator apps."""
    mail_from: str = "Kakomi <kakomi@localhost>"
    """The sender of the site's mails."""
    mail_url: str = ""
    """The mail server, as `notices.mail` reads it. Empty: mails are kept, and not sent."""
    address: str = "http://localhost:8000"
    """Where people reach the site, for links in what is sent to them."""
    post_address: str = ""
    """The address that takes commands by mail, such as `play@games.example.org`. Empty: no mail comes in."""
    post_bounces: str = ""
    """The address to which mails come back that could not be delivered."""
    post_relay: str = ""
    """The name (authserv-id) under which the one mail server that is believed says whether a sender is
    genuine. Empty: none is."""
    post_lmtp: str = ""
    """Where mail is taken by LMTP: a host and a port. Empty: nowhere."""
    post_imap: str = ""
    """The folder that mail is fetched from, as `post.transports` reads it. Empty: none."""


@cache
def configuration() -> Configuration:
    """The site's configuration. Makes the data folder; raises OSError if it can't be made or written, and
    ValueError for a setting that can't be read."""
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    hosts = tuple(host for host in os.environ.get("KAKOMI_HOSTS", "").split(",") if host)
    return Configuration(
        folder=folder,
        database_url=os.environ.get("KAKOMI_DATABASE_URL", "") or f"sqlite:///{folder / 'site.sqlite3'}",
        redis_url=os.environ.get("KAKOMI_REDIS_URL", ""),
        hosts=(*LOCAL_HOSTS, *hosts),
        is_public=os.environ.get("KAKOMI_PUBLIC", "") == "1",
        secret_key=os.environ.get("KAKOMI_SECRET_KEY", "") or kept_file(folder / SECRET_FILE, _new_secret),
        log=os.environ.get("KAKOMI_LOG", ""),
        metrics_token=os.environ.get("KAKOMI_METRICS_TOKEN", ""),
        site_name=(site_name := os.environ.get("KAKOMI_SITE_NAME", "") or "Kakomi"),
        mail_from=os.environ.get("KAKOMI_MAIL_FROM", "")
        or f"{site_name} <kakomi@{(*hosts, 'localhost')[0]}>",
        mail_url=os.environ.get("KAKOMI_MAIL_URL", ""),
        address=_address(hosts),
        post_address=(post_address := os.environ.get("KAKOMI_POST_ADDRESS", "")),
        post_bounces=os.environ.get("KAKOMI_POST_BOUNCES", "") or _bounces_beside(post_address),
        post_relay=os.environ.get("KAKOMI_POST_RELAY", ""),
        post_lmtp=os.environ.get("KAKOMI_POST_LMTP", ""),
        post_imap=os.environ.get("KAKOMI_POST_IMAP_URL", ""),
    )


def _bounces_beside(address: str) -> str:
    """The address for bounces at the host of another one."""
    return f"bounces@{address.rpartition('@')[2]}" if address else ""


def _address(hosts: tuple[str, ...]) -> str:
    """`$KAKOMI_ADDRESS`, else what follows from the first host name."""
    if chosen := os.environ.get("KAKOMI_ADDRESS"):
        return chosen.rstrip("/")
    scheme = "https" if os.environ.get("KAKOMI_PUBLIC", "") == "1" else "http"
    return f"{scheme}://{hosts[0]}" if hosts else "http://localhost:8000"


def data_folder() -> Path:
    """`$KAKOMI_DATA_DIR`, else `kakomi` in the XDG data folder. Raises OSError as `user_folder` does."""
    if chosen := os.environ.get("KAKOMI_DATA_DIR"):
        return Path(chosen)
    return user_folder("XDG_DATA_HOME", ".local/share")


def kept_file(path: Path, make: Callable[[], str]) -> str:
    """The text of a file that only this user may read, made the first time: a secret that outlives restarts.

    It has its name once it is complete. Of several processes that start at once, one gives it.
    """
    if not path.exists():
        with naming(path), TemporaryDirectory(prefix=".kakomi-", dir=path.parent) as folder:
            made = Path(folder, path.name)
            made.touch(mode=0o600)
            made.write_text(make(), encoding="ascii")
            with contextlib.suppress(FileExistsError):
                os.link(made, path)
    return path.read_text(encoding="ascii")


def _new_secret() -> str:
    """A key that signs cookies."""
    return secrets.token_urlsafe(48)
