"""The messages beside the board, for those who play each other there."""

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from kakomi.server.boardview.fragments import fragment
from kakomi.server.chat import selectors
from kakomi.server.chat.models import LONGEST
from kakomi.server.tables.presenters import TablePresenter


def chat_panel(shown: TablePresenter) -> SafeString:
    """The last messages with a field to write one; nothing for spectators, and for those alone with bots.

    Spectators share what they are sent with the news, so nothing here may depend on which of them looks.
    """
    guest = shown.viewer.guest
    if guest is None or not shown.viewer.faces_people or shown.viewer.free:
        return mark_safe("")
    is_off = selectors.is_off(guest)
    messages, key = ([], "") if is_off else selectors.recent_messages(shown.row, guest)
    said = tuple((each.author.called, each.text, each.author_id == guest.pk) for each in messages)
    return fragment(
        "chat",
        "chat/_panel.html",
        address=reverse("table_messages", args=[shown.row.code]),
        said=said,
        key=key,
        is_off=is_off,
        longest=LONGEST,
    ).html
