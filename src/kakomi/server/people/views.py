"""The page about a person, and the page to download or erase one's own data."""

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
from kakomi.server.people import erasure, profile
from kakomi.server.people.export import archive_response
from kakomi.server.people.profile import Profile
from kakomi.server.site.whole_numbers import whole_number


@require_safe
def person(request: HttpRequest, handle: str) -> HttpResponse:
    """The public page of a person with an account."""
    user = profile.find_person(handle)
    if handle != user.username:
        return redirect("person", user.username)
    viewer, asked = guest_of(request), request.GET.get("before", "")
    before = whole_number(asked, digits=18)
    if asked and before is None:
        raise Http404(lazy_message("There is no such page in this list. Go back to the first one."))
    is_own = viewer is not None and viewer.pk == user.guest_id
    context = {
        "person": user,
        "profile": Profile(user.guest, is_own, before),
        "is_blocked": has_blocked(viewer, user.guest),
    }
    return render(request, "people/person.html", context)


@require_POST
def block(request: HttpRequest, handle: str) -> HttpResponse:
    """Block somebody, or unblock them if `wanted` is `no`."""
    user, guest = profile.find_person(handle), known_guest(request)
    change = services.unblock if request.POST.get("wanted") == "no" else services.block
    change(guest, user.guest)
    return redirect("person", user.username)


@require_http_methods(["GET", "HEAD", "POST"])
@private
def my_data(request: HttpRequest) -> HttpResponse:
    """The page of the viewer's own data. A confirmed POST erases the viewer."""
    guest, wrong = guest_of(request), ""
    user = User.objects.filter(guest=guest).first() if guest else None
    if request.method == "POST" and guest is not None:
        wrong = _why_not_confirmed(request, user)
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


def _why_not_confirmed(request: HttpRequest, user: User | None) -> str:
    """What is missing for the erasure to proceed; empty if nothing is."""
    if user is not None and not request.user.is_authenticated:
        return gettext("Sign in first: this browser is using an old private link.")
    if user is not None and user.is_staff:
        return gettext(
            "Moderators can’t delete their own account: another moderator has to remove your rights first."
        )
    if user is not None and user.has_usable_password():
        if not user.check_password(request.POST.get("password", "")):
            return gettext("Wrong password. Nothing was deleted.")
        return ""
    words = gettext("delete me")
    if request.POST.get("confirmation", "").strip().casefold() != words.casefold():
        return gettext("Enter “{words}” to confirm. Nothing was deleted.").format(words=words)
    return ""


@require_safe
def my_archive(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """Download the viewer's own data as one file."""
    guest = guest_of(request)
    return redirect("my_data") if guest is None else archive_response(request, guest)
