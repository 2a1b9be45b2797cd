"""The page about a person, and the page on which people take their data home or have themselves erased."""

from http import HTTPStatus

from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts import services
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.models import User
from kakomi.server.accounts.selectors import has_blocked
from kakomi.server.accounts.views import private
from kakomi.server.people import erasure, selectors
from kakomi.server.people.export import archive_response
from kakomi.server.people.profile import Profile
from kakomi.server.whole_numbers import whole_number


@require_safe
def person(request: HttpRequest, handle: str) -> HttpResponse:
    """What everybody may know of somebody with an account."""
    user = selectors.find_person(handle)
    if handle != user.username:
        return redirect("person", user.username)
    viewer, asked = guest_of(request), request.GET.get("before", "")
    before = whole_number(asked, digits=18)
    if asked and before is None:
        raise Http404(lazy_message("There is no such page of the list. Begin at its start."))
    is_own = viewer is not None and viewer.pk == user.guest_id
    context = {
        "person": user,
        "profile": Profile(user.guest, is_own, before),
        "is_blocked": has_blocked(viewer, user.guest),
    }
    return render(request, "people/person.html", context)


@require_POST
def block(request: HttpRequest, handle: str) -> HttpResponse:
    """Block somebody, or no longer (`wanted` is `no`)."""
    user, guest = selectors.find_person(handle), known_guest(request)
    change = services.unblock if request.POST.get("wanted") == "no" else services.block
    change(guest, user.guest)
    return redirect("person", user.username)


@require_http_methods(["GET", "HEAD", "POST"])
@private
def my_data(request: HttpRequest) -> HttpResponse:
    """The page; a POST, with a confirmation, erases whoever sends it."""
    guest, wrong = guest_of(request), ""
    user = User.objects.filter(guest=guest).first() if guest else None
    if request.method == "POST" and guest is not None:
        wrong = _unconfirmed(request, user)
        if not wrong:
            erasure.erase(guest)
            logout(request)
            return render(request, "people/erased.html")
    context = {
        "guest": guest,
        "account": user,
        "running": erasure.running_games(guest) if guest else 0,
        "wrong": wrong,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "people/my_data.html", context, status=status)


def _unconfirmed(request: HttpRequest, user: User | None) -> str:
    """What is missing until somebody is erased; empty if nothing is."""
    if user is not None and not request.user.is_authenticated:
        return gettext("Sign in first: this browser knows the account only by an older link.")
    if user is not None and user.is_staff:
        return gettext("Staff can’t erase themselves: another one has to take your rights away first.")
    if user is not None and user.has_usable_password():
        if not user.check_password(request.POST.get("password", "")):
            return gettext("That is not your password. Nothing was erased.")
        return ""
    words = gettext("erase me")
    if request.POST.get("confirmation", "").strip().casefold() != words.casefold():
        return gettext("Write “{words}” into the field. Nothing was erased.").format(words=words)
    return ""


@require_safe
def my_archive(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """All of one's own data as one file."""
    guest = guest_of(request)
    return redirect("my_data") if guest is None else archive_response(request, guest)
