"""How a viewer's boards look: the theme of all boards, and preferences saved per browser and game."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kakomi.core import Description
from kakomi.draw import Overlay
from kakomi.server.site.whole_numbers import whole_number

_PREFERENCES_KEY = "wishes"
MOST_OVERLAYS = 10
COACHED = ("off", "on", "proposed")
"""The states of the coach in forms and sessions; if a form has several, the first counts."""


@dataclass(frozen=True)
class ViewPreferences:
    """A viewer's preferences; the defaults are for people who know the game."""

    overlays: tuple[str, ...] = ()
    turned: int = 0
    is_numbered: bool = False
    is_dotted: bool = False
    """Whether every legal point is marked with a dot, instead of only reacting to the pointer."""
    is_hinted: bool = False
    """Whether a line beside the board says what to do and why."""
    coach: str = ""
    """The state of the coach at tables with bots, one of COACHED; empty is off."""
    has_aids: bool = False
    """Whether the overlays for newcomers are on, in addition to `overlays`."""

    @staticmethod
    def for_newcomers(description: Description, *, is_first: bool = False) -> "ViewPreferences":
        """The preferences of newcomers to a game until they change something. In a first game a coach is
        proposed."""
        return ViewPreferences(
            is_dotted=description.dots_for_newcomers,
            is_hinted=True,
            coach="proposed" if is_first else "",
            has_aids=True,
        )

    @staticmethod
    def saved(session: Mapping[str, Any], game: str) -> "ViewPreferences | None":
        """The preferences for a game saved in a session; None if there are none or they are invalid."""
        try:
            found = ViewPreferences(**session[_PREFERENCES_KEY][game])
        except (KeyError, TypeError):
            return None
        coach = found.coach if found.coach in COACHED else ""
        return replace(found, overlays=tuple(map(str, found.overlays)), turned=int(found.turned), coach=coach)

    @staticmethod
    def of(form: QueryDict) -> "ViewPreferences":
        """The preferences in a form, without invalid values."""
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
        is_on = overlay.is_lasting or (self.has_aids and overlay.for_newcomers)
        return is_on or overlay.name in self.overlays

    def save(self, session: Any, game: str) -> None:
        """Save them in a session, for a game."""
        session[_PREFERENCES_KEY] = {**session.get(_PREFERENCES_KEY, {}), game: asdict(self)}


_LOOK_KEY = "board_look"
KNOWN = "look_known"
"""The field that marks a form with the look, as browsers don't send unchecked checkboxes."""
BOARD_THEMES: Mapping[str, str | Promise] = {"": _("Game default"), "slate": _("Slate"), "sage": _("Sage")}
STONE_SETS: Mapping[str, str | Promise] = {"": _("Polished"), "matte": _("Matte"), "flat": _("Flat")}


@dataclass(frozen=True)
class BoardLook:
    """A viewer's choices for the boards of all games."""

    board: str = ""
    """One of BOARD_THEMES, in addition to light or dark."""
    stones: str = ""
    """One of STONE_SETS."""
    is_bare: bool = False
    """Whether coordinates are hidden."""
    is_contrasting: bool = False
    has_large_marks: bool = False

    @staticmethod
    def saved(session: Mapping[str, Any]) -> "BoardLook":
        """The look saved in a session; the default if there is none or it is invalid."""
        try:
            return BoardLook(**session[_LOOK_KEY])._checked()
        except (KeyError, TypeError):
            return BoardLook()

    @staticmethod
    def of(form: QueryDict) -> "BoardLook":
        """The look in a form, with defaults for invalid values."""
        look = BoardLook(
            form.get("board", ""),
            form.get("stones", ""),
            "coordinates" not in form,
            "contrast" in form,
            "large" in form,
        )
        return look._checked()

    def _checked(self) -> "BoardLook":
        board = self.board if self.board in BOARD_THEMES else ""
        stones = self.stones if self.stones in STONE_SETS else ""
        return BoardLook(board, stones, *map(bool, (self.is_bare, self.is_contrasting, self.has_large_marks)))

    def save(self, session: Any) -> None:
        """Save the look in a session if it has changed."""
        if self != BoardLook.saved(session):
            session[_LOOK_KEY] = asdict(self)

    @property
    def words(self) -> str:
        """The page's attribute `data-look`, for style sheets."""
        switched = {"bare": self.is_bare, "contrast": self.is_contrasting, "large": self.has_large_marks}
        return " ".join(
            filter(None, (self.board, self.stones, *(name for name, on in switched.items() if on)))
        )

    @property
    def themes(self) -> list[tuple[str, str]]:
        """The themes to choose from: value and title."""
        return [(name, str(title)) for name, title in BOARD_THEMES.items()]

    @property
    def stone_sets(self) -> list[tuple[str, str]]:
        """The stones to choose from: value and title."""
        return [(name, str(title)) for name, title in STONE_SETS.items()]


def look_of(request: HttpRequest) -> BoardLook:
    """The look saved in a request's session; the default for pages without a session."""
    return BoardLook.saved(getattr(request, "session", {}))


def save_look(request: HttpRequest) -> None:
    """Save the look in a request's form, if it has one."""
    if KNOWN in request.POST:
        BoardLook.of(request.POST).save(request.session)
