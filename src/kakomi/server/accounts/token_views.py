"""Pages on which people make tokens, for themselves and for their bots, and end them."""

from http import HTTPStatus

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts import tokens
from kakomi.server.accounts.bots import make_bot
from kakomi.server.accounts.models import ApiToken, User
from kakomi.server.accounts.scopes import SCOPES
from kakomi.server.accounts.token_forms import LIFETIMES, BotForm, TokenForm
from kakomi.server.accounts.views import private
from kakomi.server.language import why
from kakomi.session import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@private
def own_tokens(request: HttpRequest, handle: str = "") -> HttpResponse:
    """The tokens of whoever is signed in, or of a bot of theirs; a POST makes one, and shows it this once."""
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
    """End a token. Programs that have it are let in no more, from this moment on."""
    token = ApiToken.objects.select_related("user").filter(pk=number).first()
    if token is None or request.user.pk not in (token.user_id, token.user.owner_id):
        raise Http404(lazy_message("There is no such token. It may have been ended already."))
    token.delete()
    handle = [] if token.user_id == request.user.pk else [token.user.username]
    return redirect("bot_tokens" if handle else "tokens", *handle)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@private
def bots(request: HttpRequest) -> HttpResponse:
    """The bots of whoever is signed in; a POST makes one."""
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
    """Whoever is signed in, or a bot of theirs. Raises Http404 for anybody else."""
    user = request.user
    assert isinstance(user, User)
    if not handle:
        return user
    bot = User.objects.named(handle).filter(owner=user).select_related("guest").first()
    if bot is None:
        raise Http404(lazy_message("You have no bot of this name."))
    return bot
