"""The command that makes a report again, for its footer."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kakomi.core import Game


def command_line(game: "Game | None", **options: object) -> str:
    """`kakomi report rive --size 4 --budget 10m`; options that are empty are left out."""
    chosen = {
        **(game.options if game else {}),
        **{name: value for name, value in options.items() if value != ""},
    }
    words = [f"--{name.replace('_', '-')} {value}" for name, value in chosen.items()]
    return " ".join(["kakomi report", *([game.name] if game else []), *words])
