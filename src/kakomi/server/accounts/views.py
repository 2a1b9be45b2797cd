"""A guest's own page: name, preferences, private link, tokens, bots, and signed-in browsers."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts import services, tokens
from kakomi.server.accounts.forms import LIFETIMES, BotForm, TokenForm, name_in, preferences_in, why_not
from kakomi.server.accounts.middleware import become, forget_guest_before, guest_before, guest_of, known_guest
from kakomi.server.accounts.models import ApiToken, Guest, SignIn, User
from kakomi.server.accounts.presenters import Account
from kakomi.server.accounts.services import make_bot
from kakomi.server.accounts.signals import guest_replaced
from kakomi.server.accounts.tokens import SCOPES
from kakomi.server.site.language import why
from kakomi.server.site.whole_numbers import whole_number
from kakomi.session import Refused

View = Callable[..., HttpResponse]


def private(view: View) -> View:
    """Keep a page that shows a token out of caches and search engines."""

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
    """Save the preferences and redirect to the page of the form."""
    if wrong := why_not(name := name_in(request.POST)):
        return _page(request, guest_of(request), status=422, wrong=wrong, name=name)
    if wished := preferences_in(request.POST):
        services.save_preferences(known_guest(request), wished)
    response = redirect(_back(request))
    if (language := request.POST.get("language", "")) in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.SESSION_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def _back(request: HttpRequest) -> str:
    """The URL of the form's page if it is on this site, else that of the guest's own page."""
    wanted = request.POST.get("next", "")
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()}):
        return wanted
    return reverse("me") + "?saved"


@require_POST
@private
def renew(request: HttpRequest) -> HttpResponse:
    """Replace the private link, and sign out all other browsers."""
    guest = known_guest(request)
    if not guest.has_user:
        services.renew_link(guest)
        become(request, guest)
    return redirect(reverse("me") + "#link")


@require_http_methods(["GET", "HEAD", "POST"])
@private
def take_along(request: HttpRequest, token: str) -> HttpResponse:
    """Open a private link: after a confirmation, make this browser its guest."""
    owner = Guest.objects.filter(token=token, user=None).first()
    if owner is None:
        raise Http404(
            lazy_message(
                "This private link is incomplete or has been renewed. If you’ve signed up since, "
                "sign in instead."
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


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@private
def own_tokens(request: HttpRequest, handle: str = "") -> HttpResponse:
    """The tokens of the signed-in user or one of their bots. A POST makes one and shows its text once."""
    user = _account(request, handle)
    if request.method != "POST":
        return _tokens(request, user, TokenForm(initial={"scopes": ["read", "play"], "days": "90"}))
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _tokens(request, user, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    wish = form.cleaned_data
    try:
        token, text = tokens.make_token(user, wish["name"], wish["scopes"], form.lifetime)
    except Refused as error:
        form.add_error("name", why(error))
        return _tokens(request, user, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    return _tokens(request, user, TokenForm(), HTTPStatus.CREATED, made=token, text=text)


def _tokens(
    request: HttpRequest, user: User, form: TokenForm, status: int = HTTPStatus.OK, **more: object
) -> HttpResponse:
    context = {
        "account": user,
        "is_own": user.pk == request.user.pk,
        "tokens": user.tokens.order_by("-pk"),
        "form": form,
        "chosen": form["scopes"].value() or (),
        "scopes": SCOPES.items(),
        "lifetimes": LIFETIMES.items(),
        **more,
    }
    return render(request, "accounts/tokens.html", context, status=status)


@require_POST
@login_required
def end_token(request: HttpRequest, number: int) -> HttpResponse:
    """Revoke a token, effective immediately."""
    token = ApiToken.objects.select_related("user").filter(pk=number).first()
    if token is None or request.user.pk not in (token.user_id, token.user.owner_id):
        raise Http404(lazy_message("Token not found. It may already have been revoked."))
    token.delete()
    handle = [] if token.user_id == request.user.pk else [token.user.username]
    return redirect("bot_tokens" if handle else "tokens", *handle)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@private
def bots(request: HttpRequest) -> HttpResponse:
    """The bots of the signed-in user. A POST makes one."""
    owner = _account(request)
    form = BotForm(request.POST if request.method == "POST" else None)
    status = HTTPStatus.OK
    if form.is_bound:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        if form.is_valid():
            try:
                return redirect("bot_tokens", make_bot(owner, form.cleaned_data["username"]).username)
            except Refused as error:
                form.add_error("username", why(error))
    context = {"bots": owner.bots.select_related("guest").order_by("pk"), "form": form}
    return render(request, "accounts/bots.html", context, status=status)


def _account(request: HttpRequest, handle: str = "") -> User:
    """The signed-in user, or one of their bots by handle. Raises Http404 for anybody else."""
    user = request.user
    assert isinstance(user, User)
    if not handle:
        return user
    bot = User.objects.named(handle).filter(owner=user).select_related("guest").first()
    if bot is None:
        raise Http404(lazy_message("You have no bot with this name."))
    return bot


@require_POST
@login_required
def end_sign_ins(request: HttpRequest) -> HttpResponse:
    """Sign out another of the user's browsers, or all others (`number` is the sign-in's key, or `all`)."""
    number, here = request.POST.get("number", ""), request.session.sign_in  # type: ignore[attr-defined]
    chosen = SignIn.objects.filter(user=request.user).exclude(pk=here.pk)  # type: ignore[misc]
    if number != "all":
        chosen = chosen.filter(pk=whole_number(number, digits=18) or 0)
    chosen.delete()
    return redirect(reverse("me") + "#browsers")


@require_POST
@login_required
def take_over(request: HttpRequest) -> HttpResponse:
    """Move what the browser's former guest has to the user's guest. Raises Conflict if they have signed
    up."""
    if (before := guest_before(request)) is not None:
        services.join_guests(before, request.user)  # type: ignore[arg-type]
        forget_guest_before(request)
    return redirect("home")
