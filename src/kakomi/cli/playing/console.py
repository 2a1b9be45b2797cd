"""The terminal as players see it: a line of input with what it completes, boards in colours, and the
sentences of a game.
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
from kakomi.core.wording import names_in_words, range_in_words, winners_in_words
from kakomi.session import Event, Match, MatchGame


def title_line(match: Match, match_game: MatchGame) -> str:
    """The game without what isn't agreed yet; in a match, which game it is."""
    unnamed = match_game.game.description.komi_option if match_game.phase == "komi" else ""
    line = game_line(match_game.game, without=unnamed)
    place = match.config.played + match.games.index(match_game) + 1
    return f"{line} · game {place} of {match.config.games}" if match.config.games > 1 else line


def sitter(match: Match, seat: int) -> str:
    """The occupant of a seat: `you`, `person 2`, `level 4`."""
    if bot := match.seats[seat].bot:
        return make_bot(bot).name
    persons = sum(not other.is_bot for other in match.seats)
    return "you" if persons == 1 else f"person {seat + 1}"


def seat_name(match: Match, seat: int) -> str:
    """A seat's colour, or before colours are settled who sits there."""
    players = match.current_game.players
    return sitter(match, seat) if players is None else match.current_game.game.player_names[players[seat]]


def seats_line(match: Match, match_game: MatchGame) -> str:
    """Everybody in the order of play: `Black: you · White: level 4`."""
    order, titles = [match_game.first, 1 - match_game.first], ["First player", "Second player"]
    if match_game.players is not None:
        order, titles = (
            [match_game.players.index(p) for p in range(len(match.seats))],
            list(match_game.game.player_names),
        )
    gone = match_game.resigned_seats
    return " · ".join(
        f"{title}: {sitter(match, seat)}{' (resigned)' if seat in gone else ''}"
        for title, seat in zip(titles, order, strict=True)
    )


def news(match: Match) -> list[str]:
    """The others' actions since the seat to act last acted in this game."""
    events: list[Event] = []
    now = match
    while (
        now.last
        and now.before
        and now.last.seat != match.to_act
        and len(now.before.games) == len(match.games)
    ):
        events.append(now.last)
        now = now.before
    by_seat = groupby(reversed(events), key=lambda event: event.seat)
    return [f"{capitalised(_deeds(match, seat, list(did)))}." for seat, did in by_seat]


def _deeds(match: Match, seat: int, events: list[Event]) -> str:
    who = seat_name(match, seat) if events[0].kind in ("play", "resign") else sitter(match, seat)
    by_kind = groupby(events, key=lambda event: event.kind)
    return f"{who} {' and '.join(_deed(list(did), match.current_game) for _, did in by_kind)}"


def _deed(events: list[Event], match_game: MatchGame) -> str:
    match events[0].kind:
        case "komi":
            return f"names a komi of {events[0].value}"
        case "colour":
            return f"chooses {match_game.game.player_names[int(events[0].value or 0)]}"
        case "swap":
            return "swaps colours"
        case "resign":
            return "resigns"
        case "flag":
            return "runs out of time"
        case "forfeit":
            return "had to act when the round ended"
        case "absence":
            return "didn't begin in time"
        case "draw":
            return "agrees to a draw"
        case "replace":
            return "leaves the game to a bot"
        case "play":
            return "plays " + " ".join(str(event.value) for event in events)


def turn_line(match: Match) -> str:
    """The line about the turn: whose it is, its actions so far and the next step."""
    seat, match_game = match.to_act, match.current_game
    if seat is None:
        return "The match is over." if match.config.games > 1 else "The game is over."
    game = match_game.game
    whose = "Your turn" if sitter(match, seat) == "you" else f"{capitalised(seat_name(match, seat))}'s turn"
    if match_game.phase == "komi":
        other = capitalised(sitter(match, 1 - seat))
        return f"{whose}: name the komi, {komi_range(game)}. {other} then chooses a colour."
    if match_game.phase == "colour":
        return f"{whose}: the komi is {match_game.komi}; choose {' or '.join(game.player_names)}."
    if whose == "Your turn":
        whose += f" as {seat_name(match, seat)}"
    told = f"{whose}: {game.description.explain.expects(match_game.position)}."
    if match_game.position.turn:
        played = " ".join(game.action_texts[action] for action in match_game.position.turn)
        told += f" So far in this turn: {played}."
    if match_game.may_swap:
        told += f" Or `swap`: take over {game.player_names[0]} (no part of {game.description.title}'s rules)."
    return told


def komi_range(game: Game) -> str:
    """The range of the komi, and its meaning."""
    option = game.description.komi
    return f"{range_in_words(option.allowed_given(game.options))} ({option.help})"


def outcome(match_game: MatchGame) -> str:
    """How a finished game ended."""
    result, game = match_game.result(), match_game.game
    winners = (
        [game.player_names[match_game.players[seat]] for seat in result.winners] if match_game.players else []
    )
    gone = [game.player_names[player] for player in sorted(match_game.resigned)]
    scores = ", ".join(
        f"{name} {number(score)}"
        for name, score in zip(game.player_names, match_game.position.scores(), strict=True)
    )
    resigned = f"{names_in_words(gone)} resigned. " if result.by_resignation else ""
    return f"{resigned}{winners_in_words(winners, game.players)}. {scores}."


def match_line(match: Match) -> str:
    """How a match of several games stands."""
    points = match.points()
    scores = ", ".join(f"{sitter(match, seat)} {number(total)}" for seat, total in enumerate(points))
    if not match.is_over:
        return f"After game {len(match.results())} of {match.config.games}: {scores}."
    winners = [sitter(match, seat) for seat in match.winners()]
    if len(winners) == len(match.seats):
        return f"The match is a draw: {scores}."
    return f"The match goes to {names_in_words(winners)}: {scores}."


def number(value: float) -> str:
    """A score without needless digits."""
    return f"{value:g}"


def capitalised(text: str) -> str:
    """With a capital at the beginning of the sentence, the rest as it is."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """With a capital, unless it begins with an action or a file, and a full stop."""
    told = capitalised(text) if text.partition(" ")[0].isalpha() else text
    return told if text[-1:] in ".!?" else f"{told}."


_CLEAR = "\x1b[H\x1b[2J"


class Screen:
    """Standard output, cleared before each drawing where it is a terminal that can be."""

    def __init__(self) -> None:
        self.redraws = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        """Whether a drawing takes the place of the last one."""

    def show(self, match: Match, overlays: Collection[str] = (), legal: bool = False) -> None:
        """Draw the game being played, what happened last, and whose turn it is."""
        self._board(match, match.current_game, overlays, legal)
        for line in news(match):
            say(line)
        say(turn_line(match), bold=True)

    def show_finished(self, match: Match, match_game: MatchGame, overlays: Collection[str] = ()) -> None:
        """Draw a game that is over, and how it ended."""
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
