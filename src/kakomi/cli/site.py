"""The site from the terminal: `kakomi serve` runs it, and the others work on its data, whether it runs or
not: its backups, its staff, and its mails.
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

from kakomi.cli.shared.output import telling_what_is_kept

if TYPE_CHECKING:
    from kakomi.server.accounts.models import User
    from kakomi.server.notices.models import Delivery


DEFAULT_PORT = 8364


@click.command(
    epilog="""\b
Examples:
  kakomi serve                    on this machine alone, and open the browser
  kakomi serve --port 9000 --no-browser
  KAKOMI_HOSTS=games.example.org KAKOMI_PUBLIC=1 kakomi serve --host 0.0.0.0    behind a TLS proxy
"""
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"The port to listen at.  [default: {DEFAULT_PORT}, or a free one if another program has it]",
)
@click.option(
    "--host",
    default="127.0.0.1",
    callback=lambda ctx, param, value: _checked_host(value),
    show_default=True,
    help="The address to listen at.",
)
@click.option("--no-browser", is_flag=True, help="Don't open the page in a browser.")
def serve(port: int | None, host: str, no_browser: bool) -> None:
    """Play in the browser: start the site and open its page.

    Games are kept in the user's data folder, or in KAKOMI_DATA_DIR. Ctrl-C ends the site; games go on
    when it is started again. If Kakomi runs already, its page is opened and that is all.
    """
    from kakomi.server import running

    running.serve(
        host,
        DEFAULT_PORT if port is None else port,
        or_another=port is None,
        open_browser=not no_browser,
    )


def _checked_host(host: str) -> str:
    """The address as it was given. Raises BadParameter if it can't be one."""
    try:
        host.encode("idna")
    except UnicodeError:
        raise click.BadParameter(f"{host[:60]!a} is no address") from None
    return host


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
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on standard error if that is a terminal."""
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
@click.option("--force", is_flag=True, help="Replace FILE if there is one.")
def backup(path: Path | None, force: bool) -> None:
    """Keep the whole site, games, guests and its secret key, in FILE.

    The site can keep running: the file holds a single moment, and no request waits for it. Its format
    doesn't depend on the database, so `kakomi restore` also moves a site from SQLite to PostgreSQL. Anyone
    with the file could act as any guest, so only its owner can read it.
    """
    with telling_what_is_kept("no backup was written"), opened_site() as backups, progress("Keeping") as tell:
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
@click.option("--yes", is_flag=True, help="Don't ask before what is there now is replaced.")
def restore(path: Path, yes: bool) -> None:
    """Put what `kakomi backup` kept in FILE in the place of all that the site has now.

    The site can keep running. FILE is read completely first, and refused if it is damaged or was made by a
    newer Kakomi. A single transaction then saves the present data in another backup, prints its name, and
    replaces the data. Visitors see either the old site or the new one, and open pages reload by
    themselves; requests that arrive in these seconds wait. If anything fails, nothing changes.

    The backup's secret key counts from the site's next start on; until then devices stay signed in as
    they were. A key that is set by KAKOMI_SECRET_KEY is left alone.
    """
    if not yes:
        click.confirm(
            "This replaces all games and guests that the site has now. Go on?", abort=True, err=True
        )
    with (
        telling_what_is_kept("nothing was changed"),
        opened_site(prepare=True) as backups,
        progress("Restoring") as tell,
    ):
        header, kept = backups.restore(path, tell)
    click.echo(f"{header.games} games, {header.total} rows are back. What was there before: {kept}")


@click.command(
    epilog="""\b
Examples:
  kakomi erase ada
  kakomi erase ada --yes     after a backup was restored that still had her
"""
)
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do it without asking.")
def erase(name: str, yes: bool) -> None:
    """Erase the person with the username NAME, for good, as they can do themselves.

    Their games stay, under "deleted player"; those that go on are given up. The site may run meanwhile.
    """
    with opened_site(prepare=True):
        from kakomi.server.accounts.models import User
        from kakomi.server.people.erasure import erase, running_games

        user = User.objects.named(name).select_related("guest").first()
        if user is None:
            raise click.ClickException(f"nobody signs in as {name}")
        if not yes:
            running = running_games(user.guest)
            click.confirm(f"Erase {user.username} for good? Games given up: {running}", abort=True)
        erase(user.guest)
    click.echo(f"{name} is erased")


LATEST_MAILS = 20


@click.command(
    epilog="""\b
Examples:
  kakomi mails
  kakomi mails 17
"""
)
@click.argument("number", type=click.IntRange(1), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one list, for programs.")
def mails(number: int | None, as_json: bool) -> None:
    """List the site's latest mails and what has become of them, or show mail NUMBER.

    A site without a mail server (KAKOMI_MAIL_URL) keeps its mails for 30 days, and this is where they can be
    read. Of mails that were sent only recipient and subject are kept.
    """
    with opened_site(prepare=True):
        from kakomi.server.notices.models import Delivery

        mails = Delivery.objects.filter(channel="mail").order_by("-pk")
        if number is not None:
            mails = mails.filter(pk=number)
            if not mails:
                raise click.ClickException(f"there is no mail {number}: see kakomi mails")
        found = list(mails[:LATEST_MAILS])
    if as_json:
        click.echo(json.dumps([_mail_data(mail) for mail in found]))
    elif number is not None:
        click.echo(_whole_mail(found[0]))
    elif not found:
        click.echo("No mail yet.")
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
"""The exit status by which mail servers know that they should try again (EX_TEMPFAIL)."""

NOBODY = "MAILER-DAEMON"
"""What Postfix says for the null sender."""


@click.command(
    epilog="""\b
