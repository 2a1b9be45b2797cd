"""The site's own middleware: compression, static files, errors of the API, caching of pages and fragments."""

from collections.abc import Callable
from contextlib import closing
from http import HTTPStatus
from io import BytesIO

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from kakomi.server.site.errors import API, problem_of


class Compression(GZipMiddleware):
    """Compresses responses, except event streams, whose events must arrive at once, and parts of files."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the response, compressed if the browser can read that."""
        is_part = response.streaming or response.status_code == HTTPStatus.PARTIAL_CONTENT
        return response if is_part else super().process_response(request, response)


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise has no types
    """WhiteNoise with complete responses instead of streaming ones."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """The response to a request for a file or a part of it, conditional or not."""
        known = request.META.get("HTTP_IF_NONE_MATCH", "").removeprefix("W/") or None  # compressed before
        found = static_file.get_response(request.method, request.META | {"HTTP_IF_NONE_MATCH": known})
        with closing(found.file or BytesIO()) as file:
            content = file.read()
        whole = HttpResponse(content, status=int(found.status))
        del whole["content-type"]  # unless the file has one
        for name, value in found.headers:
            whole[name] = value
        if content:
            whole["Content-Length"] = str(len(content))  # in case the file was replaced while the site runs
        return whole


def api_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Turn all error responses of the API into JSON problems, wherever they come from."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(API):
            return get_response(request)
        request.content_type = "application/json"  # so that nothing parses the body as a form
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
    """Make browsers cache pages and fragments separately; else going back could show a fragment as a page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        patch_vary_headers(response, ("HX-Request",))
        return response

    return middleware
