"""The site from the terminal: `kakomi serve` runs it, and the other commands work on its data (backups,
staff, people, mail), whether it is running or not.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.output import report_kept_on_interrupt

if TYPE_CHECKING:
    from kakomi.server.accounts.models import User
    from kakomi.server.notices.models import Delivery


DEFAULT_PORT = 8364


@click.command(
    epilog="""\b
Examples:
  kakomi serve                    on this computer only, and open the browser
  kakomi serve --port 9000 --no-browser
  KAKOMI_HOSTS=games.example.org KAKOMI_PUBLIC=1 kakomi serve --host 0.0.0.0    behind a TLS proxy
"""
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"Port to listen on.  [default: {DEFAULT_PORT}, or a free one if it is taken]",
)
@click.option(
    "--host",
    default="127.0.0.1",
    callback=lambda ctx, param, value: _checked_host(value),
    show_default=True,
    help="Address to listen on.",
)
@click.option("--no-browser", is_flag=True, help="Don't open the page in a browser.")
def serve(port: int | None, host: str, no_browser: bool) -> None:
    """Play in the browser: start the site and open it.

    Games are saved in your data folder, or in KAKOMI_DATA_DIR. Ctrl-C stops the site; games continue when you
    start it again. If it is already running, this just opens it.
    """
    from kakomi.server import running

    running.serve(
        host,
        DEFAULT_PORT if port is None else port,
        or_another=port is None,
        open_browser=not no_browser,
    )


def _checked_host(host: str) -> str:
    """Return the address as it was given. Raises BadParameter if it is invalid."""
    try:
        host.encode("idna")
    except UnicodeError:
        raise click.BadParameter(f"{host[:60]!a} isn't an address") from None
    return host


@contextmanager
def opened_site(*, prepare: bool = False) -> Iterator[ModuleType]:
    """Set up Django and yield `server.operations.backups`; `prepare` first creates or migrates the database.

    Turns database and backup errors inside the block into ClickException.
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
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on standard error if it is a terminal."""
    bar = click.progressbar(length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())
    with bar:

        def tell(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield tell


@click.command(
    epilog="""\b
Examples:
  kakomi backup                          into the data folder, named by date and time
  kakomi backup /mnt/disk/kakomi.jsonl.gz
  KAKOMI_DATA_DIR=/srv/kakomi kakomi backup --force nightly.jsonl.gz
"""
)
@click.argument("path", metavar="[FILE]", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def backup(path: Path | None, force: bool) -> None:
    """Back up the whole site to a file.

    It has everything, including games, guests and the secret key. The site can keep running. Its format
    doesn't depend on the database, so `kakomi restore` can also move a site from SQLite to PostgreSQL.
    Keep it safe: anyone with the file could act as any guest.
    """
    with (
        report_kept_on_interrupt("no backup was written"),
        opened_site() as backups,
        progress("Saving") as tell,
    ):
        path = path or backups.unused("kakomi")
        header = backups.back_up(path, tell, replace=force)
    click.echo(f"{header.games} games, {header.total} rows: {path}")


@click.command(
    epilog="""\b
Examples:
  kakomi restore kakomi.jsonl.gz
  KAKOMI_DATABASE_URL=postgres://localhost/kakomi kakomi restore kakomi.jsonl.gz    into another database
"""
)
@click.argument("path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--yes", is_flag=True, help="Don't ask first.")
def restore(path: Path, yes: bool) -> None:
    """Replace the site's data with a backup.

    The site can keep running. FILE is read completely first, and refused if it is damaged or was made by a
    newer Kakomi. A single transaction then saves the present data in another backup, prints its name, and
    replaces the data. Visitors see either the old site or the new one, and open pages reload by
    themselves; requests that arrive in these seconds wait. If anything fails, nothing changes.

    The backup's secret key takes effect at the site's next start; until then devices stay signed in as
    they were. A key set with KAKOMI_SECRET_KEY is left alone.
    """
    if not yes:
        click.confirm(
            "This replaces all games and guests that the site has now. Continue?", abort=True, err=True
        )
    with (
        report_kept_on_interrupt("nothing was changed"),
        opened_site(prepare=True) as backups,
        progress("Restoring") as tell,
    ):
        header, kept = backups.restore(path, tell)
    click.echo(f"Restored {header.games} games, {header.total} rows. The data before is saved in {kept}")


@click.command(
    epilog="""\b
