"""People and seeks for tests of the lobby."""

from kakomi.server.accounts.models import Guest, User
from kakomi.server.lobby import services
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.services import Wish
from kakomi.server.lobby.terms import SeekTerms
from kakomi.session import TimeControl

LIVE = TimeControl(600.0, 5.0)
DAYS = TimeControl(3 * 86400.0, kind="days")


def somebody(name: str = "", *, account: bool = False) -> Guest:
    """A guest, or a user."""
    guest = Guest.objects.create(name=name)
    if account:
        User.objects.create(guest=guest, username=name or f"user{guest.pk}")
    return guest


def sought(owner: Guest, key: str = "key", *, game: str = "ren", control: TimeControl = LIVE, **wish) -> Seek:
    """Create a seek: an open one for Ren, unless the arguments say otherwise."""
    terms = SeekTerms(game, control, **wish.pop("terms", {}))
    return services.create_seek(owner, Wish(wish.pop("kind", Seek.Kind.OPEN), terms, **wish), key).seek
