"""Paths that go on with what nobody else may know, as logs show them."""

import re

SECRET_AREAS = frozenset({"account", "join", "me", "notices", "post"})
"""First parts of such paths: new passwords, invitations, private links and calendars, links that stop mail,
and confirmations."""
_SECRET_PREFIXES = (*sorted(SECRET_AREAS), "api/v1/invitations")
_SLASH = r"(?:/+|%2F)"
_PATH = re.compile(
    r"(https?://[^/\s\"'\\]+|(?<![\w.%/-]))"  # an address, or the begin of a path: no folder of our sources
    rf"{_SLASH}({'|'.join(prefix.replace('/', _SLASH) for prefix in _SECRET_PREFIXES)}){_SLASH}"
    r"[^\s\"'\\<>?&#,;)\]]+",
    re.IGNORECASE,
)


def masked(text: str) -> str:
    """A text in which such paths end where their secret would begin: `/join/...`."""
    return _PATH.sub(r"\1/\2/...", text)
