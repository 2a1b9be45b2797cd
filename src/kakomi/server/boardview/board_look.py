"""The look of all boards: theme, stones, coordinates, contrast, size of marks. Each browser keeps its own."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_KEPT_AS = "board_look"
KNOWN = "look_known"
"""The field by which a form says that it asks for the look; checkboxes that are off are not sent."""
BOARD_THEMES: Mapping[str, str | Promise] = {"": _("As the game’s"), "slate": _("Slate"), "sage": _("Sage")}
STONE_SETS: Mapping[str, str | Promise] = {"": _("Polished"), "matte": _("Matte"), "flat": _("Flat")}


@dataclass(frozen=True)
class BoardLook:
    """What a viewer has chosen, for boards of all games."""

    board: str = ""
    """A theme beside light and dark, of BOARD_THEMES."""
    stones: str = ""
    """One of STONE_SETS."""
    is_bare: bool = False
    """Whether there are no coordinates."""
    is_contrasting: bool = False
    has_large_marks: bool = False

    @staticmethod
    def kept(session: Mapping[str, Any]) -> "BoardLook":
        """A session's look; the default where it holds nothing valid."""
        try:
            return BoardLook(**session[_KEPT_AS])._checked()
        except (KeyError, TypeError):
            return BoardLook()

    @staticmethod
    def of(form: QueryDict) -> "BoardLook":
        """The look in a form; invalid values are the default."""
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

    def keep(self, session: Any) -> None:
        """Remember it, if it is another one than before."""
        if self != BoardLook.kept(session):
            session[_KEPT_AS] = asdict(self)

    @property
    def words(self) -> str:
        """The attribute `data-look` of a page, by which style sheets know it."""
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
    """The look that the sender of a request has chosen; the default for pages without a session."""
    return BoardLook.kept(getattr(request, "session", {}))


def keep_look(request: HttpRequest) -> None:
    """Remember the look in a form, if it asks for one."""
    if KNOWN in request.POST:
        BoardLook.of(request.POST).keep(request.session)
