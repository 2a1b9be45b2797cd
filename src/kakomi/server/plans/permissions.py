"""Who may plan at a table: a player of one seat, while people play each other."""

from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Refused, Table


def why_not(table: Table, viewer: Viewer) -> LazyMessage | None:
    """Why a viewer can't plan here; None if they can."""
    if not viewer.is_player:
        return lazy_message("only players can plan moves")
    if len(viewer.own) > 1:
        return lazy_message("you play several seats here: planning works for one seat only")
    if not viewer.faces_people:
        return lazy_message("you can plan moves only against people")
    if viewer.free:
        return lazy_message("not all players have joined yet")
    if table.is_over or table.match.phase != "play":
        return lazy_message("you can plan moves only in games in progress")
    seat = viewer.own[0]
    if seat in table.match.current_game.resigned_seats or table.match.seats[seat].is_bot:
        return lazy_message("you have left the game")
    return None


def require_may_plan(table: Table, viewer: Viewer) -> None:
    """Raise `Refused` if the viewer can't plan here."""
    if reason := why_not(table, viewer):
        raise Refused(reason)
