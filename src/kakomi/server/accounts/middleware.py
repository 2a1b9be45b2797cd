"""The guest of a request, and how a browser becomes a guest."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.sessions import BEFORE_KEY, GUEST_KEY, SIGN_OUTS_KEY, USER_AGENT_KEY
from kakomi.server.accounts.signals import browser_changing_guest
from kakomi.server.site.django_private import PreparedQuery

_LONGEST_USER_AGENT = 300
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
    """The guest of a request's session, or None. A guest with a user must be signed in."""
    number = request.session.get(GUEST_KEY)
    guest = _NUMBERED.first(number) if isinstance(number, int) else None
    return guest if guest is not None and _is_of(request, guest) else None


def _is_of(request: HttpRequest, guest: Guest) -> bool:
    if guest.has_user and not request.session.is_signed_in:  # type: ignore[attr-defined]
        return False
    # `>=` and not `==`, since a restored backup may have a lower number.
    return bool(request.session.get(SIGN_OUTS_KEY, 0) >= guest.sign_outs)


def is_still(request: HttpRequest, guest: Guest) -> bool:
    """Whether the session of a long-running request is still valid for its guest, who was read just now."""
    is_kept: bool = request.session.is_kept()  # type: ignore[attr-defined]
    return _is_of(request, guest) and (is_kept or not guest.has_user)


def known_guest(request: HttpRequest) -> Guest:
    """The guest of a request, created if there was none."""
    guest = guest_of(request)
    if guest is None:
        guest = Guest.objects.create()
        become(request, guest)
    return guest


def become(request: HttpRequest, guest: Guest) -> None:
    """Make a browser this guest from now on."""
    if request.session.get(GUEST_KEY) != guest.pk:
        browser_changing_guest.send(Guest, request=request)
    request.session[GUEST_KEY], request.session[SIGN_OUTS_KEY] = guest.pk, guest.sign_outs
    request.guest = guest  # type: ignore[attr-defined]


def become_user(request: HttpRequest, user: User) -> None:
    """Make a browser in which somebody has signed in their guest, until they sign out."""
    before = guest_of(request)
    is_other = before is not None and before.pk != user.guest_id and not before.has_user
    request.session[BEFORE_KEY] = [before.pk, before.sign_outs] if before and is_other else None
    request.session[USER_AGENT_KEY] = request.headers.get("User-Agent", "")[:_LONGEST_USER_AGENT]
    become(request, user.guest)


def guest_before(request: HttpRequest) -> Guest | None:
    """The guest that a browser was before a user signed in, and will be again after they sign out."""
    number, sign_outs = request.session.get(BEFORE_KEY) or (0, 0)
    guest = Guest.objects.filter(pk=number).first() if number else None
    return guest if guest and sign_outs >= guest.sign_outs else None


def forget_guest_before(request: HttpRequest) -> None:
    """Leave a browser without a guest after its user signs out."""
    request.session[BEFORE_KEY] = None
