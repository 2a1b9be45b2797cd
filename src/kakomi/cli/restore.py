"""`kakomi restore`: the whole site as a file kept it."""

from pathlib import Path

import click

from kakomi.cli.shared.interrupts import telling_what_is_kept


@click.command(
    epilog="""\b
Examples:
  kakomi restore kakomi.jsonl.gz
  KAKOMI_DATABASE_URL=postgres://localhost/kakomi kakomi restore kakomi.jsonl.gz    into another database
"""
)
@click.argument("path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--yes", is_flag=True, help="Don't ask before what is there now is replaced.")
def command(path: Path, yes: bool) -> None:
    """Put what `kakomi backup` kept in FILE in the place of all that the site has now.

    The site may run meanwhile. First FILE is read to its end, and refused if it is damaged or of a newer
    Kakomi. Then, in one transaction, what is there is kept in another backup, whose name is told, and
    replaced; whoever looks sees the old site or the new one, and open pages load the new one by
    themselves. Who acts in these seconds waits for their end. Nothing changes if anything fails.

    The backup's secret key counts from the site's next start on; until then devices stay signed in as
    they were. A key that is set by KAKOMI_SECRET_KEY is left alone.
    """
    from kakomi.cli.shared.site import opened_site, progress

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
