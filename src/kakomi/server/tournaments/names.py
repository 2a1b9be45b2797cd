"""Names of tournaments: reported to staff, and changed by them."""

from kakomi.server.accounts.models import User
from kakomi.server.database import writing
from kakomi.server.moderation.audit_log import note, was_done
from kakomi.server.moderation.permissions import expect_other
from kakomi.server.notices.services import kept_in, notify
from kakomi.server.tournaments import logs
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.notices import address_of
from kakomi.server.tournaments.terms import check_name


def rename(
    row: Tournament, by: User, name: str, reason: str, key: str, *, takes_description: bool = False
) -> None:
    """Give a tournament another name, as staff, for a reason that is kept and that its organiser is told.

    The description may be removed with it. Under the same key it is done once. No log has the old texts.
    Raises Refused for a name that can't be, and for one's own tournament.
    """
    name = " ".join(name.split())
    check_name(name)
    with writing():
        row = logs.locked(row.pk)
        description = "" if takes_description else row.description
        if was_done(by, key) or (row.name, row.description) == (name, description):
            return
        expect_other(by, row.organiser)
        row.name, row.description = name, description
        row.save(update_fields=["name", "description"])
        noted = note(by, row.organiser, "tournament", reason, key, {"tournament": row.code})
        if not row.organiser.is_erased:
            words = kept_in(noted, "reason")
            data = {"tournament": kept_in(row, "name"), "words": words, "address": address_of(row)}
            notify(row.organiser, "tournament_renamed", str(noted.pk), data)
