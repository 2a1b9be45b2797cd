"""Writing messages and notes, taking messages away, and what may be written to others at all."""

import secrets

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.name_rules import has_forbidden_word
from kakomi.server.chat import selectors
from kakomi.server.chat.models import LONGEST, LONGEST_NOTE, ChatChoice, Message, Note
from kakomi.server.chat.notices import tell_others
from kakomi.server.database import writing
from kakomi.server.moderation.permissions import expect_other
from kakomi.server.moderation.restrictions import mute_of
from kakomi.server.moderation.services import note, was_done
from kakomi.server.moderation.wording import until_in_words
from kakomi.server.tables.models import Table
from kakomi.server.tables.services import tell_viewers
from kakomi.session import Refused

PER_MINUTE = 10
"""Messages that somebody may write within a minute, at all tables together."""
MOST_AT_TABLE = 2_000


def write(
    row: Table, author: Guest, text: str, key: str, room: Message.Room = Message.Room.PLAYERS
) -> Message:
    """Keep somebody's message in a room of a table; sent twice, it is the first one. Raises Refused."""
    text = on_one_line(text)
    with writing():
        Guest.objects.select_for_update(no_key=True).get(pk=author.pk)  # one after the other
        named = f"{author.pk}.{row.pk}.{room[0]}.{key[:30]}"
        known = Message.objects.filter(key=named).first()
        if known is not None and known.text == text:
            return known
        if known is not None:  # two pages that knew of the same last message
            named = f"{named}.{secrets.token_urlsafe(6)}"
        if wrong := why_not(row, author, text, room):
            raise Refused(wrong)
        made = Message.objects.create(
            table=row, author=author, room=room, text=text, at=clock.now(), key=named
        )
        if room == Message.Room.PLAYERS:  # spectators look by themselves, so that nobody at the board notices
            tell_others(row, author, made.pk)
            tell_viewers([row.pk])
    return made


def why_not(row: Table, author: Guest, text: str, room: Message.Room) -> str:
    """Why somebody can't write this in a room, and what would be right; empty if they can."""
    if room == Message.Room.SPECTATORS and not may_write_room(row, author):
        return lazy_message(
            "Spectators with an account write here, players once the game is over, and nobody who has "
            "switched messages off."
        )
    if room == Message.Room.PLAYERS and not may_write(row, author):
        return lazy_message(
            "Messages are written by those who play each other, and not if they are switched off."
        )
    if wrong := why_not_written(author, text, LONGEST):
        return wrong
    if Message.objects.filter(author=author, at__gt=clock.now() - 60).count() >= PER_MINUTE:
        return lazy_message("You write very much: wait a minute.")
    if Message.objects.filter(table=row).count() >= MOST_AT_TABLE:
        return lazy_message("This table has all the messages that it can hold.")
    return ""


def may_write(row: Table, guest: Guest) -> bool:
    """Whether messages are for somebody at a table: they sit there, others do, and they want messages."""
    people = set(row.seats.exclude(guest=None).values_list("guest", flat=True))
    return guest.pk in people and len(people) > 1 and not selectors.is_off(guest)


def may_read_room(row: Table, guest: Guest) -> bool:
    """Whether the spectators' room is open to somebody: to accounts, and to who plays there after the end."""
    return row.is_over if sits(row, guest) else guest.has_user


def may_write_room(row: Table, guest: Guest) -> bool:
    """Whether somebody writes in the spectators' room: they have an account, and want messages."""
    return guest.has_user and may_read_room(row, guest) and not selectors.is_off(guest)


def sits(row: Table, guest: Guest) -> bool:
    """Whether somebody has a seat at a table."""
    return row.seats.filter(guest=guest).exists()


def remove(message: Message, by: User, reason: str, key: str) -> None:
    """Take a message's text away, as staff, once. Raises Refused for one's own."""
    key = f"{key}.{message.pk}"  # a page has one for all of its messages
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
        if row.room == Message.Room.PLAYERS:
            tell_viewers([row.table_id])


def choose(guest: Guest, *, is_off: bool) -> None:
    """Switch messages off or on for somebody, at all tables and from everybody."""
    ChatChoice.objects.update_or_create(guest=guest, defaults={"is_off": is_off})


def forget(guest: Guest, **_named: object) -> None:
    """Take the texts away of somebody who is erased. Must be inside a transaction."""
    Message.objects.filter(author=guest).update(text="", removed_at=clock.now())


def keep_note(owner: Guest, row: Table, text: str) -> None:
    """Keep somebody's note on a game in place of the one before; an empty one deletes it. Raises Refused."""
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST_NOTE:
        raise Refused(
            lazy_message(
                "A note may have {most} characters; this one has {count}.", most=LONGEST_NOTE, count=len(text)
            )
        )
    with writing():
        if text:
            Note.objects.update_or_create(owner=owner, table=row, defaults={"text": text, "at": clock.now()})
        else:
            Note.objects.filter(owner=owner, table=row).delete()


def why_not_written(author: Guest, text: str, longest: int) -> str:
    """Why somebody may not write a text to others, and what would be right; empty if they may."""
    if muted := why_muted(author):
        return muted
    if not text:
        return lazy_message("Write something first.")
    if len(text) > longest:
        return lazy_message(
            "A message may have {most} characters; this one has {count}.", most=longest, count=len(text)
        )
    if has_forbidden_word(text):
        return lazy_message("This site doesn’t take one of these words.")
    return ""


def why_muted(author: Guest) -> str:
    """Until when somebody may write nothing to others, and why; empty if they may write."""
    measure = mute_of(author)
    if measure is None:
        return ""
    return lazy_message(
        "You may write no messages until {until}. The reason: {reason}",
        until=until_in_words(measure),
        reason=measure.reason,
    )


def on_one_line(text: str) -> str:
    """A text on one line, without invisible characters."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def on_lines(text: str) -> str:
    """A text with its lines, at most one empty one between two, and no invisible characters."""
    lines = [on_one_line(line) for line in text.splitlines()]
    kept = [line for number, line in enumerate(lines) if line or (number and lines[number - 1])]
    return "\n".join(kept).strip()
