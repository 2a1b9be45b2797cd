"""Error pages in the site's own words and design."""

import sys
from http import HTTPStatus
from urllib.parse import unquote

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, is_valid_path
from django.utils.http import escape_leading_slashes
from django.utils.translation import gettext

from kakomi.server.database import is_away, is_unwritable
from kakomi.server.exceptions import NOT_KEPT
from kakomi.server.language import why

API = "/api/"
"""What addresses of programs begin with."""
CODES = {
    HTTPStatus.BAD_REQUEST: "malformed",
    HTTPStatus.FORBIDDEN: "csrf",
    HTTPStatus.NOT_FOUND: "missing",
    HTTPStatus.METHOD_NOT_ALLOWED: "method",
    HTTPStatus.INTERNAL_SERVER_ERROR: "broken",
    HTTPStatus.SERVICE_UNAVAILABLE: "away",
}
"""How programs are told a status that no operation of the API has given."""
RETRY_AFTER = 2
"""Seconds after which somebody should try again while the database is away."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The request made no sense; a view's BadRequest may say why."""
    said = _words(exception) if isinstance(exception, BadRequest) else ""
    said = said or gettext(
        "The site could not make sense of that. Go back, load the page again, and try once more."
    )
    return _failed(request, HTTPStatus.BAD_REQUEST, gettext("That was not understood"), said)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for 404; a view's Http404 may say what was missing. With a slash too many it is elsewhere."""
    path, mark, query = request.get_full_path().partition("?")
    bare = escape_leading_slashes(path.rstrip("/"))
    is_unknown = isinstance(exception, Resolver404) and path.endswith("/")
    if is_unknown and request.method in ("GET", "HEAD") and is_valid_path(unquote(bare)):
        return HttpResponsePermanentRedirect(f"{bare}{mark}{query}")
    said = _words(exception) or gettext("The link may be old, or not complete.")
    return _failed(request, HTTPStatus.NOT_FOUND, gettext("There is nothing here"), said)


def broken(request: HttpRequest) -> HttpResponse:
    """The page for 500, or for 503 while the database is away. It uses neither session nor database: they may
    be broken."""
    if is_away(error := sys.exc_info()[1]):
        return _away(request, is_full=is_unwritable(error))
    said = gettext("No game is lost: every action is on disk before it is shown. Try again in a moment.")
    title = gettext("Something went wrong here")
    return _failed(request, HTTPStatus.INTERNAL_SERVER_ERROR, title, said)


def _away(request: HttpRequest, *, is_full: bool) -> HttpResponse:
    """The database can't be used for now. Pages of tables send what they have again by themselves."""
    said = gettext(
        "The site's database does not answer at the moment. No game is lost, and what you just did was done "
        "once or not at all. Try again in a moment."
    )
    if is_full:
        said = str(NOT_KEPT)
    response = _failed(request, HTTPStatus.SERVICE_UNAVAILABLE, gettext("Please wait a moment"), said)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def without_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form came without the token that proves it is ours (CSRF)."""
    del reason
    said = gettext("The page was too old, or cookies are blocked. Load the page again, then send the form.")
    return _failed(request, HTTPStatus.FORBIDDEN, gettext("The form could not be accepted"), said)


def _failed(request: HttpRequest, status: HTTPStatus, title: str, said: str) -> HttpResponse:
    if request.path.startswith(API):
        return JsonResponse({"code": CODES.get(status, "refused"), "message": said}, status=status)
    context = {"title": title, "said": said, "status": int(status)}
    bare = None if status >= HTTPStatus.INTERNAL_SERVER_ERROR else request
    return render(bare, "pages/failure.html", context, status=status)


def problem_of(response: HttpResponse) -> dict[str, str]:
    """What a program is told where a view, or Django, has made no answer for programs."""
    status = HTTPStatus(response.status_code)
    allowed = response.headers.get("Allow")
    said = gettext("Here these methods are possible: {methods}").format(methods=allowed) if allowed else ""
    return {"code": CODES.get(status, "refused"), "message": said or f"{status.phrase}."}


def _words(exception: Exception) -> str:
    """The message of a view for the guest; Django's own exceptions carry other data."""
    return why(exception)
