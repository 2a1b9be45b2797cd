"""The same people once more."""

from kakomi.core.i18n import lazy_message
from kakomi.server.database import writing
from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from kakomi.session import Refused


def rematch(row: models.Table) -> models.Table:
    """The table that comes after one whose match is over, made now if nobody has asked for it yet.

    Everybody moves on by one seat, so that somebody else begins. Raises Refused while the match goes on.
    """
    with writing():
        row = models.Table.objects.select_for_update().get(pk=row.pk)
        if row.successor is not None:
            return row.successor
        match = services.table_of(row).match
        if not match.is_over:
            raise Refused(lazy_message("a rematch comes after the match: this one isn't over yet"))
        seats = list(row.seats.select_related("guest"))
        sitters = [Sitter(seat.guest, seat.bot, seat.name) for seat in seats]
        row.successor = services.begin(match.terms, [*sitters[1:], sitters[0]], services.table_of(row).time)
        row.save(update_fields=["successor"])
    services.stir(row)
    return row.successor
