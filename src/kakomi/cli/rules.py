"""`kakomi rules`: how a game is played."""

import re
import sys

import click


@click.command(
    epilog="""\b
Examples:
  kakomi rules rings
  kakomi rules lin > lin.md    the Markdown itself
"""
)
@click.argument("game")
def command(game: str) -> None:
    """Read the rules of GAME, page by page.

    Into a file or a pipe goes the Markdown that they are written in.
    """
    from kakomi import catalog
    from kakomi.cli.shared.parameters import known

    text = catalog.describe(known(game)).rules_text
    if sys.stdout.isatty():
        show_markdown(text)
    else:
        click.echo(text, nl=not text.endswith("\n"))


def show_markdown(text: str) -> None:
    """Show Markdown in the terminal, paged, without its comments, which say where a page has examples."""
    from rich.console import Console
    from rich.markdown import Markdown

    from kakomi.cli.shared.output import has_colours

    console = Console(no_color=not has_colours(), width=min(88, Console().width))
    with console.capture() as capture:
        console.print(Markdown(re.sub(r"^<!--.*-->\n+", "", text, flags=re.MULTILINE)))
    click.echo_via_pager(capture.get())
