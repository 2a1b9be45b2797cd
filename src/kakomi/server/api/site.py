"""The API, put together."""

from typing import Any

from django.http import HttpRequest
from ninja import NinjaAPI, Router, Status

from kakomi.server.accounts.auth import GUESTS, guest_behind
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.preferences import Preferences
from kakomi.server.api import games, schemas, tables
from kakomi.server.api.errors import answers, spell_problems
from kakomi.server.api.parser import StrictParser

api = NinjaAPI(
    title="Kakomi",
    version="1",
    description="Five abstract strategy games, for programs that play them.",
    urls_namespace="api",
    docs_url=None,  # its pages load scripts from elsewhere; docs/api.md is for reading
    parser=StrictParser(),
)
spell_problems(api)

guests = Router(tags=["guests"])


@guests.post("/guests", response=answers(schemas.GuestOut, 201), url_name="guests")
def new_guest(request: HttpRequest, wish: schemas.GuestIn) -> Status[Guest]:
    """Become somebody: the token that comes back goes with all that this guest does."""
    return Status(201, Guest.objects.create(name=Preferences.of({"name": wish.name}).name or ""))


@guests.get("/me", auth=GUESTS, response=answers(schemas.GuestOut), url_name="me")
def me(request: HttpRequest) -> Any:
    """Who the token, or the session, belongs to."""
    return guest_behind(request)


api.add_router("/games", games.router)
api.add_router("", guests)
api.add_router("", tables.router)
