"""The page about a person, and the button that blocks them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts import services
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.selectors import has_blocked
from kakomi.server.people import selectors
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
