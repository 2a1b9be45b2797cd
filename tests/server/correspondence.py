"""People who play by mail, their mails, and a postman, for tests."""

import itertools
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from allauth.account.models import EmailAddress

from kakomi import catalog
from kakomi.core import Position
from kakomi.server.accounts.models import Guest
from kakomi.server.mail import inbox, jobs
from kakomi.server.mail.apps import take_part
from kakomi.server.mail.outgoing import on_entries_added
from kakomi.server.notices import digests, outbox
from kakomi.server.notices.mail import send_mail
from kakomi.server.notices.models import Delivery, Mailing
from kakomi.server.site import clock
from kakomi.server.site.configuration import configuration
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.extensions import RESPONDERS, entries_added
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, Table, TimeControl
from kakomi.session.time_control import DAY
from server.people import make_user

PLAY, BOUNCES, RELAY = "play@games.example", "bounces@games.example", "mx.games.example"
DAYS = TimeControl(3 * DAY, kind="days")
LATE = 2 * 3600.0
"""The last seconds of a day, in which no test begins, as some things are counted by the day."""
_NUMBERS = itertools.count(1)


@contextmanager
def taking_mail(**settings: str) -> Iterator[None]:
    """Have the site take mail."""
    site = configuration()
    wanted = {"mail_in_address": PLAY, "mail_in_bounces": BOUNCES, "mail_in_relay": RELAY, **settings}
    known = {name: getattr(site, name) for name in wanted}
    responders = list(RESPONDERS)
    for name, value in wanted.items():
        object.__setattr__(site, name, value)
    take_part()
    try:
        yield
    finally:
        RESPONDERS[:] = responders
        entries_added.disconnect(on_entries_added)
        for name, value in known.items():
            object.__setattr__(site, name, value)


def address_of(name: str) -> str:
    return f"{name}@people.example"


def correspondent(name: str, *, plays_by_mail: bool = True, **mailing: Any) -> Guest:
    """A guest with a confirmed address, who plays by mail by default and keeps games private."""
    user = make_user(name, email=address_of(name))
    user.guest.shows_games = False
    user.guest.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Mailing.objects.create(guest=user.guest, plays_by_mail=plays_by_mail, **mailing)
    return user.guest


def begun(*sitters: Sitter, game: str, options: dict[str, int], **terms: Any) -> models.Table:
    return services.begin(MatchConfig(catalog.game(game, **options), **terms), sitters, DAYS)


def now(row: models.Table) -> Table:
    row.refresh_from_db()
    return selectors.table_of(row)


def written(
    sender: str, text: str, *, to: str = PLAY, subject: str = "hello", headers: Sequence[tuple[str, str]] = ()
) -> bytes:
    """A mail as a mail program writes it."""
    number = next(_NUMBERS)
    mail = EmailMessage()
    for name, value in headers:  # servers add theirs at the top
        mail[name] = value
    mail["From"] = sender
    mail["To"] = to
    mail["Subject"] = subject
    mail["Date"] = format_datetime(datetime.fromtimestamp(1_800_000_000 + number, UTC))
    mail["Message-ID"] = f"<{number}@people.example>"
    mail.set_content(text)
    return mail.as_bytes()


def vouched(sender: str, *, relay: str = RELAY, result: str = "pass") -> tuple[tuple[str, str], ...]:
    """The headers of a relay that has authenticated a mail."""
    domain = sender.rpartition("@")[2]
    return (
        ("Authentication-Results", f"{relay}; dkim={result} header.d={domain}; spf=none"),
        ("Received", f"from mail.{domain} by {relay}; Mon, 23 Nov 2026 18:00:00 +0000"),
    )


class Postman:
    """Delivers mails to the site, and collects the mails that it writes."""

    def __init__(self) -> None:
        now = time.time()
        self.now = now + LATE if now % DAY > DAY - LATE else now
        self._seen: set[int] = set()

    @contextmanager
    def at_work(self) -> Iterator["Postman"]:
        with clock.time_from(lambda: self.now):
            yield self

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def deliver(self, data: bytes, *, to: str = PLAY, sender: str = "") -> list[dict[str, Any]]:
        """Deliver a mail, have it handled, and collect the site's new mails."""
        inbox.receive(data, sender=sender, recipients=[to])
        jobs.handle_mail()
        return self.collect()

    def reply(self, mail: dict[str, Any], text: str, **more: Any) -> list[dict[str, Any]]:
        """Answer one of the site's mails as its reader, and collect the site's new mails."""
        to = mail["headers"]["Reply-To"]
        quoted = "\n".join(f"> {line}" for line in mail["text"].splitlines())
        data = written(
            mail["to"],
            f"{text}\n\nOn Monday the site wrote:\n{quoted}\n",
            to=to,
            subject=f"Re: {mail['subject']}",
        )
        return self.deliver(data, to=to, **more)

    def collect(self) -> list[dict[str, Any]]:
        """Let a minute pass, and return the mails that the site has written since the last call."""
        self.wait(60)
        jobs.write_turn_mails()
        digests.write_digests()
        while delivery := outbox.claim("mail"):
            outbox.attempt(delivery, send_mail)
        new = [
            delivery
            for delivery in Delivery.objects.filter(channel="mail", state="kept").order_by("pk")
            if delivery.pk not in self._seen
        ]
        self._seen.update(delivery.pk for delivery in new)
        return [delivery.content for delivery in new]


def random_turn(position: Position, chance: random.Random) -> list[str]:
    """A random whole turn."""
    actions: list[str] = []
    while not actions or (position.turn and not position.is_over):
        actions.append(chance.choice(position.legal()))
        position = position.play(actions[-1])
    return actions
