"""The person's side of the terminal: the screen and the prompt."""

import contextlib
import os
import sys
from collections.abc import Callable, Collection, Sequence

import click

from kakomi.cli.playing import messages
from kakomi.cli.shared.output import has_colours, say
from kakomi.session import Match, MatchGame

_CLEAR = "\x1b[H\x1b[2J"


class Screen:
    """Standard output, cleared before each drawing where it is a terminal that can be."""

    def __init__(self) -> None:
        self.redraws = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        """Whether a drawing takes the place of the last one."""

    def show(self, match: Match, overlays: Collection[str] = (), legal: bool = False) -> None:
        """Draw the game being played, what happened last, and whose turn it is."""
        self._board(match, match.current_game, overlays, legal)
        for line in messages.news(match):
            say(line)
        say(messages.turn_line(match), bold=True)

    def show_finished(self, match: Match, match_game: MatchGame, overlays: Collection[str] = ()) -> None:
        """Draw a game that is over, and how it ended."""
        self._board(match, match_game, overlays, False)
        say(messages.outcome(match_game), bold=True)
        if match.config.games > 1:
            say(messages.match_line(match))

    def _board(self, match: Match, match_game: MatchGame, overlays: Collection[str], legal: bool) -> None:
        position, game = match_game.position, match_game.game
        click.echo(_CLEAR if self.redraws else "", nl=not self.redraws)
        say(f"{messages.title_line(match, match_game)}\n{messages.seats_line(match, match_game)}\n")
        click.echo(position.text(colour=has_colours(), legal=legal, overlays=overlays))
        say(f"{messages.sentence(game.description.explain.account(position))}\n")


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
