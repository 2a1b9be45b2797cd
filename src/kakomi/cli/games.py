"""`kakomi games` lists the games; `kakomi rules` shows their rules."""

import json
import re
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kakomi.core import Description, Option


@click.command(
    epilog="""\b
Examples:
  kakomi games
  kakomi games --json | jq '.[].name'
"""
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def games(as_json: bool) -> None:
    """List the games with their authors and options."""
    from kakomi.cli.shared.parameters import all_descriptions
    from kakomi.protocol.messages import description_json

    games = all_descriptions()
    if as_json:
        data = [{**description_json(game), "credit": game.credit} for game in games]
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return
    for game in games:
        click.echo(_as_text(game))
    click.echo("Play one with `kakomi play NAME`, or read its rules with `kakomi rules NAME`.")


def _as_text(game: "Description") -> str:
    name = click.style(game.name, bold=True)
    lines = [f"{name} · {game.title}, by {game.author}, {game.year}", f"  {game.summary}"]
    width = max((len(option.name) for option in game.options), default=0)
    lines += [
        f"  --{option.name.replace('_', '-').ljust(width)}  {_option_text(option)}" for option in game.options
    ]
    return "\n".join(lines) + "\n"


def _option_text(option: "Option") -> str:
    from kakomi.cli.shared.parameters import allowed_in_words

    return f"{option.help} {allowed_in_words(option)}".strip()


@click.command(
    epilog="""\b
Examples:
  kakomi rules rings
  kakomi rules lin > lin.md    save them as Markdown
"""
)
@click.argument("game")
def rules(game: str) -> None:
    """Read the rules of a game.

    A terminal shows them page by page; a file or a pipe gets the Markdown source.
    """
    from kakomi import catalog
    from kakomi.cli.shared.parameters import checked_game_name

    text = catalog.describe(checked_game_name(game)).rules_text
    if sys.stdout.isatty():
        show_markdown(text)
    else:
        click.echo(text, nl=not text.endswith("\n"))


def show_markdown(text: str) -> None:
    """Show Markdown in a pager, without its comments, which mark the places of examples on web pages."""
    from rich.console import Console
    from rich.markdown import Markdown

    from kakomi.cli.shared.output import has_colours

    console = Console(no_color=not has_colours(), width=min(88, Console().width))
    with console.capture() as capture:
        console.print(Markdown(re.sub(r"^<!--.*-->\n+", "", text, flags=re.MULTILINE)))
    click.echo_via_pager(capture.get())
