"""Starting the site on this machine, and making the tables of a database that has none yet.

Migrations lead to the same tables, but Django renders many models anew for each of their steps. That takes
seconds, in which a person who starts Kakomi for the first time sees nothing.
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
from django.apps import apps
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from kakomi.server.configuration import complete_environment, configuration
from kakomi.server.operations.gc_tuning import pause_gc

SHUTDOWN_SECONDS = 3
"""Seconds that running requests may still take when the site ends; listeners are dropped."""
DRAIN_SECONDS = 0.1
"""Seconds between taking no more connections and closing those without a request: one may be on its way."""
AGAIN_SECONDS = 5
"""Seconds until a database that is away at the start is asked again."""
STARTS_TOGETHER = 5
"""How often a database is brought up to date that another process seems to be changing at the same moment."""
ANSWER_SECONDS = 3
"""Seconds that the program at our port may take to show that it is Kakomi."""


def serve(host: str, port: int, *, or_another: bool, open_browser: bool) -> None:
    """Bring the database up to date and serve until interrupted. Raises ClickException if that can't be.

    Where Kakomi serves already its page is opened instead. If something else has the port, another one is
    taken if that is all right.
    """
    pause_gc()
    complete_environment()
    listener = _bound(host, port)
    if listener is None:
        if _is_kakomi(address := _address(host, port)):
            click.echo(f"Kakomi is at {address} already")
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
    click.echo(f"Kakomi is at {address}  (Ctrl-C ends it)")
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
    """Ends open pages' streams first: it would wait for them, and in the end break them off."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the site, requests that are under way included."""
        from kakomi.server.asgi import end_streams

        end_streams()
        for server in self.servers:
            server.close()
        await asyncio.sleep(DRAIN_SECONDS)
        await super().shutdown(sockets)


def prepare_database() -> None:
    """Make the database, or change it to what this version needs; wait for one that is away.

    Raises ClickException if there can be none.
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
        except IntegrityError:  # another process that starts has noted the same permissions a moment before
            if not tries_left:
                raise


def _places() -> str:
    """Where games, log and backups are."""
    found = configuration()
    database = found.database_url.partition("://")
    where = str(found.folder) if database[0] == "sqlite" else f"{found.folder} and {database[0]}"
    log = found.log if found.log not in ("", "-") else "standard error"
    return f"Games are kept in {where}; the log goes to {log}; `kakomi backup FILE` keeps a copy"


def _check_settings() -> None:
    from kakomi.extras import install_hint
    from kakomi.server.accounts.name_rules import has_forbidden_word
    from kakomi.server.notices.mail import mail_transport
    from kakomi.server.post.transports import check_post
    from kakomi.server.security.rate_limits import limits_here

    try:
        limits_here()
        mail_transport(configuration().mail_url)
        has_forbidden_word("")  # reads the list
        check_post(configuration())
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
        listener.listen()  # from now on a visitor waits until the site has started, instead of being refused
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            return None
        raise click.ClickException(f"can't listen at {host}, port {port}: {error.strerror}") from None
    return listener


def _is_kakomi(address: str) -> bool:
    """Whether the page at an address is ours."""
    try:
        with urllib.request.urlopen(address, timeout=ANSWER_SECONDS) as page:
            return b"Kakomi</title>" in page.read(10_000)
    except (OSError, http.client.HTTPException):
        return False


def _address(host: str, port: int) -> str:
    return f"http://{_spoken(host)}:{port}/"


def _spoken(host: str) -> str:
    """The URL of an address for a browser on this machine."""
    return "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host


_LOCK = 0x6B616B6F6D69
"""Of PostgreSQL: who holds it makes the tables."""


def make_tables() -> bool:
    """Make the tables of all models in a database that has none, and note all migrations as applied.

    All of it or nothing is done, by one of the processes that come together. Returns whether this one did it.
    """
    if not connection.features.can_rollback_ddl or connection.introspection.table_names():
        return False
    with connection.schema_editor() as editor:
        if connection.vendor == "postgresql":  # SQLite lets only one write from here on
            editor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        if connection.introspection.table_names():
            return False
        migrations = MigrationLoader(None)
        for model in _models(migrations):
            editor.create_model(model)
        MigrationRecorder(connection).migration_qs.bulk_create(_noted(migrations))
    return True


def _models(migrations: MigrationLoader) -> list[type[models.Model]]:
    """Those that have tables, and first the one in which migrations are noted.

    As the last migrations see them, who know nothing of an app's own kind of keys: in a table that joins two
    of Django's models, the key is a larger integer than in the models themselves.
    """
    found = migrations.project_state().apps.get_models()
    return [MigrationRecorder.Migration, *(each for each in found if each._meta.can_migrate(connection))]


def _noted(migrations: MigrationLoader) -> list[Any]:
    """All that there are, as rows."""
    known = sorted(migrations.disk_migrations)
    return [MigrationRecorder.Migration(app=app, name=name) for app, name in known]


def unknown_migrations() -> list[str]:
    """The migrations, as `app.migration`, that the database has had and this version doesn't have."""
    loader = MigrationLoader(connection)
    unknown = set(loader.applied_migrations or ()) - set(loader.disk_migrations)
    return sorted(f"{app}.{name}" for app, name in unknown if app in apps.app_configs)
