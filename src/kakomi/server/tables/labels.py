"""Tables in words: boards, and who sits where."""

from collections.abc import Sequence

from django.utils.translation import gettext, gettext_lazy

from kakomi.core import Description, Game
from kakomi.core.option import spelled
from kakomi.server.language import translate
from kakomi.server.tables import models
from kakomi.session import TimeControl

LEVEL_WORDS = (
    gettext_lazy("for a first game"),
    gettext_lazy("for a second game"),
    gettext_lazy("knows a trick or two"),
    gettext_lazy("plays with a plan"),
    gettext_lazy("a fair opponent"),
    gettext_lazy("punishes mistakes"),
    gettext_lazy("hard to surprise"),
    gettext_lazy("strong"),
    gettext_lazy("very strong"),
    gettext_lazy("the strongest; thinks for about two seconds a turn"),
)
"""What the levels 1 to 10 mean to somebody who has not met them."""


def size_label(game: Game) -> str:
    """The board's size as players say it: `8 × 8`, or its points where that is not what sizes count."""
    size, points = game.geometry.size, game.geometry.points
    if size * size == points:
        return f"{size} × {size}"
    return gettext("size {size}, {points} points").format(size=size, points=points)


def board_label(game: Game) -> str:
    """The size, and how many play if it isn't two."""
    words = size_label(game)
    if game.players == 2:
        return words
    return gettext("{size}, {count} players").format(size=words, count=game.players)


def seat_label(seat: models.Seat) -> str:
    """Who sits there, in a few words."""
    if seat.bot.isdecimal():
        return gettext("level {level}").format(level=seat.bot)
    if seat.is_free:
        return gettext("a friend")
    return seat.bot or seat.name or (seat.guest.name if seat.guest else "") or gettext("a guest")


def level_label(level: int) -> str:
    """What a level means."""
    return str(LEVEL_WORDS[level - 1])


def option_labels(game: Game) -> list[tuple[str, int]]:
    """The game's options but those that the board's words say, each with what it means."""
    return [
        (translate(option.help), game.options[option.name])
        for option in game.description.options
        if option.name not in ("size", "players")
    ]


def player_label(description: Description, number: int) -> str:
    """A player's colour."""
    return translate(description.player_names[number])


def allowed_label(allowed: Sequence[int]) -> str:
    """What an option may be: a range in words, or the values themselves."""
    return translate(spelled(allowed))


def time_control_label(text: str) -> str:
    """A time control that is offered, in words: `5+3` is five minutes and three seconds more a turn."""
    first, _, increment = text.partition("+")
    if not text:
        return gettext("none")
    if not increment:
        return gettext("{seconds} s a turn").format(seconds=first)
    return gettext("{minutes} min + {seconds} s").format(minutes=first, seconds=increment)


def clock_label(control: TimeControl) -> str:
    """A time control that was agreed on, in a sentence."""
    if control.kind == "simple":
        return gettext("{seconds:g} seconds for each turn").format(seconds=control.initial)
    said = gettext("{minutes:g} minutes, and {seconds:g} seconds more a turn")
    return said.format(minutes=control.initial / 60, seconds=control.increment)
