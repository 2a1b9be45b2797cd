"""The addresses of the protocol: a person's consent, tokens for codes, and tokens that are given back.

Only these import oauthlib, and they are imported when the first of them is asked for.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST
from oauthlib.oauth2 import FatalClientError, InvalidRequestError, OAuth2Error, WebApplicationServer

from kakomi.server.accounts.scopes import SCOPES, known_scopes
from kakomi.server.accounts.views import private
from kakomi.server.database import writing
from kakomi.server.oauth.models import Program
from kakomi.server.oauth.services import ACCESS_SECONDS, new_token_text
from kakomi.server.oauth.validator import Validator
from kakomi.server.security.headers import CONTENT_SECURITY_POLICY


def _new_token(request: Any) -> str:
    del request
    return new_token_text()


_SERVER = WebApplicationServer(
    Validator(),
    token_expires_in=int(ACCESS_SECONDS),
    token_generator=_new_token,
    refresh_token_generator=_new_token,
)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@private
def authorize(request: HttpRequest) -> HttpResponse:
    """Ask a person whether a program may act for them, and send their browser back with the answer."""
    try:
        wanted, asked = _SERVER.validate_authorization_request(_address(request))
        if asked["request"].code_challenge_method != "S256":
            raise InvalidRequestError("code_challenge_method must be S256", request=asked["request"])
        if request.method != "POST":
            return _consent_page(request, asked, known_scopes(wanted))
        if request.POST.get("decision") != "allow":
            return _sent_back(f"{asked['redirect_uri']}", error="access_denied", state=asked["state"])
        with writing():
            headers, _, _ = _SERVER.create_authorization_response(
                _address(request), scopes=wanted, credentials={"user": request.user}
            )
        return _redirect(headers["Location"])
    except FatalClientError as error:
        return _refused(request, error)
    except OAuth2Error as error:
        return _redirect(error.in_uri(error.redirect_uri)) if error.redirect_uri else _refused(request, error)


def _address(request: HttpRequest) -> str:
    """The address as oauthlib wants it. That it is encrypted on its way, the site's proxy sees to."""
    return f"https://{request.get_host()}{request.get_full_path()}"


def _consent_page(request: HttpRequest, asked: dict[str, Any], scopes: list[str]) -> HttpResponse:
    program, target = asked["request"].client, urlsplit(asked["redirect_uri"])
    context = {
        "program": Program.objects.select_related("owner__guest").get(pk=program.pk),
        "scopes": [(scope, SCOPES[scope]) for scope in scopes],
        "target": target.hostname or f"{target.scheme}:",
    }
    page = render(request, "oauth/consent.html", context)
    # Browsers hold a form's redirect against the policy as well.
    source = f"{target.scheme}://{target.netloc}" if target.netloc else f"{target.scheme}:"
    policy = CONTENT_SECURITY_POLICY.replace("form-action 'self'", f"form-action 'self' {source}")
    page["Content-Security-Policy"] = policy
    return page


def _sent_back(redirect_uri: str, **answer: str | None) -> HttpResponse:
    from oauthlib.common import add_params_to_uri

    told = [(name, value) for name, value in answer.items() if value]
    return _redirect(add_params_to_uri(redirect_uri, told))


def _redirect(address: str) -> HttpResponse:
    """To another site, or to a program by a scheme of its own: the address was registered."""
    response = HttpResponse(status=HTTPStatus.FOUND)
    response["Location"] = address
    return response


def _refused(request: HttpRequest, error: OAuth2Error) -> HttpResponse:
    """Nobody is sent back to an address that is not known to be the program's."""
    context = {
        "title": gettext("This program can’t be let in"),
        "said": gettext(
            "It asked in a way that it should not ({reason}). Its maker has to mend that."
        ).format(reason=error.description or error.error),
        "status": 400,
    }
    return render(request, "pages/failure.html", context, status=HTTPStatus.BAD_REQUEST)


@csrf_exempt
@require_POST
def token(request: HttpRequest) -> HttpResponse:
    """Tokens for a code, or for a refresh token."""
    return _answered(request, _SERVER.create_token_response)


@csrf_exempt
@require_POST
def revoke(request: HttpRequest) -> HttpResponse:
    """End a token that a program gives back."""
    return _answered(request, _SERVER.create_revocation_response)


def _answered(request: HttpRequest, answer: Callable[..., tuple[dict[str, str], str, int]]) -> HttpResponse:
    try:
        body = request.body.decode()
    except UnicodeDecodeError:
        body = ""
    with writing():
        headers, content, status = answer(
            _address(request), "POST", body, {"Content-Type": request.content_type or ""}
        )
    response = HttpResponse(content or "", status=status, content_type="application/json")
    for name, value in headers.items():
        response[name] = value
    response["Cache-Control"] = "no-store"
    return response
