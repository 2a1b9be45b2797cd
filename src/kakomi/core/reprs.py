"""What somebody wrote, as messages repeat it."""

from typing import Any

_MOST = 42


def truncated_repr(value: Any) -> str:
    """A value as Python writes it, cut off where it gets long."""
    try:
        shown = repr(value)
    except ValueError:  # Python writes no number of more than a few thousand digits
        shown = f"a very long {type(value).__name__}"
    return shown if len(shown) <= _MOST else shown[: _MOST - 3] + "..."
