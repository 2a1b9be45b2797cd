"""Guests, for programs: become one, and see who one is."""

from typing import Annotated

from django.http import Http404, HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from kakomi.server.accounts.auth import guest_behind, guests, token_behind
from kakomi.server.accounts.forms import Preferences
from kakomi.server.accounts.models import NAME_LENGTH, ApiToken, Guest
from kakomi.server.accounts.tokens import SCOPES
from kakomi.server.api.errors import answers
from kakomi.server.api.schemas import Strict

router = Router(tags=["guests"])


class GuestIn(Strict):
    """The guest to become."""

    name: Annotated[str, Field(max_length=NAME_LENGTH)] = ""
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Ada's program"}]})


class GuestOut(Schema):
    """A new guest. The token alone makes a program this guest: keep it."""

    token: str
    name: str


class MeOut(Schema):
    """For whom a program acts, and what it may."""

    token: str | None
    """Of a guest without an account; other tokens are not told again."""
    name: str
    person: str | None
    """The name of the account; null without one."""
    is_bot: bool
    scopes: list[str]


class TokenOut(Schema):
    """The token that a request came with. Moments are seconds since the epoch."""

    name: str
    scopes: list[str]
    created_at: float
    expires_at: float | None


@router.post("/guests", auth=None, response=answers(GuestOut, 201), url_name="guests")
def new_guest(request: HttpRequest, wish: GuestIn) -> Status[Guest]:
    """Create a guest. The returned token goes with all of the guest's requests."""
    return Status(201, Guest.objects.create(name=Preferences.of({"name": wish.name}).name or ""))


@router.get("/me", auth=guests("read"), response=answers(MeOut), url_name="me")
def me(request: HttpRequest) -> MeOut:
    """The guest of the token or of the session."""
    guest, token = guest_behind(request), token_behind(request)
    assert guest is not None  # `guests` let nobody else in
    return MeOut(
        token=guest.token if guest.handle is None else None,
        name=guest.name,
        person=guest.handle,
        is_bot=guest.is_bot,
        scopes=token.scopes if token else list(SCOPES),
    )


@router.get("/token", auth=guests("read"), response=answers(TokenOut), url_name="token")
def token(request: HttpRequest) -> ApiToken:
    """The token of the request: what it may, and for how long."""
    return _token(request)


@router.delete("/token", auth=guests("read"), response=answers(None, 204), url_name="token")
def end_token(request: HttpRequest) -> Status[None]:
    """End the token of the request, at once and for good: for one that got about."""
    _token(request).delete()
    return Status(204, None)


def _token(request: HttpRequest) -> ApiToken:
    """Raises Http404 for a session, or the token of a private link."""
    found = token_behind(request)
    if found is None:
        raise Http404("this request came without a token that somebody has made")
    return found
