"""The guests API: create a guest, and show the guest and the token of a request."""

from typing import Annotated

from django.http import Http404, HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from kakomi.server.accounts.auth import api_token_of, guests, optional_guest
from kakomi.server.accounts.forms import name_in
from kakomi.server.accounts.models import NAME_LENGTH, ApiToken, Guest
from kakomi.server.accounts.tokens import SCOPES
from kakomi.server.site.api import Strict, answers

router = Router(tags=["guests"])


class GuestIn(Strict):
    """A guest to create."""

    name: Annotated[str, Field(max_length=NAME_LENGTH)] = ""
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Ada's program"}]})


class GuestOut(Schema):
    """A new guest. Keep the token: it is all that a program needs to act as this guest."""

    token: str
    name: str


class MeOut(Schema):
    """The guest for whom a program acts, and its scopes."""

    token: str | None
    """The token of a guest without an account; other tokens aren't shown again."""
    name: str
    person: str | None
    """The name of the account; null without one."""
    is_bot: bool
    scopes: list[str]


class TokenOut(Schema):
    """The token of a request. Times are seconds since the epoch."""

    name: str
    scopes: list[str]
    created_at: float
    expires_at: float | None


@router.post("/guests", auth=None, response=answers(GuestOut, 201), url_name="guests")
def new_guest(request: HttpRequest, wish: GuestIn) -> Status[Guest]:
    """Create a guest. Send the returned token with all of the guest's requests."""
    return Status(201, Guest.objects.create(name=name_in({"name": wish.name})))


@router.get("/me", auth=guests("read"), response=answers(MeOut), url_name="me")
def me(request: HttpRequest) -> MeOut:
    """The guest of the token or of the session."""
    guest, token = optional_guest(request), api_token_of(request)
    assert guest is not None  # ensured by `guests`
    return MeOut(
        token=guest.token if guest.handle is None else None,
        name=guest.name,
        person=guest.handle,
        is_bot=guest.is_bot,
        scopes=token.scopes if token else list(SCOPES),
    )


@router.get("/token", auth=guests("read"), response=answers(TokenOut), url_name="token")
def token(request: HttpRequest) -> ApiToken:
    """The token of the request: its scopes, and when it expires."""
    return _token(request)


@router.delete("/token", auth=guests("read"), response=answers(None, 204), url_name="token")
def end_token(request: HttpRequest) -> Status[None]:
    """Revoke the token of the request immediately, for example if it has leaked."""
    _token(request).delete()
    return Status(204, None)


def _token(request: HttpRequest) -> ApiToken:
    """The token of a request. Raises Http404 for a session, or the token of a private link."""
    found = api_token_of(request)
    if found is None:
        raise Http404("this request came without a token that somebody has made")
    return found
