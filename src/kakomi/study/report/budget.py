"""How much time a report may take, as people write it."""

import re

_SECONDS = {"s": 1, "m": 60, "h": 3600}
LEAST, MOST = 1, 30 * 24 * 3600
_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)([smh])")


def parse_budget(text: str) -> float:
    """The seconds of `90s`, `10m` or `2h`. Raises ValueError, saying what would be right."""
    found = _WRITTEN.fullmatch(text.strip().lower())
    seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
    if not LEAST <= seconds <= MOST:
        raise ValueError(
            f"a budget looks like 90s, 10m or 2h, from a second to 30 days, and not like {text!r}"
        )
    return seconds


def budget_in_words(seconds: float) -> str:
    """A budget as `parse_budget` reads it, to the second, minute or tenth of an hour."""
    if seconds < 120:
        return f"{seconds:.0f}s"
    return f"{seconds / 60:.0f}m" if seconds < 7200 else f"{seconds / 3600:.1f}h".replace(".0h", "h")
