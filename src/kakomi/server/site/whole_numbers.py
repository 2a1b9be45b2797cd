"""Parsing of whole numbers in untrusted input.

`int` accepts too much: digits of all scripts, underscores, whitespace, and numbers that are too large for a
database or for `int` itself. `str.isdigit` accepts a superscript 2, which `int` refuses.
"""

import re

_DIGITS = re.compile(r"[0-9]+")
MOST_DIGITS = 18
"""The most digits that always fit into 63 bits."""


def whole_number(text: str | None, digits: int = 9) -> int | None:
    """Parse a number of one to `digits` digits, at most 18; None for any other text."""
    if not text or len(text) > min(digits, MOST_DIGITS) or not _DIGITS.fullmatch(text):
        return None
    return int(text)
