"""The way from a table to a report of those who sit there."""

from django.utils.safestring import SafeString, mark_safe

from kakomi.server.boardview.fragments import fragment
from kakomi.server.tables.presenters import TablePresenter
from kakomi.server.tables.wording import seat_label


def report_panel(shown: TablePresenter) -> SafeString:
    """A link for each other person at the table, for those who play there.

    Spectators share what they are sent with the news, so nothing here may depend on which of them looks.
    """
    viewer = shown.viewer
    if viewer.guest is None or not viewer.is_player:
        return mark_safe("")
    others = tuple(
        (seat.number, seat_label(seat))
        for seat in viewer.seats
        if seat.guest_id is not None and seat.guest_id != viewer.guest.pk
    )
    if not others:
        return mark_safe("")
    return fragment("reports", "moderation/_panel.html", code=shown.row.code, others=others).html
