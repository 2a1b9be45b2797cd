"""Games by name, and texts about them for all apps."""

from collections.abc import Sequence

from django.http import Http404
from django.utils.translation import gettext, ngettext

from kakomi import catalog
from kakomi.core import Description, Game, Position
from kakomi.core.i18n import lazy_message, range_in_words
from kakomi.records import Record
from kakomi.server.site.language import translate
from kakomi.session.time_control import DAY


def find_description(name: str) -> Description:
    """The description of a game. Raises Http404 with the names of all games if there is no such game."""
    if name not in catalog.names():
        raise Http404(
            lazy_message(
                "There is no game called {name}. Available games: {names}.",
                name=repr(name[:40]),
                names=", ".join(catalog.names()),
            )
        )
    return catalog.describe(name)


MINUTE, HOUR = 60, 3600


def size_label(game: Game) -> str:
    """The board's size: `8 × 8`, or the size and the number of points if the board isn't square."""
    size, points = game.geometry.size, game.geometry.points
    if size * size == points:
        return f"{size} × {size}"
    return gettext("size {size}, {points} points").format(size=size, points=points)


def board_label(game: Game) -> str:
    """The board's size, and the number of players if it isn't two."""
    words = size_label(game)
    if game.players == 2:
        return words
    return gettext("{size}, {count} players").format(size=words, count=game.players)


def option_labels(game: Game, *, unusual: bool = False) -> list[tuple[str, str]]:
    """The titles and values of a game's options in words, except those in `board_label` and those without
    words.

    With `unusual`, only those that differ from their defaults.
    """
    return [
        (translate(option.title), words)
        for option in game.description.options
        if option.name not in ("size", "players")
        and (words := translate(option.in_words(game.options[option.name])))
        and not (unusual and game.options[option.name] == option.default_given(game.options))
    ]


def setup_label(game: Game) -> str:
    """The board and the unusual options: `8 × 8 · a lead of 6 points wins at once`."""
    return " · ".join([board_label(game), *(words for _, words in option_labels(game, unusual=True))])


def allowed_label(allowed: Sequence[int]) -> str:
    """The possible values of an option: a range in words, or the values themselves."""
    return translate(range_in_words(allowed))


def player_label(description: Description, number: int) -> str:
    """The name of a player: a colour."""
    return translate(description.player_names[number])


def expectation(position: Position) -> str:
    """The player to act and the next step, in a sentence."""
    if position.is_over:
        return gettext("The game is over.")
    description = position.game.description
    name = translate(position.game.player_names[position.to_move])
    said = gettext("{player} to move: {what}.")
    return said.format(player=name, what=translate(description.explain.expects(position)))


def ending_label(record: Record, game: Game) -> str:
    """How a recorded game ended other than by the rules; empty if it didn't."""
    if record.result is None or record.result.reason == "rules":
        return ""
    return gettext("In the actual game, play ended after move {turn}: {result}.").format(
        turn=record.length, result=translate(record.result.in_words(game.player_names))
    )


def span_label(seconds: float) -> str:
    """A duration in whole days, whole hours or minutes."""
    days, hours = int(seconds // DAY), int(seconds // HOUR)
    if days and not seconds % DAY:
        return gettext("{days} days").format(days=days) if days > 1 else gettext("1 day")
    if hours and not seconds % HOUR:
        return gettext("{hours} hours").format(hours=hours) if hours > 1 else gettext("1 hour")
    minutes = int(seconds // MINUTE)
    return ngettext("{minutes} minute", "{minutes} minutes", minutes).format(minutes=minutes)
