"""Whether the terminal gets colours."""

import os
import sys
from typing import IO, Any


def may_have_colours() -> bool:
    """Whether nobody asked for none: `NO_COLOR` (https://no-color.org) or a terminal that has none."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def has_colours(stream: IO[Any] | None = None) -> bool:
    """Whether what is written to a stream (standard output) may be coloured."""
    return may_have_colours() and (stream or sys.stdout).isatty()
