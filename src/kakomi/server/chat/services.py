"""Writing messages, and taking them away."""

import secrets

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.name_rules import has_forbidden_word
from kakomi.server.chat import selectors
from kakomi.server.chat.models import LONGEST, ChatChoice, Message
from kakomi.server.database import writing
from kakomi.server.moderation.audit_log import note, was_done
from kakomi.server.moderation.permissions import expect_other
from kakomi.server.moderation.restrictions import mute_of
from kakomi.server.moderation.wording import until_in_words
from kakomi.server.tables.models import Table
from kakomi.server.tables.services import tell_viewers
from kakomi.session import Refused

PER_MINUTE = 10
"""Messages that somebody may write within a minute, at all tables together."""
MOST_AT_TABLE = 2_000


def write(row: Table, author: Guest, text: str, key: str) -> Message:
    """Keep a message of somebody who sits at a table; sent twice, it is the first one. Raises Refused."""
    text = _clean(text)
    with writing():
        Guest.objects.select_for_update(no_key=True).get(pk=author.pk)  # one after the other
        named = f"{author.pk}.{row.pk}.{key[:30]}"
        known = Message.objects.filter(key=named).first()
        if known is not None and known.text == text:
            return known
        if known is not None:  # two pages that knew of the same last message
            named = f"{named}.{secrets.token_urlsafe(6)}"
        if wrong := why_not(row, author, text):
            raise Refused(wrong)
        made = Message.objects.create(table=row, author=author, text=text, at=clock.now(), key=named)
        tell_viewers([row.pk])
    return made


def why_not(row: Table, author: Guest, text: str) -> str:
    """Why somebody can't write this at a table, and what would be right; empty if they can."""
    if not may_write(row, author):
        return lazy_message(
            "Messages are written by those who play each other, and not if they are switched off."
        )
    if measure := mute_of(author):
        return lazy_message("You may write no messages until {until}.", until=until_in_words(measure))
    if not text:
        return lazy_message("Write something first.")
    if len(text) > LONGEST:
        return lazy_message(
            "A message may have {most} characters; this one has {count}.", most=LONGEST, count=len(text)
        )
    if has_forbidden_word(text):
        return lazy_message("This site doesn’t take one of these words.")
    if Message.objects.filter(author=author, at__gt=clock.now() - 60).count() >= PER_MINUTE:
        return lazy_message("You write very much: wait a minute.")
    if Message.objects.filter(table=row).count() >= MOST_AT_TABLE:
        return lazy_message("This table has all the messages that it can hold.")
    return ""


def may_write(row: Table, guest: Guest) -> bool:
    """Whether messages are for somebody at a table: they sit there, others do, and they want messages."""
    people = set(row.seats.exclude(guest=None).values_list("guest", flat=True))
    return guest.pk in people and len(people) > 1 and not selectors.is_off(guest)


def remove(message: Message, by: User, reason: str, key: str) -> None:
    """Take a message's text away, as staff, once. Raises Refused for one's own."""
    with writing():
        row = Message.objects.select_for_update().get(pk=message.pk)
        if was_done(by, key):
            return
        expect_other(by, row.author)
        if row.removed_at is not None:
            return
        note(by, row.author, "message", reason, key, {"table": row.table.code, "message": row.pk})
        row.text, row.removed_at = "", clock.now()
        row.save(update_fields=["text", "removed_at"])
        tell_viewers([row.table_id])


def choose(guest: Guest, *, is_off: bool) -> None:
    """Switch messages off or on for somebody, at all tables."""
    ChatChoice.objects.update_or_create(guest=guest, defaults={"is_off": is_off})


def forget(guest: Guest) -> None:
    """Take the texts away of somebody who is erased. Must be inside a transaction."""
    Message.objects.filter(author=guest).update(text="", removed_at=clock.now())


def _clean(text: str) -> str:
    """On one line, without invisible characters."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
