"""What people are told of teams, each written with what it tells of."""

from django.urls import reverse

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.notices.models import Notice
from kakomi.server.notices.services import notify, read_under, take_back
from kakomi.server.teams.models import Member, Team

REQUEST, NEWS = "team_request", "team_news"
ACCEPTED = lazy_message("You are a member now.")
DECLINED = lazy_message("Your wish to join was declined.")
REMOVED = lazy_message("You are no longer a member.")
LEADING = lazy_message("You lead the team now.")
DISSOLVED = lazy_message("The team was dissolved.")
CLOSED = lazy_message("Staff have closed the team.")
RENAMED = lazy_message("Staff have changed the name of the team.")


def tell_request(row: Team, asking: Member) -> None:
    """The leaders hear that somebody would like to join."""
    data = {**_data(row), "name": asking.guest.called}
    for guest in row.members.filter(state=Member.State.LEADER).values_list("guest", flat=True):
        notify(guest, REQUEST, f"{asking.guest_id}.{row.pk}.{asking.since:.0f}", data)


def forget_request(asking: Member) -> None:
    """Note that nobody has to answer any more."""
    read_under(REQUEST, f"{asking.guest_id}.{asking.team_id}.")


def tell_news(row: Team, guest: int, title: str, at: float) -> None:
    """Somebody hears what became of them in a team, or of the team."""
    notify(guest, NEWS, f"{row.pk}.{at:.3f}", {**_data(row), "title": str(title)})


def forget_guest(guest: Guest) -> None:
    """Take back what leaders were told of somebody who is erased: it names them."""
    take_back(REQUEST, f"{guest.pk}.")


def forget_name(row: Team) -> None:
    """Take back all that was told of a team under a name that it has no more."""
    Notice.objects.filter(kind__in=(REQUEST, NEWS), data__address=_data(row)["address"]).delete()


def _data(row: Team) -> dict[str, str]:
    return {"team": row.name, "address": reverse("team", args=[row.code])}
