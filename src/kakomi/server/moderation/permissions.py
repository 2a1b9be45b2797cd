"""The permissions of staff, and on whom they may be used."""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.sessions import has_shown_lately
from kakomi.session import Refused

MODERATE, ERASE = "moderation.moderate", "moderation.erase"
View = Callable[..., HttpResponse]


def may(user: object, permission: str) -> bool:
    """Whether a user is active staff with a permission."""
    return isinstance(user, User) and user.is_active and user.is_staff and user.has_perm(permission)


def for_staff(permission: str) -> Callable[[View], View]:
    """Restrict a view to staff with a permission who have signed in recently. Everyone else gets a 404."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
            if not may(request.user, permission):
                raise Http404
            if not has_shown_lately(request):
                back = request.get_full_path() if request.method == "GET" else reverse("moderation")
                return redirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': back})}")
            response = view(request, *args, **named)
            response["X-Robots-Tag"] = "noindex, nofollow"
            return response

        return never_cache(wrapped)

    return decorate


def staff_behind(request: HttpRequest) -> User:
    """The user of a request that has passed `for_staff`."""
    assert isinstance(request.user, User)
    return request.user


def is_own(by: User, guest: Guest) -> bool:
    """Whether a guest is the staff member, or one of their bots."""
    return guest.pk == by.guest_id or User.objects.filter(guest=guest, owner=by).exists()


def check_not_own(by: User, guest: Guest) -> None:
    """Raise Refused if a staff member would decide about themselves or one of their bots."""
    if is_own(by, guest):
        raise Refused(lazy_message("This is about you: another moderator has to decide."))


def has_other_staff(permission: str, but: User) -> bool:
    """Whether any other staff member has a permission."""
    return any(user.pk != but.pk for user in staff_with(permission))


def staff_with(permission: str) -> list[User]:
    """All active staff with a permission."""
    staff = User.objects.filter(is_staff=True, is_active=True).select_related("guest")
    return [user for user in staff if user.has_perm(permission)]
