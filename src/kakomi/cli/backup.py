"""`kakomi backup`: the whole site in one file."""

from pathlib import Path

import click

from kakomi.cli.shared.interrupts import telling_what_is_kept


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
def command(path: Path | None, force: bool) -> None:
    """Keep the whole site, games, guests and its secret key, in FILE.

    The site may run meanwhile: the file holds one moment, and nobody waits for it. It is the same for
    every kind of database, so `kakomi restore` also moves a site from SQLite to PostgreSQL. Whoever has
    the file can pass for any guest: it is readable for its owner alone.
    """
    from kakomi.cli.shared.site import opened_site, progress

    with telling_what_is_kept("no backup was written"), opened_site() as backups, progress("Keeping") as tell:
        path = path or backups.unused("kakomi")
        header = backups.back_up(path, tell, replace=force)
    click.echo(f"{header.games} games, {header.total} rows: {path}")
