"""What a person sees of a match."""

import os
import sys
from collections.abc import Collection

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
