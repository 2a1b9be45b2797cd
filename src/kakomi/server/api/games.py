"""The games, and how they can be set up."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Router, Schema

from kakomi import catalog
from kakomi.core import Description, Game
from kakomi.core.option import Option, Options
from kakomi.server.api.errors import answers
from kakomi.session import Refused

router = Router(tags=["games"])

_OPTIONS = {
    "name": "options",
    "in": "query",
    "description": "options of the game by name, such as size=8",
    "style": "form",
    "explode": True,
    "schema": {"type": "object", "additionalProperties": {"type": "integer"}},
}


class Allowed(Schema):
    """The values of an option: `least` to `most` by `step`, or `values` where they are not evenly spaced."""

    least: int
    most: int
    step: int = 1
    values: list[int] | None = None


class OptionOut(Schema):
    """One option, given the values of those before it."""

    name: str
    help: str
    default: int
    value: int
    allowed: Allowed
    presets: list[int]


class GameOut(Schema):
    """A game one can play."""

    name: str
    title: str
    summary: str
    author: str
    year: str
    credit: str
    players: list[str]
    has_draws: bool
    may_negotiate: bool
    match_games: int


class GameWithOptions(GameOut):
    """A game, and how it can be set up."""

    options: list[OptionOut]
    points: list[str]


@router.get("", auth=None, response=answers(list[GameOut]), url_name="games")
def games(request: HttpRequest) -> list[GameOut]:
    """All games."""
    return [_game(catalog.describe(name)) for name in catalog.names()]


@router.get(
    "/{name}",
    auth=None,
    response=answers(GameWithOptions),
    url_name="game",
    openapi_extra={"parameters": [_OPTIONS]},
)
def game(request: HttpRequest, name: str) -> GameWithOptions:
    """A game with its options. The values of an option may depend on the options before it."""
    if name not in catalog.names():
        raise Http404(f"there is no game {name[:40]!r}; there are: {', '.join(catalog.names())}")
    try:
        return _game_with_options(catalog.game(name, **request.GET.dict()))
    except ValueError as error:
        raise Refused(str(error)) from None


def _game(description: Description) -> GameOut:
    """A game in a list."""
    return GameOut(**_described(description))


def _game_with_options(game: Game) -> GameWithOptions:
    """A game as it is set up."""
    known: dict[str, int] = {}
    options = []
    for option in game.description.options:
        options.append(_option(option, known, game.options[option.name]))
        known[option.name] = game.options[option.name]
    described = {**_described(game.description), "players": list(game.player_names)}
    return GameWithOptions(**described, options=options, points=list(game.geometry.names))


def _described(description: Description) -> dict[str, Any]:
    return {
        "name": description.name,
        "title": description.title,
        "summary": description.summary,
        "author": description.author,
        "year": description.year,
        "credit": description.credit,
        "players": list(description.player_names),
        "has_draws": description.has_draws,
        "may_negotiate": bool(description.komi_option),
        "match_games": description.match_games,
    }


def _option(option: Option, known: Options, value: int) -> OptionOut:
    return OptionOut(
        name=option.name,
        help=option.help,
        default=option.default_given(known),
        value=value,
        allowed=_allowed(option.allowed_given(known)),
        presets=list(option.presets),
    )


def _allowed(values: Sequence[int]) -> Allowed:
    if isinstance(values, range):
        return Allowed(least=values[0], most=values[-1], step=values.step)
    return Allowed(least=min(values), most=max(values), values=list(values))
