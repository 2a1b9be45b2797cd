"""The scopes of a token: what its program may do."""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy

SCOPES = {
    "read": gettext_lazy("see your name, your games and your studies"),
    "play": gettext_lazy("open games, sit down and play for you, and answer puzzles"),
    "lobby": gettext_lazy("make and answer seeks and challenges for you"),
    "study": gettext_lazy("change your studies, and list them"),
    "messages": gettext_lazy("read your messages, and write to people for you"),
    "notices": gettext_lazy("read your notices, and choose how you are told"),
    "account": gettext_lazy("take home all your data"),
}
"""Scope -> what it allows, in words that follow "may"."""


def known_scopes(wanted: Iterable[str]) -> list[str]:
    """Those that there are, in the order in which they are shown."""
    chosen = set(wanted)
    return [scope for scope in SCOPES if scope in chosen]
