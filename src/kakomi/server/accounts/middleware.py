"""Every request knows its guest."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from kakomi.server.accounts.models import Guest
from kakomi.server.django_private import PreparedQuery

SESSION_KEY = "guest"
_SIGN_OUTS_KEY = "sign_outs"
_NUMBERED = PreparedQuery(lambda number: Guest.objects.filter(pk=number))


def guest_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Set `request.guest` to the guest of the session, or to None; looked up on first use."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.guest = SimpleLazyObject(lambda: guest_of(request))  # type: ignore[attr-defined]
        return get_response(request)

    return middleware


def guest_of(request: HttpRequest) -> Guest | None:
    """The guest of a request's session, if they are known."""
    number = request.session.get(SESSION_KEY)
    guest = _NUMBERED.first(number) if isinstance(number, int) else None
    # Not `!=`: a backup that was put back may know of fewer.
    return None if guest and request.session.get(_SIGN_OUTS_KEY, 0) < guest.sign_outs else guest


def known_guest(request: HttpRequest) -> Guest:
    """The guest of a request, made now if there was none."""
    guest = guest_of(request)
    if guest is None:
        guest = Guest.objects.create()
        become(request, guest)
    return guest


def become(request: HttpRequest, guest: Guest) -> None:
    """Let a browser be this guest from now on."""
    request.session[SESSION_KEY], request.session[_SIGN_OUTS_KEY] = guest.pk, guest.sign_outs
    request.guest = guest  # type: ignore[attr-defined]