Examples:
  kakomi post --stdin < mail.eml
  "|/opt/kakomi/bin/kakomi post --stdin"         a line of ~/.forward
  kakomi post --stdin --now < mail.eml; kakomi mails
"""
)
@click.option("--stdin", "from_stdin", is_flag=True, required=True, help="Read one mail from standard input.")
@click.option("--sender", envvar="SENDER", help="The sender on the envelope, which Postfix says in SENDER.")
@click.option(
    "--recipient",
    envvar=["ORIGINAL_RECIPIENT", "RECIPIENT"],
    help="The recipient on the envelope, which Postfix says in ORIGINAL_RECIPIENT.",
)
@click.option("--now", is_flag=True, help="Handle it at once, instead of leaving that to the site that runs.")
def post(from_stdin: bool, sender: str | None, recipient: str | None, now: bool) -> None:
    """Give the site a mail, as a mail server does.

    It is acknowledged, by the exit status 0, once it is on disk; the site that runs handles it. A mail that
    was given before is no second one. Where the database is away the status is 75, by which a mail server
    tries again.
    """
    del from_stdin
    data = sys.stdin.buffer.read()
    with opened_site():
        from django.db import Error as StorageError

        from kakomi.server.configuration import configuration
        from kakomi.server.post import inbox, jobs

        if not configuration().post_address:
            raise click.ClickException("this site takes no mail: set KAKOMI_POST_ADDRESS")
        envelope = inbox.NULL_SENDER if sender in ("", "<>", NOBODY) else sender or ""
        try:
            is_new = inbox.receive(data, sender=envelope, recipients=[recipient] if recipient else [])
            if now:
                jobs.handle_mail()
        except StorageError as error:  # away, or of a site that has not been started yet
            click.echo(f"the mail can't be kept now; has the site been started once? {error}", err=True)
            sys.exit(TRY_AGAIN)
        except ValueError as error:
            raise click.ClickException(str(error)) from None
    click.echo("kept" if is_new else "known already")


_STAFF_NAME = click.argument("name")
_STAFF_PASSWORD = click.option(
    "--password",
    prompt=True,
    hide_input=True,
    confirmation_prompt=True,
    help="The password. Without it you are asked, which keeps it out of the shell's history.",
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
    """Let people into the site's admin, at /admin/, and to what others report, at /moderation/.

    In the admin they look at tables and their logs, change names of guests, sign guests out everywhere and
    put studies out of sight. Without staff the site has no such page. The site may run meanwhile.
    """


@staff.command("add")
@_STAFF_NAME
@click.option("--email", default="", help="Their address, for other staff to see.")
@_STAFF_PASSWORD
def add_staff(name: str, email: str, password: str) -> None:
    """Add a user NAME who may do everything in the admin."""
    with opened_site(prepare=True), _told_plainly():
        from kakomi.server.accounts import services

        services.add_staff(name, password, email)
    click.echo(f"{name} is staff now, signs in at /admin/, and decides about reports at /moderation/")


@staff.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one list, for programs.")
def list_staff(as_json: bool) -> None:
    """Say who is staff, and when they signed in last."""
    with opened_site(prepare=True):
        from kakomi.server.accounts.models import User

        staff = list(User.objects.filter(is_staff=True).order_by("username"))
    if as_json:
        click.echo(json.dumps([_user_data(user) for user in staff]))
    elif not staff:
        click.echo("Nobody is staff: kakomi staff add NAME")
    else:
        click.echo("\n".join(f"{user.username}: {_last_seen(user)}" for user in staff))


def _user_data(user: "User") -> dict[str, str | bool | None]:
    last = user.last_login.isoformat() if user.last_login else None
    return {"name": user.username, "email": user.email, "active": user.is_active, "last_login": last}


def _last_seen(user: "User") -> str:
    last = f"signed in last on {user.last_login:%Y-%m-%d}" if user.last_login else "never signed in"
    return last if user.is_active else f"{last}, not active"


@staff.command("password")
@_STAFF_NAME
@_STAFF_PASSWORD
def change_password(name: str, password: str) -> None:
    """Give NAME another password, and sign them out where they used the old one."""
    with opened_site(prepare=True), _told_plainly():
        from kakomi.server.accounts import services

        services.set_password(_found_staff(name), password)
    click.echo(f"{name} has a new password")


@staff.command("remove")
@_STAFF_NAME
def remove_staff(name: str) -> None:
    """Keep NAME out of the admin from now on. Their games stay."""
    with opened_site(prepare=True), _told_plainly():
        from kakomi.server.accounts import services

        services.set_staff(_found_staff(name), False)
    click.echo(f"{name} is no longer staff")


def _found_staff(name: str) -> "User":
    from kakomi.server.accounts.models import User

    try:
        return User.objects.get_by_natural_key(name)
    except User.DoesNotExist:
        raise click.ClickException(f"nobody signs in as {name!r}: see kakomi staff list") from None


@contextmanager
def _told_plainly() -> Iterator[None]:
    """What is wrong with a name or a password, in one line."""
    from django.core.exceptions import ValidationError

    try:
        yield
    except ValidationError as error:
        raise click.ClickException(" ".join(error.messages)) from None
