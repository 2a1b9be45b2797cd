"""A viewer's preferences for boards. Each browser keeps its own, for each game."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.http import QueryDict

from kakomi.core import Description
from kakomi.draw import Overlay
from kakomi.server.whole_numbers import whole_number

_KEPT_AS = "wishes"
MOST_OVERLAYS = 10
COACHED = ("off", "on", "proposed")
"""What a form or a session may say of the coach; of several the first."""


@dataclass(frozen=True)
class ViewPreferences:
    """What a viewer has switched on; the defaults are what somebody sees who knows the game."""

    overlays: tuple[str, ...] = ()
    turned: int = 0
    is_numbered: bool = False
    is_dotted: bool = False
    """Whether every point that can be played is dotted, and not only answers to the pointer."""
    is_hinted: bool = False
    """Whether a line at the board says what there is to do and why."""
    coach: str = ""
    """Whether a coach looks on at a table with bots: one of COACHED; empty: no."""
    has_aids: bool = False
    """Whether the overlays for newcomers are on, beside `overlays`."""

    @staticmethod
    def for_newcomers(description: Description, *, is_first: bool = False) -> "ViewPreferences":
        """What people see who are new to a game, until they switch something; in a first game a coach is
        proposed."""
        return ViewPreferences(
            is_dotted=description.dots_for_newcomers,
            is_hinted=True,
            coach="proposed" if is_first else "",
            has_aids=True,
        )

    @staticmethod
    def kept(session: Mapping[str, Any], game: str) -> "ViewPreferences | None":
        """A session's preferences for a game; None where it holds nothing valid."""
        try:
            found = ViewPreferences(**session[_KEPT_AS][game])
        except (KeyError, TypeError):
            return None
        coach = found.coach if found.coach in COACHED else ""
        return replace(found, overlays=tuple(map(str, found.overlays)), turned=int(found.turned), coach=coach)

    @staticmethod
    def of(form: QueryDict) -> "ViewPreferences":
        """The preferences in a form; invalid values are left out."""
        overlays = tuple(name for name in form.getlist("overlay") if name.isidentifier())
        return ViewPreferences(
            overlays[:MOST_OVERLAYS],
            whole_number(form.get("turned"), digits=3) or 0,
            "numbered" in form,
            "dotted" in form,
            "hinted" in form,
            next((state for state in COACHED if state in form.getlist("coach")), ""),
        )

    def shows(self, overlay: Overlay) -> bool:
        """Whether an overlay is on."""
        return overlay.name in self.overlays or (self.has_aids and overlay.for_newcomers)

    def keep(self, session: Any, game: str) -> None:
        """Remember them for a game."""
        session[_KEPT_AS] = {**session.get(_KEPT_AS, {}), game: asdict(self)}
