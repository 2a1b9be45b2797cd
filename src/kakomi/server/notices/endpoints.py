"""Endpoints that people add and remove: webhooks, and browsers that take push."""

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.configuration import configuration
from kakomi.server.database import writing
from kakomi.server.notices import outbox
from kakomi.server.notices.guarded_http import check_url
from kakomi.server.notices.models import Endpoint
from kakomi.server.notices.push import check_keys
from kakomi.server.notices.webhooks import new_secret

MOST = {"webhook": 5, "push": 10}
"""How many somebody may have, by channel."""
LABEL_LENGTH = 60


def add_webhook(guest: Guest, url: str, label: str) -> Endpoint:
    """Add a webhook, whose secret its owner sees once. Raises ValueError, in a sentence."""
    url = url.strip()
    host = check_url(url, is_local=not configuration().is_public).hostname or url
    return _added(guest, "webhook", url, label.strip() or host, new_secret())


def add_browser(guest: Guest, url: str, public: str, secret: str, label: str) -> Endpoint:
    """Let a browser take push; whoever it was before, it is this guest's now. Raises ValueError."""
    check_url(url, is_local=not configuration().is_public)
    keys = check_keys(public, secret)
    with writing():
        Endpoint.objects.filter(channel="push", address=url).delete()
        return _added(guest, "push", url, label.strip() or "Browser", keys)


def _added(guest: Guest, channel: str, url: str, label: str, secret: str) -> Endpoint:
    label = "".join(letter for letter in label if letter.isprintable())[:LABEL_LENGTH]
    with writing():
        Guest.objects.select_for_update().get(pk=guest.pk)  # two at once count one after the other
        if guest.endpoints.filter(channel=channel).count() >= MOST[channel]:
            raise ValueError(lazy_message("You have as many as one may have. Remove one first."))
        if guest.endpoints.filter(address=url).exists():
            raise ValueError(lazy_message("You have this address already."))
        return guest.endpoints.create(channel=channel, address=url, label=label, secret=secret)


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
        "at": now,
        "text": text,
        "url": f"{configuration().address}/notices/",
        "table": None,
    }
    key = f"test.{endpoint.pk}.{now // 60:.0f}"
    return outbox.post(endpoint.channel, key, {"payload": payload}, guest=guest, endpoint=endpoint)
