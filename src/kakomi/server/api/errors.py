"""How the API says no: `{"code": ..., "message": ...}`, the code for programs, the message for people."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from kakomi.core import IllegalAction
from kakomi.server.api.schemas import Problem
from kakomi.server.exceptions import Conflict, Denied, KeyReused
from kakomi.session import Refused

_CODES = {400: "malformed", 401: "who", 403: "csrf"}
_MESSAGES = {
    400: "the body should be JSON, and an object",
    401: "say who you are: Authorization: Bearer TOKEN, or the session of a page with its X-CSRFToken",
    403: "a session's request needs the header X-CSRFToken with the token of the page's cookie",
}
STATUSES = (400, 401, 403, 404, 409, 422)


def answers(model: object, status: int = 200) -> dict[Any, Any]:
    """The responses of an operation: this model, or a problem."""
    return {status: model, frozenset(STATUSES): Problem}


def spell_problems(api: NinjaAPI) -> None:
    """Make an API answer exceptions with problems."""

    def say(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
        return api.create_response(request, {"code": code, "message": message}, status=status)

    @api.exception_handler(Denied)
    def _denied(request: HttpRequest, error: Denied) -> HttpResponse:
        return denied_response(error)

    @api.exception_handler(Conflict)
    def _conflict(request: HttpRequest, error: Conflict) -> HttpResponse:
        return say(request, 409, "stale", str(error))

    @api.exception_handler(KeyReused)
    def _reused(request: HttpRequest, error: KeyReused) -> HttpResponse:
        return say(request, 422, "reused", str(error))

    @api.exception_handler(Refused)
    def _refused(request: HttpRequest, error: Refused) -> HttpResponse:
        return say(request, 422, "refused", str(error))

    @api.exception_handler(IllegalAction)
    def _illegal(request: HttpRequest, error: IllegalAction) -> HttpResponse:
        return say(request, 422, "illegal", str(error))

    @api.exception_handler(Http404)
    def _missing(request: HttpRequest, error: Http404) -> HttpResponse:
        return say(request, 404, "missing", str(error))

    @api.exception_handler(ValidationError)
    def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        return say(request, 422, "malformed", "; ".join(_flaws(error.errors)))

    @api.exception_handler(HttpError)
    def _other(request: HttpRequest, error: HttpError) -> HttpResponse:
        status = error.status_code
        return say(request, status, _CODES.get(status, "refused"), _MESSAGES.get(status, str(error)))


def refuse_unknown_parameters(api: NinjaAPI) -> None:
    """Have every operation refuse a parameter that it doesn't know, as it refuses such a field."""
    for _, router in api._routers:
        for view in router.path_operations.values():
            for operation in view.operations:
                extra = (operation.openapi_extra or {}).get("parameters", ())
                if any(parameter.get("explode") for parameter in extra):
                    continue  # it reads the whole query by itself
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
    """The answer to who isn't known by what they sent, for views of the API that ninja doesn't call too."""
    content = {"code": error.code, "message": str(error)}
    return JsonResponse(content, status=error.status, headers={"WWW-Authenticate": error.challenge})


def _flaws(errors: Iterable[dict[str, Any]]) -> Iterable[str]:
    """The first few, each with its place: `body.seats.0: ...`."""
    for error in list(errors)[:5]:
        place = ".".join(str(part)[:40] for part in error["loc"] if part != "body")
        yield f"{place or 'the body'}: {error['msg']}"
