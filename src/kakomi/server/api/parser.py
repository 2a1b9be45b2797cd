"""Reading what programs send."""

from typing import Any

import msgspec
from django.http import HttpRequest
from ninja.parser import Parser


class StrictParser(Parser):
    """JSON as its standard has it: UTF-8, no NaN, no halves of characters, no bottomless brackets, and no
    NUL, which databases take in no text."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """An object. Raises for anything else, which ninja makes a 400 of."""
        body = msgspec.json.decode(request.body)
        if not isinstance(body, dict) or b"\\u0000" in request.body:
            raise ValueError("no object, or NUL in it")
        return body
