"""Error pages in the site's own words and design."""

from http import HTTPStatus

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from kakomi.server.language import why


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The request made no sense; a view's BadRequest may say why."""
    said = _words(exception) if isinstance(exception, BadRequest) else ""
    said = said or gettext(
        "The site could not make sense of that. Go back, load the page again, and try once more."
    )
    return _failed(request, HTTPStatus.BAD_REQUEST, gettext("That was not understood"), said)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for 404; a view's Http404 may say what was missing."""
    said = _words(exception) or gettext("The link may be old, or not complete.")
    return _failed(request, HTTPStatus.NOT_FOUND, gettext("There is nothing here"), said)


def broken(request: HttpRequest) -> HttpResponse:
    """The page for 500. It uses neither session nor database: they may be broken."""
    said = gettext("No game is lost: every action is on disk before it is shown. Try again in a moment.")
    title = gettext("Something went wrong here")
    context = {"title": title, "said": said, "status": 500}
    del request
    return render(None, "pages/failure.html", context, status=HTTPStatus.INTERNAL_SERVER_ERROR)


def without_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form came without the token that proves it is ours (CSRF)."""
    del reason
    said = gettext("The page was too old, or cookies are blocked. Load the page again, then send the form.")
    return _failed(request, HTTPStatus.FORBIDDEN, gettext("The form could not be accepted"), said)


def _failed(request: HttpRequest, status: HTTPStatus, title: str, said: str) -> HttpResponse:
    context = {"title": title, "said": said, "status": int(status)}
    return render(request, "pages/failure.html", context, status=status)


def _words(exception: Exception) -> str:
    """The message of a view for the guest; Django's own exceptions carry other data."""
    return why(exception)
