"""How somebody sees a table: language, preferences, the look of boards."""

from dataclasses import dataclass, replace

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

from kakomi.server.boardview.board_look import BoardLook, look_of
from kakomi.server.boardview.view_preferences import ViewPreferences
from kakomi.server.games import find_description
from kakomi.server.tables import models, selectors
from kakomi.server.tables.permissions import Viewer


@dataclass(frozen=True)
class ViewContext:
    """What a table's page depends on beside the table and its viewer."""

    language: str
    preferences: ViewPreferences
    look: BoardLook
    site: str
    """The scheme and host that the page comes from."""

    @staticmethod
    def of(request: HttpRequest, viewer: Viewer, row: models.Table) -> "ViewContext":
        """As the sender of a request has it, in the language that is spoken."""
        return ViewContext(
            get_language() or settings.LANGUAGE_CODE,
            _preferences(request, viewer, row),
            look_of(request),
            f"{request.scheme}://{request.get_host()}",
        )


def _preferences(request: HttpRequest, viewer: Viewer, row: models.Table) -> ViewPreferences:
    """How somebody sees a game's boards: as they have put it, else as it is best for who is new."""
    kept = ViewPreferences.kept(request.session, row.game)
    if kept is not None and kept.coach != "proposed":
        return kept
    finished = selectors.first_finished(viewer.guest, row.game)
    is_first = all(other.pk == row.pk for other in finished)
    if kept is not None:
        return kept if is_first else replace(kept, coach="")
    if len(finished) < selectors.NEWCOMER_GAMES:
        return ViewPreferences.for_newcomers(find_description(row.game), is_first=is_first)
    return ViewPreferences()
