"""Every address of the site, with what can stand in it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

from django.urls import URLPattern, URLResolver, get_resolver


@dataclass(frozen=True)
class Address:
    """A route such as `table/<slug:code>/act`."""

    route: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """What stands in it."""
        return tuple(re.findall(r"<(?:\w+:)?(\w+)>", self.route))

    def filled(self, values: dict[str, str]) -> str:
        """The path with these values in it."""
        return "/" + re.sub(
            r"<(?:\w+:)?(\w+)>", lambda match: quote(values[match[1]], errors="surrogatepass"), self.route
        )


def addresses() -> Iterator[Address]:
    """All but those of the JSON API, whose own document lists them."""
    return _under("", get_resolver().url_patterns)


def _under(prefix: str, patterns: Iterable[URLPattern | URLResolver]) -> Iterator[Address]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield Address(route)
        elif pattern.namespace is None:
            yield from _under(route, pattern.url_patterns)
