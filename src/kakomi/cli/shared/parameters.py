"""Parameters that commands share: a game with its options, a position, numbers.

A command of class `GameCommand` has the argument `GAME` and takes the options in the description of that
game, so nothing here depends on a particular game.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from kakomi.core import Description, Game, Option, Position

_CHOSEN = "kakomi: chosen options"
_MOST_DIGITS = 100
"""Longer numbers stay text, since Python may refuse to parse them; the option's check rejects them."""
_OFFERED = "kakomi: offered options"


class GameCommand(click.Command):
    """A command that takes the options of the game named in its arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments, finding the game first because the options depend on it."""
        ctx.meta[_CHOSEN] = {}
        ctx.meta[_OFFERED] = offered = _options_of_game_in(args, is_usual=self.name == "play")
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            names = ", ".join(_spelled(option) for option in offered)
            advice = f"; the game's options are {names}" if offered else ""
            raise click.UsageError(f"there is no option {error.option_name}{advice}", ctx) from None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters, then the game's options that don't clash with them."""
        own = super().get_params(ctx)
        taken = {name for param in own for name in param.opts}
        games = [_parameter(option) for option in ctx.meta.get(_OFFERED, ())]
        return own + [param for param in games if param.opts[0] not in taken]


def _options_of_game_in(args: list[str], *, is_usual: bool) -> Sequence["Option"]:
    """Return the options of the named game, with its own defaults or those of the usual terms."""
    from kakomi import catalog

    named = [arg.lower() for arg in args if arg.lower() in catalog.names()]
    options = catalog.describe(named[0]).options if named else ()
    return [replace(o, default=o.presets[0]) if is_usual and o.presets else o for o in options]


def _parameter(option: "Option") -> click.Option:
    return click.Option(
        [f"game_option_{option.name}", _spelled(option)],  # clashes with no parameter of a command
        metavar="N",
        help=f"{option.help} {allowed_in_words(option)}".strip(),
        expose_value=False,
        callback=lambda ctx, param, value: _choose(ctx, option.name, value),
    )


def _spelled(option: "Option") -> str:
    return "--" + option.name.replace("_", "-")


def allowed_in_words(option: "Option") -> str:
    """Return an option's values, for help. The game itself explains values that depend on other options."""
    from kakomi.core.i18n import range_in_words

    may_be = "" if callable(option.allowed) else range_in_words(option.allowed)
    default = "" if callable(option.default) else f"default: {option.default}"
    told = "; ".join(part for part in (may_be, default) if part)
    return f"({told})" if told else ""


def _choose(ctx: click.Context, name: str, value: str | None) -> None:
    if value is not None:
        is_number = value.removeprefix("-").isdecimal() and len(value) <= _MOST_DIGITS
        ctx.meta[_CHOSEN][name] = int(value) if is_number else value


def _choose_generally(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> None:
    for text in values:
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise click.BadParameter(f"{text!r} should look like size=8", ctx=ctx, param=param)
        _choose(ctx, name.strip().replace("-", "_"), value.strip())


general_option = click.option(
    "-o",
    "--option",
    metavar="NAME=N",
    multiple=True,
    expose_value=False,
    callback=_choose_generally,
    help="An option of the game, such as size=8; repeatable.",
)
"""Any game option as NAME=N, for scripts and for names that a command uses itself."""


def chosen_options(ctx: click.Context) -> Mapping[str, Any]:
    """Return the game's options as given, unchecked."""
    chosen: Mapping[str, Any] = ctx.meta[_CHOSEN]
    return chosen


def chosen_game(ctx: click.Context, name: str) -> "Game":
    """Return the game with the given options. Raises UsageError saying what is wrong."""
    from kakomi import catalog

    try:
        return catalog.game(checked_game_name(name), **chosen_options(ctx))
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None


def all_descriptions() -> "list[Description]":
    """Return the descriptions of all games. Games that can't be loaded are reported on standard error."""
    from kakomi import catalog

    found = []
    for name in catalog.names():
        try:
            found.append(catalog.describe(name))
        except Exception as error:  # a third-party package may raise anything
            click.echo(f"kakomi: the game {name!r} can't be loaded: {error}", err=True)
    return found


def checked_game_name(name: str) -> str:
    """Return a game's name in lower case. Raises UsageError, with the likeliest name, if there is none."""
    from difflib import get_close_matches

    from kakomi import catalog

    if name.lower() in catalog.names():
        return name.lower()
    near = get_close_matches(name.lower(), catalog.names(), 1, 0.5)
    advice = f"did you mean {near[0]}?" if near else f"the games are {', '.join(catalog.names())}"
    raise click.UsageError(f"there is no game {name!r}; {advice}")


def game_line(game: "Game", *, without: str = "") -> str:
    """Return the game with its options: `Lin · size 9 · line 6 · komi 4`."""
    options = [f"{name.replace('_', ' ')} {value}" for name, value in game.options.items() if name != without]
    return " · ".join([game.description.title, *options])


position_option = click.option(
    "--position",
    "position_text",
    metavar="TEXT",
    help="Start from this position, as `kakomi show --one-line` prints it.",
)
from_option = click.option(
    "--from", "actions", metavar="ACTIONS", default="", help="Play these actions first, separated by spaces."
)


def chosen_position(ctx: click.Context, game: "Game", text: str | None, actions: str) -> "Position":
    """Return the position of `--position`, or the game's start, after the actions of `--from`.

    Raises UsageError saying what is wrong with the text, or which action can't be played.
    """
    try:
        position = game.start() if text is None else game.position(text)
    except ValueError as error:
        raise click.UsageError(f"--position: {error}", ctx) from None
    for number, action in enumerate(actions.split(), 1):
        try:
            position = position.play(action)
        except ValueError as error:
            raise click.UsageError(f"--from, action {number}: {error}", ctx) from None
    return position


def position_of_game(ctx: click.Context, name: str, text: str) -> "Position":
    """Return the position of `--position` in the game of `--game`, for commands that otherwise take records.

    Raises UsageError, also if no game is named.
    """
    from kakomi import catalog

    if not name:
        raise click.UsageError("--position needs --game NAME", ctx)
    try:
        game = catalog.game(checked_game_name(name), **chosen_options(ctx))
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    return chosen_position(ctx, game, text, "")


class _Seed(click.IntRange):
    def _describe_range(self) -> str:
        return ""  # help needs no limits that nobody reaches


SEED = _Seed(-(2**63), 2**63 - 1)
"""A seed: any signed 64-bit integer."""


class FiniteRange(click.FloatRange):
    """A number within limits, excluding `nan`, which compares with none, and `inf`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number. Fails for other values."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number", param, ctx)
        return number
