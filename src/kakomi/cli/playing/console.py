"""The terminal as players see it: input lines with completion, boards in colours, and sentences about a
game.
"""

import contextlib
import os
import sys
from collections.abc import Callable, Collection, Sequence
from itertools import groupby

import click

from kakomi.bots import make_bot
from kakomi.cli.shared.output import has_colours, say
from kakomi.cli.shared.parameters import game_line
from kakomi.core import Game
from kakomi.core.i18n import capitalised, names_in_words, range_in_words, winners_in_words
from kakomi.session import Event, Match, MatchGame


def title_line(match: Match, match_game: MatchGame) -> str:
    """Return the game with the options agreed so far and, in a match, the number of the game."""
    unnamed = match_game.game.description.komi_option if match_game.phase == "komi" else ""
    line = game_line(match_game.game, without=unnamed)
    place = match.config.played + match.games.index(match_game) + 1
    return f"{line} · game {place} of {match.config.games}" if match.config.games > 1 else line


def occupant(match: Match, seat: int) -> str:
    """Return who occupies a seat: `you`, `person 2`, `level 4`."""
    if bot := match.seats[seat].bot:
        return make_bot(bot).name
    persons = sum(not other.is_bot for other in match.seats)
    return "you" if persons == 1 else f"person {seat + 1}"


def seat_name(match: Match, seat: int) -> str:
    """Return a seat's colour, or its occupant before colours are settled."""
    players = match.current_game.players
    return occupant(match, seat) if players is None else match.current_game.game.player_names[players[seat]]


def seats_line(match: Match, match_game: MatchGame) -> str:
    """Return the players in order: `Black: you · White: level 4`."""
    order, titles = [match_game.first, 1 - match_game.first], ["First player", "Second player"]
    if match_game.players is not None:
        order, titles = (
            [match_game.players.index(p) for p in range(len(match.seats))],
            list(match_game.game.player_names),
        )
    gone = match_game.resigned_seats
    return " · ".join(
        f"{title}: {occupant(match, seat)}{' (resigned)' if seat in gone else ''}"
        for title, seat in zip(titles, order, strict=True)
    )


def news(match: Match) -> list[str]:
    """Return sentences on the others' actions since the seat to act last acted in this game."""
    events: list[tuple[Event, str]] = []
    now = match
    while (
        now.last
        and now.before
        and now.last.seat != match.to_act
        and len(now.before.games) == len(match.games)
    ):
        played, position = now.last.kind == "play", now.before.position
        gain = position.gains([position.game.action(str(now.last.value))])[0] if played else ""
        events.append((now.last, f"{now.last.value} {gain}".strip()))
        now = now.before
    by_seat = groupby(reversed(events), key=lambda event: event[0].seat)
    return [f"{capitalised(_events_in_words(match, seat, list(did)))}." for seat, did in by_seat]


def _events_in_words(match: Match, seat: int, events: list[tuple[Event, str]]) -> str:
    who = seat_name(match, seat) if events[0][0].kind in ("play", "resign") else occupant(match, seat)
    by_kind = groupby(events, key=lambda event: event[0].kind)
    return f"{who} {' and '.join(_event_in_words(list(did), match.current_game) for _, did in by_kind)}"


def _event_in_words(events: list[tuple[Event, str]], match_game: MatchGame) -> str:
    event, words = events[0]
    match event.kind:
        case "komi":
            return f"names a komi of {words}"
        case "colour":
            return f"chooses {match_game.game.player_names[int(event.value or 0)]}"
        case "swap":
            return "swaps colours"
        case "resign":
            return "resigns"
        case "flag":
            return "runs out of time"
        case "forfeit":
            return "hadn't moved when the round ended"
        case "absence":
            return "didn't make the first move in time"
        case "draw":
            return "agrees to a draw"
        case "replace":
            return "leaves the game to a bot"
        case "play":
            return "plays " + " ".join(words for _, words in events)


