"""What teams do when a person is erased: they go on with another leader, and no text names the person."""

from collections.abc import Collection

from kakomi.server.accounts.models import Guest
from kakomi.server.teams import services
from kakomi.server.teams.models import Team
from kakomi.server.teams.notices import forget_guest, forget_name


def hear_of_erasure(guest: Guest, names: Collection[str], **_named: object) -> None:
    """Take somebody out of their teams, and their names out of what these say of themselves."""
    forget_guest(guest)
    known = [name.casefold() for name in names]
    concerned = Team.objects.filter(members__guest=guest) | Team.objects.filter(founder=guest)
    for number in sorted(set(concerned.values_list("pk", flat=True))):
        row = services.locked(Team(pk=number))
        row.members.filter(guest=guest).delete()
        _forget_names(row, known)
        services.lead_on(row)


def _forget_names(row: Team, names: Collection[str]) -> None:
    if any(name in row.name.casefold() for name in names):
        forget_name(row)
        unname(row)
    if any(name in row.line.casefold() for name in names):
        row.line = ""
        row.save(update_fields=["line"])


def unname(row: Team) -> None:
    """Call a team by its code."""
    row.name = f"Team {row.code}"
    row.save()
