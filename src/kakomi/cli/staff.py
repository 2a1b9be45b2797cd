"""`kakomi staff`: who may see the site's admin."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from kakomi.cli.shared.site import opened_site

if TYPE_CHECKING:
    from kakomi.server.accounts.models import User

_NAME = click.argument("name")
_PASSWORD = click.option(
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
def command() -> None:
    """Let people into the site's admin, at /admin/, and to what others report, at /moderation/.

    In the admin they look at tables and their logs, change names of guests, sign guests out everywhere and
    put studies out of sight. Without staff the site has no such page. The site may run meanwhile.
    """


@command.command()
@_NAME
@click.option("--email", default="", help="Their address, for other staff to see.")
@_PASSWORD
def add(name: str, email: str, password: str) -> None:
    """Add a user NAME who may do everything in the admin."""
    with opened_site(prepare=True), _told_plainly():
        from kakomi.server.accounts import services

        services.add_staff(name, password, email)
    click.echo(f"{name} is staff now, signs in at /admin/, and decides about reports at /moderation/")


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one list, for programs.")
def list_(as_json: bool) -> None:
    """Say who is staff, and when they signed in last."""
    with opened_site(prepare=True):
        from kakomi.server.accounts.models import User

        staff = list(User.objects.filter(is_staff=True).order_by("username"))
    if as_json:
        click.echo(json.dumps([_described(user) for user in staff]))
    elif not staff:
        click.echo("Nobody is staff: kakomi staff add NAME")
    else:
        click.echo("\n".join(f"{user.username}: {_last_seen(user)}" for user in staff))


def _described(user: "User") -> dict[str, str | bool | None]:
    last = user.last_login.isoformat() if user.last_login else None
    return {"name": user.username, "email": user.email, "active": user.is_active, "last_login": last}


def _last_seen(user: "User") -> str:
    last = f"signed in last on {user.last_login:%Y-%m-%d}" if user.last_login else "never signed in"
    return last if user.is_active else f"{last}, not active"


@command.command()
@_NAME
@_PASSWORD
def password(name: str, password: str) -> None:
    """Give NAME another password, and sign them out where they used the old one."""
    with opened_site(prepare=True), _told_plainly():
        from kakomi.server.accounts import services

        services.set_password(_found(name), password)
    click.echo(f"{name} has a new password")


@command.command()
@_NAME
def remove(name: str) -> None:
    """Keep NAME out of the admin from now on. Their games stay."""
    with opened_site(prepare=True), _told_plainly():
        from kakomi.server.accounts import services

        services.set_staff(_found(name), False)
    click.echo(f"{name} is no longer staff")


def _found(name: str) -> "User":
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
