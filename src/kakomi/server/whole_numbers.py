"""Whole numbers in what strangers send.

`int` alone takes too much: digits of all alphabets, underscores, blanks, and numbers that are too large for a
database or for `int` itself. `str.isdigit` lets a raised 2 through, which `int` refuses.
"""

import re

_DIGITS = re.compile(r"[0-9]+")
MOST_DIGITS = 18
"""What fits into 63 bits."""


def whole_number(text: str | None, digits: int = 9) -> int | None:
    """The number that one to `digits` digits spell, which may be 18 at most; None for any other text."""
    if not text or len(text) > min(digits, MOST_DIGITS) or not _DIGITS.fullmatch(text):
        return None
    return int(text)
