"""Error responses in the site's design, and as JSON for the API."""

import sys
from http import HTTPStatus
from urllib.parse import unquote

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, is_valid_path
from django.utils.http import escape_leading_slashes
from django.utils.translation import gettext

from kakomi.server.site.database import is_away, is_unwritable
from kakomi.server.site.exceptions import NOT_KEPT
from kakomi.server.site.language import why

API = "/api/"
"""The path prefix of the API."""
CODES = {
    HTTPStatus.BAD_REQUEST: "malformed",
    HTTPStatus.FORBIDDEN: "csrf",
    HTTPStatus.NOT_FOUND: "missing",
    HTTPStatus.METHOD_NOT_ALLOWED: "method",
    HTTPStatus.INTERNAL_SERVER_ERROR: "broken",
    HTTPStatus.SERVICE_UNAVAILABLE: "away",
}
"""The API's error codes for statuses that no operation has set."""
RETRY_AFTER = 2
"""The Retry-After header in seconds while the database is unreachable."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The response for 400, with the message of a view's BadRequest."""
    said = why(exception) if isinstance(exception, BadRequest) else ""
    said = said or gettext("That request wasn’t valid. Go back, reload the page and try again.")
    return _failed(request, HTTPStatus.BAD_REQUEST, gettext("Invalid request"), said)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The response for 404, with the message of a view's Http404.

    Redirects if the path exists without its trailing slash.
    """
    path, mark, query = request.get_full_path().partition("?")
    bare = escape_leading_slashes(path.rstrip("/"))
    is_unknown = isinstance(exception, Resolver404) and path.endswith("/")
    if is_unknown and request.method in ("GET", "HEAD") and is_valid_path(unquote(bare)):
        return HttpResponsePermanentRedirect(f"{bare}{mark}{query}")
    said = why(exception) or gettext("The link may be old or incomplete.")
    return _failed(request, HTTPStatus.NOT_FOUND, gettext("Page not found"), said)


def broken(request: HttpRequest) -> HttpResponse:
    """The response for 500, or for 503 while the database is unreachable. It uses neither the session nor the
    database, as they may be broken."""
    if is_away(error := sys.exc_info()[1]):
        return _away(request, is_full=is_unwritable(error))
    said = gettext("Your games are safe: every move is saved before it is shown. Try again in a moment.")
    title = gettext("Something went wrong")
    return _failed(request, HTTPStatus.INTERNAL_SERVER_ERROR, title, said)


def _away(request: HttpRequest, *, is_full: bool) -> HttpResponse:
    """The response while the database can't be used. Table pages repeat their requests automatically."""
    said = gettext(
        "The site’s database isn’t responding. Your games are safe, and your last action was "
        "saved once or not at all. Try again in a moment."
    )
    if is_full:
        said = str(NOT_KEPT)
    response = _failed(request, HTTPStatus.SERVICE_UNAVAILABLE, gettext("Temporarily unavailable"), said)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def without_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The response to a form without a valid CSRF token."""
    del reason
    said = gettext("The page has expired, or cookies are blocked. Reload the page and send the form again.")
    return _failed(request, HTTPStatus.FORBIDDEN, gettext("The form couldn’t be sent"), said)


def _failed(request: HttpRequest, status: HTTPStatus, title: str, said: str) -> HttpResponse:
    if request.path.startswith(API):
        return JsonResponse({"code": CODES.get(status, "refused"), "message": said}, status=status)
    context = {"title": title, "said": said, "status": int(status)}
    bare = None if status >= HTTPStatus.INTERNAL_SERVER_ERROR else request
    return render(bare, "failure.html", context, status=status)


def problem_of(response: HttpResponse) -> dict[str, str]:
    """The API's error object for a response that wasn't made by an API operation."""
    status = HTTPStatus(response.status_code)
    allowed = response.headers.get("Allow")
    said = gettext("Allowed methods: {methods}").format(methods=allowed) if allowed else ""
    return {"code": CODES.get(status, "refused"), "message": said or f"{status.phrase}."}
