"""Guests, for programs: become one, and see who one is."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from kakomi.server.accounts.auth import GUESTS, guest_behind
from kakomi.server.accounts.forms import Preferences
from kakomi.server.accounts.models import NAME_LENGTH, Guest
from kakomi.server.api.errors import answers
from kakomi.server.api.schemas import Strict

router = Router(tags=["guests"])


class GuestIn(Strict):
    """The guest to become."""

    name: Annotated[str, Field(max_length=NAME_LENGTH)] = ""
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Ada's program"}]})


class GuestOut(Schema):
    """A guest. The token alone makes a program this guest: keep it."""

    token: str
    name: str


@router.post("/guests", response=answers(GuestOut, 201), url_name="guests")
def new_guest(request: HttpRequest, wish: GuestIn) -> Status[Guest]:
    """Create a guest. The returned token goes with all of the guest's requests."""
    return Status(201, Guest.objects.create(name=Preferences.of({"name": wish.name}).name or ""))


@router.get("/me", auth=GUESTS, response=answers(GuestOut), url_name="me")
def me(request: HttpRequest) -> Any:
    """The guest of the token or of the session."""
    return guest_behind(request)
