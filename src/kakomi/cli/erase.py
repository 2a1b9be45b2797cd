"""`kakomi erase`: somebody's name gone from the site, for those who ask its operator."""

import click

from kakomi.cli.shared.site import opened_site


@click.command(
    epilog="""\b
Examples:
  kakomi erase ada
  kakomi erase ada --yes     after a backup was restored that still had her
"""
)
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do it without asking.")
def command(name: str, yes: bool) -> None:
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
