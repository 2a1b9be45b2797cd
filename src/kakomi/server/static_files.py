"""Styles, scripts and letters, each sent whole: they are small, and streams are asynchronous here."""

from contextlib import closing

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # WhiteNoise has no types
    """WhiteNoise, but for the file's way out."""

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
        return whole
