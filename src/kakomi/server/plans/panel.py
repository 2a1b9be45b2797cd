"""What stands of a plan beside its owner's board, and nobody else's."""

from django.utils.safestring import SafeString, mark_safe

from kakomi.server.boardview.fragments import fragment
from kakomi.server.language import translate
from kakomi.server.plans.permissions import why_not
from kakomi.server.plans.presenters import lines_of
from kakomi.server.plans.selectors import standing_of
from kakomi.server.tables.presenters import TablePresenter


def plan_panel(shown: TablePresenter) -> SafeString:
    """The viewer's plan: armed with its turns, drafted, ended; or the way to one."""
    if why_not(shown.table, shown.viewer):
        return mark_safe("")
    seat = shown.viewer.seats[shown.viewer.own[0]]
    standing = standing_of(seat, shown.table)
    values = {
        "code": shown.row.code,
        "is_armed": standing.is_armed,
        "lines": lines_of(standing.tree.branches, seat.number),
        "played": standing.played[::-1],
        "end": translate(standing.end.words) if standing.end and not standing.is_armed else "",
    }
    return fragment("plan", "plans/_panel.html", **values).html
