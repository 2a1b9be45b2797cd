"""A viewer's preferences for boards. Each browser keeps its own, for each game."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.http import QueryDict

_KEPT_AS = "wishes"
MOST_OVERLAYS = 10


@dataclass(frozen=True)
class ViewPreferences:
    """The overlays that a viewer has switched on."""

    overlays: tuple[str, ...] = ()
    turned: int = 0
    is_numbered: bool = False
    is_dotted: bool = False
    """Whether every point that can be played is dotted, and not only answers to the pointer."""

    @staticmethod
    def kept(session: Mapping[str, Any], game: str) -> "ViewPreferences":
        """A session's preferences for a game; the defaults where it holds nothing valid."""
        try:
            found = ViewPreferences(**session[_KEPT_AS][game])
        except (KeyError, TypeError):
            return ViewPreferences()
        return ViewPreferences(
            tuple(map(str, found.overlays)), int(found.turned), found.is_numbered, found.is_dotted
        )

    @staticmethod
    def of(form: QueryDict) -> "ViewPreferences":
        """The preferences in a form; invalid values are left out."""
        overlays = tuple(name for name in form.getlist("overlay") if name.isidentifier())
        turned = form.get("turned", "0")
        return ViewPreferences(
            overlays[:MOST_OVERLAYS],
            int(turned[:3]) if turned.isdecimal() and turned.isascii() else 0,
            "numbered" in form,
            "dotted" in form,
        )

    def keep(self, session: Any, game: str) -> None:
        """Remember them for a game."""
        session[_KEPT_AS] = {**session.get(_KEPT_AS, {}), game: asdict(self)}
