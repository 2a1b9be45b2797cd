"""`kakomi games` lists what can be played, `kakomi rules` shows how."""

import json
import re
import sys
from typing import TYPE_CHECKING, Any

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
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects, for programs.")
def games(as_json: bool) -> None:
    """List the games, with their authors and options."""
    from kakomi.cli.shared.parameters import all_descriptions

    games = all_descriptions()
    if as_json:
        click.echo(json.dumps([_as_object(game) for game in games], indent=2, ensure_ascii=False))
        return
    for game in games:
        click.echo(_as_text(game))
    click.echo("Play one with `kakomi play NAME`; read its rules with `kakomi rules NAME`.")


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


def _as_object(game: "Description") -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "author": game.author,
        "year": game.year,
        "summary": game.summary,
        "credit": game.credit,
        "options": [
            {
                "name": option.name,
                "help": option.help,
                "default": None if callable(option.default) else option.default,
                "allowed": None if callable(option.allowed) else list(option.allowed),
                "presets": list(option.presets),
            }
            for option in game.options
        ],
    }


@click.command(
    epilog="""\b
Examples:
  kakomi rules rings
  kakomi rules lin > lin.md    the Markdown itself
"""
)
@click.argument("game")
def rules(game: str) -> None:
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
