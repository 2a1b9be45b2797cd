"""The site's data, for commands that work on it."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

import click

Tell = Callable[[int, int], None]


@contextmanager
def opened_site(*, prepare: bool = False) -> Iterator[ModuleType]:
    """`server.backups` with the site's database; `prepare` makes that, or brings it up to date.

    Raises ClickException for whatever goes wrong inside.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kakomi.server.settings")
    import django
    from django.conf import settings
    from django.db import Error

    try:
        if prepare:
            from kakomi.server.running import prepare_database

            prepare_database()
        else:
            django.setup()
        from kakomi.server.operations import backups

        try:
            yield backups
        except backups.BackupError as error:
            raise click.ClickException(str(error)) from None
    except Error as error:
        name = settings.DATABASES["default"]["NAME"]
        raise click.ClickException(f"the database {name} can't be used: {error}") from None


@contextmanager
def progress(label: str) -> Iterator[Tell]:
    """A bar on a terminal's standard error, and nothing elsewhere."""
    bar = click.progressbar(length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())
    with bar:

        def tell(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield tell
