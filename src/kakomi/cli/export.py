"""`kakomi export`: games as web pages that need no server."""

from pathlib import Path

import click

from kakomi.cli.shared.parameters import checked_game_name


@click.command(
    epilog="""\b
Examples:
  kakomi export rin rin.html            one page: send it to a friend
  kakomi export rin rive both.html      one page with two games
  kakomi export --all site              a folder with a page for each game, for any web server
"""
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.argument("target", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--all", "whole", is_flag=True, help="Write all games into the folder FILE.")
def export(games: tuple[str, ...], target: Path, whole: bool) -> None:
    """Write games as one web page, FILE, that anyone can open, even offline and without Kakomi.

    The page has the board, the rules, all levels of bots, analysis and records, in English and German. A
    game that didn't come with Kakomi is compiled first, which takes a minute and needs the extra `wasm`.
    """
    from kakomi.web.pages import write_folder, write_page

    if whole == bool(games):
        raise click.UsageError("name at least one game, or use --all")
    try:
        written = (
            write_folder(target) if whole else write_page([checked_game_name(game) for game in games], target)
        )
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None
    for file in written:
        click.echo(f"{file}: {file.stat().st_size / 1000:,.0f} kB")
