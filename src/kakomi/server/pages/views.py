"""Pages that belong to no table, and what they show of tables."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from kakomi import catalog
from kakomi.core import Description
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.tables.game_list import game_list, hide
from kakomi.server.tables.labels import size_label
from kakomi.server.tables.quick_start import QUICK_LEVEL, quick_options


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The games, and where the guest left off."""
    left = game_list(
        guest_of(request), with_all="all" in request.GET, deleted=request.GET.get("deleted", "")[:10]
    )
    games = [_offered(catalog.describe(name)) for name in catalog.names()]
    return render(request, "pages/home.html", {"games": games, "left": left, "level": QUICK_LEVEL})


def _offered(description: Description) -> dict[str, object]:
    options = quick_options(description)
    size = size_label(catalog.game(description.name, **options))
    return {"description": description, "options": options.items(), "size": size}


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Whose games these are, and what the site is."""
    games = [catalog.describe(name) for name in catalog.names()]
    return render(request, "pages/about.html", {"games": games})


@require_POST
def delete(request: HttpRequest, code: str) -> HttpResponse:
    """Take a game off the list; the list then offers to bring it back."""
    _set_hidden(request, code, hidden=True)
    return redirect(f"{reverse('home')}?deleted={code}#left-off")


@require_POST
def bring_back(request: HttpRequest, code: str) -> HttpResponse:
    """Put a game back on the list."""
    _set_hidden(request, code, hidden=False)
    return redirect(f"{reverse('home')}#left-off")


def _set_hidden(request: HttpRequest, code: str, *, hidden: bool) -> None:
    guest = guest_of(request)
    if guest is None or not hide(code, guest, hidden=hidden):
        raise Http404(lazy_message("You have no such game."))
