"""One's own note on a game, beside its board."""

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from kakomi.server.boardview.fragments import fragment
from kakomi.server.tables.presenters import TablePresenter


def note_panel(shown: TablePresenter) -> SafeString:
    """The note, and the way to change it, for those who play there.

    It is loaded by who opens it, so that an action at the board doesn't ask for it.
    """
    if not shown.viewer.is_player:
        return mark_safe("")
    address = reverse("note_on_game", args=[shown.row.code])
    return fragment("note", "notebook/_panel.html", address=address).html
