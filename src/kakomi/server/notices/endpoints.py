"""Browsers that take push, which people add and remove."""

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest, SignIn
from kakomi.server.configuration import configuration
from kakomi.server.database import writing
from kakomi.server.notices import outbox
from kakomi.server.notices.guarded_http import check_url, expect_public
from kakomi.server.notices.models import Endpoint
from kakomi.server.notices.push import check_keys

MOST = 10
"""How many one guest may have."""
LABEL_LENGTH = 60


def add_browser(
    guest: Guest, url: str, public: str, secret: str, label: str, old: str = "", sign_in: SignIn | None = None
) -> Endpoint:
    """Let a browser take push, until a session ends; whoever it was before, it is this guest's now. `old` is
    the address that it had before. Raises ValueError."""
    keys = _check(url, public, secret)
    with writing():
        Endpoint.objects.filter(address__in=[url, old]).delete()
        Guest.objects.select_for_update().get(pk=guest.pk)  # two at once count one after the other
        if guest.endpoints.count() >= MOST:
            raise ValueError(lazy_message("You have as many as one may have. Remove one first."))
        name = "".join(letter for letter in label.strip() if letter.isprintable())[:LABEL_LENGTH]
        return guest.endpoints.create(address=url, label=name or "Browser", secret=keys, sign_in=sign_in)


def change(guest: Guest, old: str, url: str, public: str, secret: str) -> bool:
    """Go on pushing to a browser that has changed its subscription; False if the old one isn't this guest's.
    Raises ValueError."""
    changed = {"address": url, "secret": _check(url, public, secret), "is_on": True, "failures": 0}
    return guest.endpoints.filter(address=old).update(**changed, retry_at=0.0, off_reason="") > 0


def _check(url: str, public: str, secret: str) -> str:
    """A browser's keys as they are kept. Raises ValueError for them, or where nothing can be posted."""
    keys, is_public = check_keys(public, secret), configuration().is_public
    parts = check_url(url, is_local=not is_public)
    if is_public:
        expect_public(parts)
    return keys


def remove(guest: Guest, number: int) -> bool:
    """Remove an endpoint of a guest's; False if there is none."""
    return guest.endpoints.filter(pk=number).delete()[0] > 0


def switch_on(guest: Guest, number: int) -> bool:
    """Send to an endpoint again that was switched off; False if there is none."""
    found = guest.endpoints.filter(pk=number)
    return found.update(is_on=True, failures=0, retry_at=0.0, off_reason="") > 0


def send_test(guest: Guest, endpoint: Endpoint, text: str) -> bool:
    """Send a try to an endpoint, at most once a minute; False if one was sent just now."""
    now = clock.now()
    payload = {
        "kind": "test",
        "text": text,
        "url": f"{configuration().address}/notices/",
        "table": None,
    }
    key = f"test.{endpoint.pk}.{now // 60:.0f}"
    return outbox.post("push", key, {"payload": payload}, guest=guest, endpoint=endpoint)
