"""Starting the site on this machine, and creating the tables of a new database.

Migrations would create the same tables, but for each of their steps Django renders many models again. That
takes seconds, during which somebody who starts Kakomi for the first time would see nothing.
"""

import asyncio
import errno
import http.client
import os
import socket
import threading
import time
import urllib.request
import webbrowser
from typing import Any

import click
import uvicorn
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from kakomi.server.operations.gc_tuning import pause_gc
from kakomi.server.site.configuration import complete_environment, configuration

SHUTDOWN_SECONDS = 3
"""The most seconds for running requests when the site ends; event streams are ended at once."""
DRAIN_SECONDS = 0.1
"""The seconds between accepting no more connections and closing idle ones, as a request may be arriving."""
AGAIN_SECONDS = 5
"""The seconds between attempts to reach the database at the start."""
STARTS_TOGETHER = 5
"""The number of attempts to migrate a database that another process seems to migrate at the same time."""
ANSWER_SECONDS = 3
"""The most seconds that the program at our port may take to identify itself as Kakomi."""


def serve(host: str, port: int, *, or_another: bool, open_browser: bool) -> None:
    """Prepare the database and serve until interrupted. Raises ClickException if that isn't possible.

    If Kakomi is already running at this port, only open its page. If another program has the port, use a free
    one if `or_another` is set.
    """
    pause_gc()
    complete_environment()
    listener = _bound(host, port)
    if listener is None:
        if _is_kakomi(address := _address(host, port)):
            click.echo(f"Kakomi is already running at {address}")
            if open_browser:
                webbrowser.open(address)
            return
        if not or_another:
            raise click.ClickException(f"port {port} is taken by another program: choose another with --port")
        click.echo(f"Port {port} is taken by another program, so a free one is used", err=True)
        listener = _bound(host, 0)
    assert listener is not None, "there is always a free port"
    address = _address(host, listener.getsockname()[1])
    if not os.environ.get("KAKOMI_HOSTS"):
        os.environ.setdefault("KAKOMI_ADDRESS", address)
    prepare_database()
    _check_settings()
    click.echo(f"Kakomi is running at {address}  (Ctrl-C stops it)")
    click.echo(_places())
    if open_browser:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    config = uvicorn.Config(
        "kakomi.server.asgi:application",
        log_level="warning",
        log_config=None if configuration().log else uvicorn.config.LOGGING_CONFIG,
        lifespan="on",
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    _Server(config).run([listener])


class _Server(uvicorn.Server):
    """A server that ends event streams first; otherwise it would wait for them, and finally abort them."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down the site, after running requests have had time to finish."""
        from kakomi.server.asgi import end_streams

        end_streams()
        for server in self.servers:
            server.close()
        await asyncio.sleep(DRAIN_SECONDS)
        await super().shutdown(sockets)


def prepare_database() -> None:
    """Create the database, or migrate it to this version. Waits for a database server that is unavailable.

    Raises ClickException if the database can't be used.
    """
    import django
    from django.conf import settings
    from django.db import OperationalError

    django.setup()
    is_server = not settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    while True:
        try:
            _bring_up_to_date()
        except OperationalError as error:
            reason = str(error).strip().partition("\n")[0]
            if not is_server:
                raise click.ClickException(f"the database can't be used: {reason}") from None
            click.echo(
                f"The database doesn't answer: {reason}. Trying again every {AGAIN_SECONDS} s", err=True
            )
            time.sleep(AGAIN_SECONDS)
        else:
            return


def _bring_up_to_date() -> None:
    from django.core.management import call_command
    from django.db import IntegrityError

    if not make_tables() and (unknown := unknown_migrations()):
        raise click.ClickException(
            f"another version of Kakomi made this site's database, and this one can't read it (it knows no "
            f"{unknown[0]}): move the database away and start again, or go back to that version"
        )
    for tries_left in reversed(range(STARTS_TOGETHER)):
        try:
            call_command("migrate", verbosity=0, interactive=False)
            break
        except IntegrityError:  # another starting process has just added the same permissions
            if not tries_left:
                raise


def _places() -> str:
    """The locations of games and log, and how to make backups, in a sentence."""
    found = configuration()
    database = found.database_url.partition("://")
    where = str(found.folder) if database[0] == "sqlite" else f"{found.folder} and {database[0]}"
    log = found.log if found.log not in ("", "-") else "standard error"
    return f"Games are saved in {where}; the log goes to {log}; `kakomi backup FILE` makes a backup"


def _check_settings() -> None:
    from kakomi.extras import install_hint
    from kakomi.server.accounts.name_rules import has_forbidden_word
    from kakomi.server.mail.transports import check_incoming_mail
    from kakomi.server.notices.mail import mail_transport
    from kakomi.server.security.rate_limits import limits_here

    try:
        limits_here()
        mail_transport(configuration().mail_url)
        has_forbidden_word("")  # to read the list
        check_incoming_mail(configuration())
    except ImportError as error:
        raise click.ClickException(install_hint(error) or str(error)) from None
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def _bound(host: str, port: int) -> socket.socket | None:
    """A socket at an address; None if the address is taken."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # from now on connections wait until the site has started, instead of being refused
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            return None
        raise click.ClickException(f"can't listen at {host}, port {port}: {error.strerror}") from None
    return listener


def _is_kakomi(address: str) -> bool:
    """Whether Kakomi serves the page at a URL."""
    try:
        with urllib.request.urlopen(address, timeout=ANSWER_SECONDS) as page:
            return b"Kakomi</title>" in page.read(10_000)
    except (OSError, http.client.HTTPException):
        return False


def _address(host: str, port: int) -> str:
    return f"http://{_spoken(host)}:{port}/"


def _spoken(host: str) -> str:
    """The host to use in URLs for a browser on this machine."""
    return "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host


_LOCK = 0x6B616B6F6D69
"""The PostgreSQL advisory lock of the process that creates the tables."""


def make_tables() -> bool:
    """Create the tables of all models in an empty database, and record all migrations as applied.

    This is atomic, and done by only one of several starting processes. Returns whether this process did it.
    """
    if not connection.features.can_rollback_ddl or connection.introspection.table_names():
        return False
    with connection.schema_editor() as editor:
        if connection.vendor == "postgresql":  # in SQLite the transaction itself is exclusive
            editor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        if connection.introspection.table_names():
            return False
        migrations = MigrationLoader(None)
        for model in _models(migrations):
            editor.create_model(model)
        MigrationRecorder(connection).migration_qs.bulk_create(_noted(migrations))
    return True


def _models(migrations: MigrationLoader) -> list[type[models.Model]]:
    """All models with tables, preceded by that of applied migrations.

    These are the models as of the last migrations, which ignore the apps' types of automatic keys: the keys
    of Django's many-to-many tables are larger integers than in the current models.
    """
    found = migrations.project_state().apps.get_models()
    return [MigrationRecorder.Migration, *(each for each in found if each._meta.can_migrate(connection))]


def _noted(migrations: MigrationLoader) -> list[Any]:
    """Unsaved rows that record all migrations as applied."""
    known = sorted(migrations.disk_migrations)
    return [MigrationRecorder.Migration(app=app, name=name) for app, name in known]


def unknown_migrations() -> list[str]:
    """The migrations applied to the database that this version doesn't have, as `app.migration`."""
    loader = MigrationLoader(connection)
    unknown = set(loader.applied_migrations or ()) - set(loader.disk_migrations)
    return sorted(f"{app}.{name}" for app, name in unknown)