Examples:
  kakomi erase ada
  kakomi erase ada --yes     again, after restoring an older backup
"""
)
@click.argument("name")
@click.option("--yes", is_flag=True, help="Don't ask first.")
def erase(name: str, yes: bool) -> None:
    """Delete a player's account and data for good.

    NAME is the username. Players can also do this themselves. Their games stay, under "deleted player", and
    those in progress are resigned. The site can keep running.
    """
    with opened_site(prepare=True):
        from kakomi.server.accounts.models import User
        from kakomi.server.people.erasure import erase, running_games

        user = User.objects.named(name).select_related("guest").first()
        if user is None:
            raise click.ClickException(f"there is no account {name}")
        if not yes:
            running = running_games(user.guest)
            click.confirm(f"Delete {user.username} for good? Games resigned: {running}", abort=True)
        erase(user.guest)
    click.echo(f"{name} deleted")


LATEST_MAILS = 20


@click.command(
    epilog="""\b
Examples:
  kakomi mails
  kakomi mails 17
"""
)
@click.argument("number", type=click.IntRange(1), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def mails(number: int | None, as_json: bool) -> None:
    """List the emails the site has sent, or show one.

    A site without an email server (KAKOMI_MAIL_URL) stores its emails for 30 days so that you can read
    them here. Of sent emails only the recipient and the subject are stored.
    """
    with opened_site(prepare=True):
        from kakomi.server.notices.models import Delivery

        mails = Delivery.objects.filter(channel="mail").order_by("-pk")
        if number is not None:
            mails = mails.filter(pk=number)
            if not mails:
                raise click.ClickException(f"there is no email {number}: see `kakomi mails`")
        found = list(mails[:LATEST_MAILS])
    if as_json:
        click.echo(json.dumps([_mail_data(mail) for mail in found]))
    elif number is not None:
        click.echo(_whole_mail(found[0]))
    elif not found:
        click.echo("No emails yet.")
    else:
        click.echo("\n".join(map(_mail_line, found)))


def _mail_data(mail: "Delivery") -> dict[str, object]:
    content = {name: mail.content.get(name, "") for name in ("to", "subject", "text")}
    return {"number": mail.pk, "state": mail.state, "error": mail.error, "at": mail.created_at, **content}


def _mail_line(mail: "Delivery") -> str:
    at = datetime.fromtimestamp(mail.created_at, UTC)
    said = f"{mail.pk}: {at:%Y-%m-%d %H:%M} {mail.state}, {mail.content.get('to', 'a digest')}"
    subject = mail.content.get("subject", "")
    return " ".join(filter(None, (said, subject, f"({mail.error})" if mail.error else "")))


def _whole_mail(mail: "Delivery") -> str:
    content = mail.content
    return f"To: {content.get('to', '')}\nSubject: {content.get('subject', '')}\n\n{content.get('text', '')}"


TRY_AGAIN = 75
"""The exit status that tells mail servers to try again (EX_TEMPFAIL)."""

NOBODY = "MAILER-DAEMON"
"""Postfix's name for the null sender."""


@click.command(
    epilog="""\b
Examples:
  kakomi post < mail.eml
  "|/opt/kakomi/bin/kakomi post"                 a line of ~/.forward
  kakomi post --now < mail.eml; kakomi mails
"""
)
@click.option("--sender", envvar="SENDER", help="Envelope sender; Postfix sets it as SENDER.")
@click.option(
    "--recipient",
    envvar=["ORIGINAL_RECIPIENT", "RECIPIENT"],
    help="Envelope recipient; Postfix sets it as ORIGINAL_RECIPIENT.",
)
@click.option("--now", is_flag=True, help="Handle it at once instead of leaving it to the running site.")
def post(sender: str | None, recipient: str | None, now: bool) -> None:
    """Deliver an email from standard input to the site, as an email server does.

    The exit status is 0 once the email is on disk; the running site then handles it. Emails that were
    delivered before are ignored. If the database is unavailable the status is 75, which tells an email
    server to try again.
    """
    data = sys.stdin.buffer.read()
    with opened_site():
        from django.db import Error as StorageError

        from kakomi.server.mail import inbox, jobs
        from kakomi.server.site.configuration import configuration

        if not configuration().mail_in_address:
            raise click.ClickException("this site doesn't receive email: set KAKOMI_MAIL_IN_ADDRESS")
        envelope = inbox.NULL_SENDER if sender in ("", "<>", NOBODY) else sender or ""
        try:
            is_new = inbox.receive(data, sender=envelope, recipients=[recipient] if recipient else [])
            if now:
                jobs.handle_mail()
        except StorageError as error:  # unavailable, or not yet created by the site's first start
            click.echo(f"the email can't be saved now; has the site been started once? {error}", err=True)
            sys.exit(TRY_AGAIN)
        except ValueError as error:
            raise click.ClickException(str(error)) from None
    click.echo("saved" if is_new else "already received")


