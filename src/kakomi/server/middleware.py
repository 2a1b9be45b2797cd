"""The site's own middleware: whole files, answers to programs, and pages that share an address with their
fragments."""

from collections.abc import Callable
from contextlib import closing
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from kakomi.server.pages.errors import API, problem_of


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise has no types
    """WhiteNoise, with whole files as responses."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """The answer to a request for a file, or for a part of it, or whether it has changed."""
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with closing(found.file) as file:
                content = file.read()
        whole = HttpResponse(content, status=int(found.status))
        del whole["content-type"]  # unless the file has one
        for name, value in found.headers:
            whole[name] = value
        if content:
            whole["Content-Length"] = str(len(content))  # of a file that was replaced under a running site
        return whole


def api_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Have programs get what they expect, whatever goes wrong and whoever notices it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(API):
            return get_response(request)
        request.content_type = "application/json"  # whatever it claims: nothing may take the body for a form
        response = get_response(request)
        is_ours = response.headers.get("Content-Type", "").startswith("application/json")
        if response.status_code < HTTPStatus.BAD_REQUEST or is_ours:
            return response
        problem = JsonResponse(problem_of(response), status=response.status_code)
        for name in _KEPT & set(response.headers):
            problem[name] = response[name]
        return problem

    return middleware


_KEPT = {"Allow", "Retry-After", "WWW-Authenticate"}


def vary_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Have browsers keep the two apart: going back, they would show a kept part as if it were the page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        patch_vary_headers(response, ("HX-Request",))
        return response

    return middleware
