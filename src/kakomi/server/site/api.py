"""The common parts of the JSON API: error responses, base schemas, and the operations about games.

Error responses are `{"code": ..., "message": ...}`: a code for programs, a message for people. Each app has
its operations in its own `api` module; `server/api_v1.py` combines them (docs/api.md is the contract).
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI, Query, Router, Schema
from ninja.errors import HttpError, ValidationError
from pydantic import ConfigDict, Field

from kakomi import catalog
from kakomi.core import Description, Game, IllegalAction, Position
from kakomi.core.option import Option, Options
from kakomi.server.site.exceptions import Conflict, Denied, KeyReused
from kakomi.session import Refused

_CODES = {400: "malformed", 401: "who", 403: "csrf"}
_MESSAGES = {
    400: "the body should be JSON, and an object",
    401: "say who you are: Authorization: Bearer TOKEN, or the session of a page with its X-CSRFToken",
    403: "a session's request needs the header X-CSRFToken with the token of the page's cookie",
}
_ERRORS: dict[type[Exception], tuple[int, str]] = {
    Conflict: (409, "stale"),
    KeyReused: (422, "reused"),
    Refused: (422, "refused"),
    IllegalAction: (422, "illegal"),
    Http404: (404, "missing"),
}
"""The status and code of errors whose text is the message."""
STATUSES = (400, 401, 403, 404, 409, 422)


def answers(model: object, status: int = 200) -> dict[Any, Any]:
    """The responses of an operation: this model, or a problem."""
    return {status: model, frozenset(STATUSES): Problem}


def spell_problems(api: NinjaAPI) -> None:
    """Register handlers that turn exceptions into problems."""

    def say(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
        return api.create_response(request, {"code": code, "message": message}, status=status)

    @api.exception_handler(Denied)
    def _denied(request: HttpRequest, error: Denied) -> HttpResponse:
        return denied_response(error)

    def say_error(request: HttpRequest, error: Exception, status: int, code: str) -> HttpResponse:
        return say(request, status, code, str(error))

    for kind, (status, code) in _ERRORS.items():
        api.add_exception_handler(kind, partial(say_error, status=status, code=code))

    @api.exception_handler(ValidationError)
    def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        return say(request, 422, "malformed", "; ".join(_flaws(error.errors)))

    @api.exception_handler(HttpError)
    def _other(request: HttpRequest, error: HttpError) -> HttpResponse:
        status = error.status_code
        return say(request, status, _CODES.get(status, "refused"), _MESSAGES.get(status, str(error)))


def refuse_unknown_parameters(api: NinjaAPI) -> None:
    """Make every operation refuse unknown query parameters, just as it refuses unknown fields."""
    for _, router in api._routers:
        for view in router.path_operations.values():
            for operation in view.operations:
                extra = (operation.openapi_extra or {}).get("parameters", ())
                if any(parameter.get("explode") for parameter in extra):
                    continue  # the operation reads the whole query itself
                models = [model for model in operation.models if model.__ninja_param_source__ == "query"]
                known = [name for model in models for name in model.__ninja_flatten_map__]
                operation.view_func = _expecting(operation.view_func, known)


def _expecting(view: Callable[..., Any], known: Sequence[str]) -> Callable[..., Any]:
    @wraps(view)
    def checked(request: HttpRequest, *values: Any, **named: Any) -> Any:
        said = f"there are only {', '.join(known)}" if known else "there are none here"
        unknown = [name for name in request.GET if name not in known]
        if unknown:
            wrong = f"there is no such parameter: {said}"
            raise ValidationError([{"loc": ("query", name), "msg": wrong} for name in unknown])
        return view(request, *values, **named)

    return checked


def denied_response(error: Denied) -> HttpResponse:
    """The response to a failed authentication, also for views of the API outside ninja."""
    content = {"code": error.code, "message": str(error)}
    return JsonResponse(content, status=error.status, headers={"WWW-Authenticate": error.challenge})


def _flaws(errors: Iterable[dict[str, Any]]) -> Iterable[str]:
    """The first five errors, each with its location: `seats.0: ...`."""
    for error in list(errors)[:5]:
        place = ".".join(str(part)[:40] for part in error["loc"] if part != "body")
        yield f"{place or 'the body'}: {error['msg']}"


Number = Annotated[int, Field(ge=-1_000_000, le=1_000_000, strict=True)]
ShortText = Annotated[str, Field(max_length=40)]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,40}$")]
"""The sender's idempotency key: a command sent again under the same key isn't executed again."""
GameName = Annotated[
    str, Query(max_length=40, pattern=r"^[^\x00]*$", description="only games of this name")
]  # databases don't accept NUL in texts
Place = Annotated[str, Query(max_length=40, description="the list after this place: `older` of another page")]


class Strict(Schema):
    """Input with known fields only: a misspelled field is an error."""

    model_config = ConfigDict(extra="forbid")


class Problem(Schema):
    """The reason why a request failed."""

    code: str
    message: str
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"code": "stale", "message": "the game has gone on meanwhile"}]}
    )


class PositionOut(Schema):
    """The board of the current game. `turn` has the actions of an unfinished turn, `contested` the part of
    scores that nobody has for good yet."""

    ply: int
    to_move: int
    is_over: bool
    stones: dict[str, int]
    scores: list[float]
    contested: float
    turn: list[str]
    previous_turn: list[str]
    legal: list[str]


def position_out(position: Position) -> PositionOut:
    """Convert a position for the API."""
    texts = position.game.action_texts
    return PositionOut(
        ply=position.ply,
        to_move=position.to_move,
        is_over=position.is_over,
        stones=position.stones(),
        scores=list(position.scores()),
        contested=position.contested(),
        turn=[texts[action] for action in position.turn],
        previous_turn=[texts[action] for action in position.previous_turn],
        legal=position.legal(),
    )


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
    """The values of an option: `least` to `most` by `step`, or `values` if they aren't evenly spaced."""

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
    """A game."""

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
    """A game with its options, and the names of its points."""

    options: list[OptionOut]
    points: list[str]


@router.get("", auth=None, response=answers(list[GameOut]), url_name="games")
def games(request: HttpRequest) -> list[GameOut]:
    """All games."""
    return [GameOut(**_described(catalog.describe(name))) for name in catalog.names()]


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


def _game_with_options(game: Game) -> GameWithOptions:
    """A game with the values of its options."""
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
