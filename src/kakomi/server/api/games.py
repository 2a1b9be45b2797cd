"""What can be played."""

from django.http import Http404, HttpRequest
from ninja import Router

from kakomi import catalog
from kakomi.server.api import schemas, shown
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


@router.get("", response=answers(list[schemas.GameOut]), url_name="games")
def games(request: HttpRequest) -> list[schemas.GameOut]:
    """All games."""
    return [shown.game_shown(catalog.describe(name)) for name in catalog.names()]


@router.get(
    "/{name}",
    response=answers(schemas.GameWithOptions),
    url_name="game",
    openapi_extra={"parameters": [_OPTIONS]},
)
def game(request: HttpRequest, name: str) -> schemas.GameWithOptions:
    """A game with its options; what an option may be can depend on the values of those before it."""
    if name not in catalog.names():
        raise Http404(f"there is no game {name[:40]!r}; there are: {', '.join(catalog.names())}")
    try:
        return shown.game_with_options(catalog.game(name, **request.GET.dict()))
    except ValueError as error:
        raise Refused(str(error)) from None
