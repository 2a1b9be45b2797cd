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
        with closing(WhiteNoiseMiddleware.serve(static_file, request)) as streamed:
            whole = HttpResponse(b"".join(streamed.streaming_content), status=streamed.status_code)
            del whole["content-type"]  # unless the file has one
            for name, value in streamed.headers.items():
                whole[name] = value
            return whole
