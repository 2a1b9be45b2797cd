"""Who of staff may do what, and to whom."""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.administration.recent_sign_in import has_shown_lately
from kakomi.session import Refused

MODERATE, ERASE = "moderation.moderate", "moderation.erase"
View = Callable[..., HttpResponse]


def may(user: object, permission: str) -> bool:
    """Whether somebody is staff with a permission."""
    return isinstance(user, User) and user.is_active and user.is_staff and user.has_perm(permission)


def for_staff(permission: str) -> Callable[[View], View]:
    """Keep a page to staff with a permission who have shown lately who they are. To others there is none."""

    def kept(view: View) -> View:
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

    return kept


def staff_behind(request: HttpRequest) -> User:
    """The user of a request that `for_staff` let in."""
    assert isinstance(request.user, User)
    return request.user


def is_own(by: User, guest: Guest) -> bool:
    """Whether a person, or a bot, is one of staff themselves or theirs."""
    return guest.pk == by.guest_id or User.objects.filter(guest=guest, owner=by).exists()


def expect_other(by: User, guest: Guest) -> None:
    """Raise Refused where one of staff would decide about themselves or their bots."""
    if is_own(by, guest):
        raise Refused(lazy_message("This is about yourself: somebody else has to decide it."))


def others_who(permission: str, but: User) -> bool:
    """Whether anybody else of staff has a permission."""
    return any(user.pk != but.pk for user in staff_who(permission))


def staff_who(permission: str) -> list[User]:
    """All of staff who have a permission."""
    staff = User.objects.filter(is_staff=True, is_active=True).select_related("guest")
    return [user for user in staff if user.has_perm(permission)]
