"""A guest's own page: name, tastes, and the private link that takes their games along."""

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts import services
from kakomi.server.accounts.forms import Preferences, why_not
from kakomi.server.accounts.middleware import become, guest_of, known_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.presenters import Account
from kakomi.server.accounts.signals import guest_replaced

View = Callable[..., HttpResponse]


def private(view: View) -> View:
    """Keep a page with a token on it out of caches and indexes; no page tells other sites its address."""

    @wraps(view)
    def kept(request: HttpRequest, *arguments: object, **named: object) -> HttpResponse:
        response = view(request, *arguments, **named)
        response["Cache-Control"] = "no-store, private"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return kept


@require_safe
@private
def me(request: HttpRequest) -> HttpResponse:
    """The page of this browser's guest."""
    return _page(request, guest_of(request))


def _page(request: HttpRequest, guest: Guest | None, status: int = 200, **more: object) -> HttpResponse:
    context = {"guest": guest, "saved": "saved" in request.GET, **more}
    if guest and guest.has_user:
        context |= {"account": Account.of(request, guest.user), "is_new": "welcome" in request.GET}
    elif guest:
        context["link"] = request.build_absolute_uri(reverse("take_along", args=[guest.token]))
    return render(request, "accounts/me.html", context, status=status)


@require_POST
@private
def preferences(request: HttpRequest) -> HttpResponse:
    """Keep the preferences and go back to the page of the form."""
    wished = Preferences.of(request.POST)
    if wrong := why_not(wished.name or ""):
        return _page(request, guest_of(request), status=422, wrong=wrong, name=wished.name)
    if wished.concerns_guest:
        wished.apply(known_guest(request))
    response = redirect(_back(request))
    if wished.language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            wished.language,
            max_age=settings.SESSION_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def _back(request: HttpRequest) -> str:
    """The page that the form was on, if it is one of ours."""
    wanted = request.POST.get("next", "")
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()}):
        return wanted
    return reverse("me") + "?saved"


@require_POST
@private
def renew(request: HttpRequest) -> HttpResponse:
    """Replace the private link. The old link, and browsers that used it, no longer work."""
    guest = known_guest(request)
    if not guest.has_user:
        services.renew_link(guest)
        become(request, guest)
    return redirect(reverse("me") + "#link")


@require_http_methods(["GET", "HEAD", "POST"])
@private
def take_along(request: HttpRequest, token: str) -> HttpResponse:
    """The private link, opened somewhere: become that guest here, once that has been confirmed."""
    owner = Guest.objects.filter(token=token, user=None).first()
    if owner is None:
        raise Http404(
            lazy_message(
                "This private link has been renewed meanwhile, or it is not complete. "
                "If you have signed up since, sign in instead."
            )
        )
    here = guest_of(request)
    if here is not None and here.pk == owner.pk:
        return redirect("me")
    if request.method == "POST":
        become(request, owner)
        if here is not None:
            guest_replaced.send(Guest, left=here, guest=owner)
        return redirect("home")
    left_behind = here.seats.filter(is_hidden=False).count() if here else 0
    return render(
        request, "accounts/take_along.html", {"owner": owner, "here": here, "left_behind": left_behind}
    )
