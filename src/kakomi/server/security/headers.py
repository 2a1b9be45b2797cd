"""Headers of every response that tell browsers what to refuse."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Everything that a page uses is a file of this site; nothing in a page's text is ever carried out."""

FRAMED_POLICY = "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors *"
"""For a page without scripts and forms that other sites may frame. Browsers then ignore X-Frame-Options."""

DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""For a drawing that is opened by itself and brings its own style."""

_UNUSED = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "usb",
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _UNUSED),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

Answer = HttpResponseBase | Awaitable[HttpResponseBase]


class HeadersMiddleware:
    """Outermost, so that files and failures carry the headers as well."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Answer]) -> None:
        self._get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Answer:
        answer = self._get_response(request)
        if isinstance(answer, HttpResponseBase):
            return protected(answer)
        return _later(answer)


async def _later(answer: Awaitable[HttpResponseBase]) -> HttpResponseBase:
    return protected(await answer)


def protected(response: HttpResponseBase) -> HttpResponseBase:
    """A response with the headers, except where its view is stricter (a private link's page is)."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