_STAFF_NAME = click.argument("name")
_STAFF_PASSWORD = click.option(
    "--password",
    prompt=True,
    hide_input=True,
    confirmation_prompt=True,
    help="Leave this out to be asked for it; it then stays out of the shell's history.",
)


@click.group(
    epilog="""\b
Examples:
  kakomi staff add ada --email ada@example.org
  kakomi staff list
  kakomi staff password ada
  kakomi staff remove ada
"""
)
def staff() -> None:
    """Give people access to the admin and moderation pages.

    At /admin/ they can view tables and their logs, rename guests, sign guests out everywhere and hide
    studies; at /moderation/ they decide on reports. The site can keep running.
    """


@staff.command("add")
@_STAFF_NAME
@click.option("--email", default="", help="Email address, visible to other staff.")
@_STAFF_PASSWORD
def add_staff(name: str, email: str, password: str) -> None:
    """Make NAME staff, with all permissions."""
    with opened_site(prepare=True), _validation_errors_in_a_line():
        from kakomi.server.accounts import services

        services.add_staff(name, password, email)
    click.echo(f"{name} is now staff: sign in at /admin/; reports are at /moderation/")


@staff.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def list_staff(as_json: bool) -> None:
    """List staff and when they last signed in."""
    with opened_site(prepare=True):
        from kakomi.server.accounts.models import User

        staff = list(User.objects.filter(is_staff=True).order_by("username"))
    if as_json:
        click.echo(json.dumps([_user_data(user) for user in staff]))
    elif not staff:
        click.echo("No staff yet: `kakomi staff add NAME`")
    else:
        click.echo("\n".join(f"{user.username}: {_last_seen(user)}" for user in staff))


def _user_data(user: "User") -> dict[str, str | bool | None]:
    last = user.last_login.isoformat() if user.last_login else None
    return {"name": user.username, "email": user.email, "active": user.is_active, "last_login": last}


def _last_seen(user: "User") -> str:
    last = f"last signed in on {user.last_login:%Y-%m-%d}" if user.last_login else "never signed in"
    return last if user.is_active else f"{last}, not active"


@staff.command("password")
@_STAFF_NAME
@_STAFF_PASSWORD
def change_password(name: str, password: str) -> None:
    """Change NAME's password and sign them out everywhere."""
    with opened_site(prepare=True), _validation_errors_in_a_line():
        from kakomi.server.accounts import services

        services.set_password(_found_staff(name), password)
    click.echo(f"{name} has a new password")


@staff.command("remove")
@_STAFF_NAME
def remove_staff(name: str) -> None:
    """Remove NAME from staff. Their games stay."""
    with opened_site(prepare=True), _validation_errors_in_a_line():
        from kakomi.server.accounts import services

        services.set_staff(_found_staff(name), False)
    click.echo(f"{name} is no longer staff")


def _found_staff(name: str) -> "User":
    from kakomi.server.accounts.models import User

    try:
        return User.objects.get_by_natural_key(name)
    except User.DoesNotExist:
        raise click.ClickException(f"there is no account {name!r}: see `kakomi staff list`") from None


@contextmanager
def _validation_errors_in_a_line() -> Iterator[None]:
    """Report an invalid name or password in one line, as a ClickException."""
    from django.core.exceptions import ValidationError

    try:
        yield
    except ValidationError as error:
        raise click.ClickException(" ".join(error.messages)) from None
