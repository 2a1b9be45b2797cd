"""Answers to requests that get no further than the gate."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from kakomi.server.asgi_types import Scope
from kakomi.server.security.client_id import header
from kakomi.server.security.headers import HEADERS

TITLES = {
    400: gettext_noop("This request makes no sense."),
    408: gettext_noop("This took too long to arrive."),
    413: gettext_noop("This is more than the site takes at once."),
    414: gettext_noop("This address is too long."),
    429: gettext_noop("That was a little too much at once."),
    431: gettext_noop("The headers of this request are too long."),
}
CODES = {
    400: "malformed",
    408: "too-slow",
    413: "too-large",
    414: "too-long",
    429: "too-many",
    431: "too-long",
}


@dataclass(frozen=True)
class Refusal:
    """Why a request is turned away."""

    status: int
    """A key of `TITLES`."""
    wait: int = 0
    """Seconds until the next attempt makes sense; 0: none does."""

    def messages(self, scope: Scope) -> list[dict[str, Any]]:
        """The answer, as an ASGI server takes it: a page, or what a program expects."""
        kind, body = self._content(scope)
        headers = {**HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}
        headers |= {"Cache-Control": "no-store", "Connection": "close"}
        if self.wait:
            headers["Retry-After"] = str(self.wait)
        encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        start = {"type": "http.response.start", "status": self.status, "headers": encoded}
        return [start, {"type": "http.response.body", "body": body}]

    def _content(self, scope: Scope) -> tuple[str, bytes]:
        language = _language(scope)
        if scope["path"].startswith("/api/"):
            problem = {"code": CODES[self.status], "message": self._message(language)}
            return "application/json", json.dumps(problem).encode()
        if header(scope, b"hx-request") or "text/html" not in header(scope, b"accept"):
            return "text/plain; charset=utf-8", self._message(language).encode()
        return "text/html; charset=utf-8", _page(self.status, self.wait, language)

    def _message(self, language: str) -> str:
        with translation.override(language):
            title = _(TITLES[self.status])
            if not self.wait:
                return title
            return " ".join((title, _("Try again in %(seconds)d s.") % {"seconds": self.wait}))


@cache
def _page(status: int, wait: int, language: str) -> bytes:
    """Cached, as refused senders return soon. There are as many pages as languages and short waits."""
    with translation.override(language):
        shown = {"title": _(TITLES[status]), "wait": wait}
        return render_to_string("security/refused.html", shown).encode()


def _language(scope: Scope) -> str:
    for wish in header(scope, b"accept-language")[:100].split(","):
        try:
            return translation.get_supported_language_variant(wish.partition(";")[0].strip())
        except LookupError:
            continue
    return "en"
