"""Pages on which people see whom they let in and register programs; and what programs ask first."""

from http import HTTPStatus

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import User
from kakomi.server.accounts.scopes import SCOPES
from kakomi.server.accounts.views import private
from kakomi.server.language import why
from kakomi.server.oauth import services
from kakomi.server.oauth.models import Grant, Program
from kakomi.session import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@private
def programs(request: HttpRequest) -> HttpResponse:
    """The programs that whoever is signed in has let in, and those that they offer; a POST registers one."""
    user, wrong = request.user, ""
    assert isinstance(user, User)
    if request.method == "POST":
        try:
            services.add_program(
                user, request.POST.get("name", ""), request.POST.get("addresses", "").split()
            )
            return redirect("programs")
        except Refused as error:
            wrong = why(error)
    grants = user.grants.select_related("program__owner__guest").order_by("-granted_at")
    context = {
        "grants": [(grant, [(scope, SCOPES[scope]) for scope in grant.scopes]) for grant in grants],
        "programs": user.programs.order_by("pk"),
        "wrong": wrong,
        "form": request.POST if wrong else {},
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "oauth/programs.html", context, status=status)


@require_POST
@login_required
def end_grant(request: HttpRequest, number: int) -> HttpResponse:
    """Let a program in no more, from this moment on."""
    if not Grant.objects.filter(pk=number, user=request.user.pk).delete()[0]:
        raise Http404(lazy_message("You have not let in such a program, or not any more."))
    return redirect("programs")


@require_POST
@login_required
def end_program(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a program that one has registered; all its tokens end."""
    if not Program.objects.filter(pk=number, owner=request.user.pk).delete()[0]:
        raise Http404(lazy_message("You have no such program."))
    return redirect("programs")


@require_safe
def metadata(request: HttpRequest) -> JsonResponse:
    """What a program has to know of this site (RFC 8414)."""
    site = f"{request.scheme}://{request.get_host()}"
    return JsonResponse(
        {
            "issuer": site,
            "authorization_endpoint": f"{site}/oauth/authorize",
            "token_endpoint": f"{site}/oauth/token",
            "revocation_endpoint": f"{site}/oauth/revoke",
            "scopes_supported": list(SCOPES),
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
        }
    )
