"""The site's own middleware: whole files, and pages that share an address with their fragments."""

from collections.abc import Callable
from contextlib import closing

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


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


def vary_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Have browsers keep the two apart: going back, they would show a kept part as if it were the page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        patch_vary_headers(response, ("HX-Request",))
        return response

    return middleware
