"""Security headers of every response."""

from collections.abc import Awaitable, Callable, MutableMapping

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
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
"""Pages load only files of this site, and no inline scripts or styles."""

FRAMED_POLICY = "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors *"
"""For pages without scripts and forms that other sites may frame. Browsers then ignore X-Frame-Options."""

DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""For drawings that are opened by themselves and contain their styles."""

WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"
"""For the worker that compiles the WebAssembly modules of games. Pages themselves compile none."""

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


def add_worker_policy(headers: MutableMapping[str, str], _: str, url: str) -> None:
    """Add the worker's policy to its file, before other headers are added."""
    if url.endswith("/engine/worker.js"):
        headers["Content-Security-Policy"] = WORKER_POLICY


Answer = HttpResponseBase | Awaitable[HttpResponseBase]


class HeadersMiddleware:
    """Adds the headers. It is the outermost middleware, so that files and error responses get them too."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Answer]) -> None:
        self._get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Answer:
        answer = self._get_response(request)
        if isinstance(answer, HttpResponseBase):
            return protect(answer)
        return _protect_awaited(answer)


async def _protect_awaited(answer: Awaitable[HttpResponseBase]) -> HttpResponseBase:
    return protect(await answer)


def protect(response: HttpResponseBase) -> HttpResponseBase:
    """Add the headers to a response, except those that its view has set."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
