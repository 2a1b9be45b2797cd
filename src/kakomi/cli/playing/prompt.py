"""Lines from the person, with editing and completion where the terminal can."""

import contextlib
import sys
from collections.abc import Callable, Sequence

import click

from kakomi.cli.playing import messages
from kakomi.session import Match


class Quit(Exception):  # noqa: N818 - no error
    """The person has had enough."""


def ask(match: Match, commands: Sequence[str]) -> str:
    """A line from the person whose turn it is; Tab completes actions and commands.

    Raises Quit when there are no more lines.
    """
    _complete(lambda: _completions(match, commands))
    return line(f"{_who(match)}> ")


def pause(prompt: str) -> None:
    """Wait for Enter. Raises Quit at the end of the input."""
    _complete(list)
    line(prompt)


def line(prompt: str) -> str:
    """A line without spaces around it. Raises Quit at the end of the input."""
    try:
        return input(prompt).strip()
    except EOFError:
        click.echo()
        raise Quit from None
    except UnicodeDecodeError:
        click.echo("That can't be read: it isn't the text that this terminal is set to.")
        return ""


def _who(match: Match) -> str:
    return "over" if match.to_act is None else messages.seat_name(match, match.to_act)


def _completions(match: Match, commands: Sequence[str]) -> list[str]:
    actions = match.position.legal() if match.phase == "play" else []
    return [*sorted(actions), *commands]


def _complete(candidates: Callable[[], list[str]]) -> None:
    if not sys.stdin.isatty():
        return
    with contextlib.suppress(ImportError):  # not on Windows
        import readline

        def complete(text: str, state: int) -> str | None:
            fitting = [word for word in candidates() if word.lower().startswith(text.lower())]
            return fitting[state] if state < len(fitting) else None

        readline.set_completer_delims(" ")
        readline.set_completer(complete)
        readline.parse_and_bind("tab: complete")