def turn_line(match: Match) -> str:
    """Return a line about the turn: whose it is, its actions so far and the next step."""
    seat, match_game = match.to_act, match.current_game
    if seat is None:
        return "The match is over." if match.config.games > 1 else "The game is over."
    game = match_game.game
    whose = "Your turn" if occupant(match, seat) == "you" else f"{capitalised(seat_name(match, seat))}'s turn"
    if match_game.phase == "komi":
        return (
            f"{whose}: name a komi, {komi_range(game)}. Then {occupant(match, 1 - seat)} can choose a colour."
        )
    if match_game.phase == "colour":
        return f"{whose}: the komi is {match_game.komi}; choose {' or '.join(game.player_names)}."
    if whose == "Your turn":
        whose += f" as {seat_name(match, seat)}"
    told = f"{whose}: {game.description.explain.expects(match_game.position)}."
    if match_game.position.turn:
        played = " ".join(game.action_texts[action] for action in match_game.position.turn)
        told += f" So far in this turn: {played}."
    if match_game.may_swap:
        told += (
            f" Or `swap` to take over {game.player_names[0]} (not part of {game.description.title}'s rules)."
        )
    return told


def komi_range(game: Game) -> str:
    """Return the range of the komi, and its meaning."""
    option = game.description.komi
    return f"{range_in_words(option.allowed_given(game.options))} ({option.help})"


def outcome(match_game: MatchGame) -> str:
    """Return how a finished game ended."""
    result, game = match_game.result(), match_game.game
    winners = (
        [game.player_names[match_game.players[seat]] for seat in result.winners] if match_game.players else []
    )
    gone = [game.player_names[player] for player in sorted(match_game.out_after)]
    resigned = f"{names_in_words(gone)} resigned. " if result.by_resignation else ""
    return f"{resigned}{winners_in_words(winners, game.players)}. {match_game.position.scores_in_words()}."


def match_line(match: Match) -> str:
    """Return the standing of a match of several games."""
    points = match.points()
    scores = ", ".join(f"{occupant(match, seat)} {number(total)}" for seat, total in enumerate(points))
    if not match.is_over:
        return f"After game {len(match.results())} of {match.config.games}: {scores}."
    winners = [occupant(match, seat) for seat in match.winners()]
    if len(winners) == len(match.seats):
        return f"The match is a draw: {scores}."
    return f"The match is won by {names_in_words(winners)}: {scores}."


def number(value: float) -> str:
    """Return a score without needless digits."""
    return f"{value:g}"


def sentence(text: str) -> str:
    """Add a full stop, and a capital unless the text begins with an action or a file."""
    told = capitalised(text) if text.partition(" ")[0].rstrip(":").isalpha() else text
    return told if text[-1:] in ".!?" else f"{told}."


_CLEAR = "\x1b[H\x1b[2J"


class Screen:
    """Standard output, which is cleared before each drawing if it is a terminal that supports it."""

    def __init__(self) -> None:
        self.redraws = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        """Whether each drawing replaces the last one."""

    def show(self, match: Match, overlays: Collection[str] = (), legal: bool = False) -> None:
        """Draw the game in progress, and say what happened last and whose turn it is."""
        self._board(match, match.current_game, overlays, legal)
        for line in news(match):
            say(line)
        say(turn_line(match), bold=True)

    def show_finished(self, match: Match, match_game: MatchGame, overlays: Collection[str] = ()) -> None:
        """Draw a finished game, and say how it ended."""
        self._board(match, match_game, overlays, False)
        say(outcome(match_game), bold=True)
        if match.config.games > 1:
            say(match_line(match))

    def _board(self, match: Match, match_game: MatchGame, overlays: Collection[str], legal: bool) -> None:
        position, game = match_game.position, match_game.game
        click.echo(_CLEAR if self.redraws else "", nl=not self.redraws)
        say(f"{title_line(match, match_game)}\n{seats_line(match, match_game)}\n")
        click.echo(position.text(colour=has_colours(), legal=legal, overlays=overlays))
        say(f"{sentence(game.description.explain.account(position))}\n")


class Quit(Exception):  # noqa: N818 - no error
    """The person wants to quit."""


def ask(match: Match, commands: Sequence[str]) -> str:
    """Read a line from the person to act; Tab completes actions and commands.

    Raises Quit at the end of the input.
    """
    _complete(lambda: _completions(match, commands))
    return line(f"{_who(match)}> ")


def pause(prompt: str) -> None:
    """Wait for Enter. Raises Quit at the end of the input."""
    _complete(list)
    line(prompt)


def line(prompt: str) -> str:
    """Read a line and strip it. Raises Quit at the end of the input."""
    try:
        return input(prompt).strip()
    except EOFError:
        click.echo()
        raise Quit from None
    except UnicodeDecodeError:
        click.echo("Sorry, that input isn't valid text in this terminal's encoding.")
        return ""


def _who(match: Match) -> str:
    return "over" if match.to_act is None else seat_name(match, match.to_act)


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
