"""`kakomi games`: what can be played."""

import json
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
def command(as_json: bool) -> None:
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
