"""Writing and removing table messages, keeping notes, and the rules for what may be written."""

import secrets

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.name_rules import has_forbidden_word
from kakomi.server.chat import selectors
from kakomi.server.chat.models import LONGEST, LONGEST_NOTE, ChatChoice, Message, Note
from kakomi.server.chat.notices import notify_table_message
from kakomi.server.moderation.permissions import check_not_own
from kakomi.server.moderation.restrictions import mute_of
from kakomi.server.moderation.services import is_logged, log_action
from kakomi.server.moderation.wording import until_in_words
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.tables.models import Table
from kakomi.server.tables.services import tell_viewers
from kakomi.session import Refused

PER_MINUTE = 10
"""The maximum number of messages per author in a minute, at all tables together."""
MOST_AT_TABLE = 2_000


def write_message(
    row: Table, author: Guest, text: str, key: str, room: Message.Room = Message.Room.PLAYERS
) -> Message:
    """Write a message in a room of a table. A repeated message returns the first one. Raises Refused."""
    text = on_one_line(text)
    with writing():
        Guest.objects.select_for_update(no_key=True).get(pk=author.pk)  # one request at a time
        named = f"{author.pk}.{row.pk}.{room[0]}.{key[:30]}"
        known = Message.objects.filter(key=named).first()
        if known is not None and known.text == text:
            return known
        if known is not None:  # another text, from a second page with the same key
            named = f"{named}.{secrets.token_urlsafe(6)}"
        if wrong := why_not_write(row, author, text, room):
            raise Refused(wrong)
        made = Message.objects.create(
            table=row, author=author, room=room, text=text, at=clock.now(), key=named
        )
        if room == Message.Room.PLAYERS:  # spectators' pages fetch the room themselves, unnoticed by players
            notify_table_message(row, author, made.pk)
            tell_viewers([row.pk])
    return made


def why_not_write(row: Table, author: Guest, text: str, room: Message.Room) -> str:
    """Why an author can't write this text in a room, and what would help; empty if they can."""
    if room == Message.Room.SPECTATORS and not may_write_room(row, author):
        return lazy_message(
            "Spectators need an account to chat here, and players can join in once the game is "
            "over. Chat must be turned on in your settings."
        )
    if room == Message.Room.PLAYERS and not may_write(row, author):
        return lazy_message("Only players can chat here, and only with chat turned on.")
    if wrong := why_not_written(author, text, LONGEST):
        return wrong
    if Message.objects.filter(author=author, at__gt=clock.now() - 60).count() >= PER_MINUTE:
        return lazy_message("You’re sending messages too fast. Wait a minute.")
    if Message.objects.filter(table=row).count() >= MOST_AT_TABLE:
        return lazy_message("This chat is full.")
    return ""


def may_write(row: Table, guest: Guest) -> bool:
    """Whether a guest may write to the players: they sit there with others, and want messages."""
    people = set(row.seats.exclude(guest=None).values_list("guest", flat=True))
    return guest.pk in people and len(people) > 1 and not selectors.is_off(guest)


def may_read_room(row: Table, guest: Guest) -> bool:
    """Whether a guest may read the spectators' room: players after the end, others with an account."""
    return row.is_over if has_seat(row, guest) else guest.has_user


def may_write_room(row: Table, guest: Guest) -> bool:
    """Whether a guest may write in the spectators' room: they may read it, have an account, want messages."""
    return guest.has_user and may_read_room(row, guest) and not selectors.is_off(guest)


def has_seat(row: Table, guest: Guest) -> bool:
    """Whether a guest has a seat at a table."""
    return row.seats.filter(guest=guest).exists()


def remove_message(message: Message, by: User, reason: str, key: str) -> None:
    """Remove a message's text, as staff, once. Raises Refused for one's own."""
    key = f"{key}.{message.pk}"  # the page uses one key for all messages
    with writing():
        row = Message.objects.select_for_update().get(pk=message.pk)
        if is_logged(by, key):
            return
        check_not_own(by, row.author)
        if row.removed_at is not None:
            return
        log_action(by, row.author, "message", reason, key, {"table": row.table.code, "message": row.pk})
        row.text, row.removed_at = "", clock.now()
        row.save(update_fields=["text", "removed_at"])
        if row.room == Message.Room.PLAYERS:
            tell_viewers([row.table_id])


def set_messages_off(guest: Guest, *, is_off: bool) -> None:
    """Switch all messages off or on for a guest."""
    ChatChoice.objects.update_or_create(guest=guest, defaults={"is_off": is_off})


def erase_messages(guest: Guest, **_named: object) -> None:
    """Remove the texts of an erased person's table messages. Must be inside a transaction."""
    Message.objects.filter(author=guest).update(text="", removed_at=clock.now())


def save_note(owner: Guest, row: Table, text: str) -> None:
    """Save a player's note on a game; an empty text deletes it. Raises Refused if it is too long."""
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST_NOTE:
        raise Refused(
            lazy_message(
                "Notes can have up to {most} characters; this one has {count}.",
                most=LONGEST_NOTE,
                count=len(text),
            )
        )
    with writing():
        if text:
            Note.objects.update_or_create(owner=owner, table=row, defaults={"text": text, "at": clock.now()})
        else:
            Note.objects.filter(owner=owner, table=row).delete()


def why_not_written(author: Guest, text: str, longest: int) -> str:
    """Why an author may not write a text to others, and what would help; empty if they may."""
    if muted := why_muted(author):
        return muted
    if not text:
        return lazy_message("Write a message first.")
    if len(text) > longest:
        return lazy_message(
            "Messages can have up to {most} characters; this one has {count}.", most=longest, count=len(text)
        )
    if has_forbidden_word(text):
        return lazy_message("Your message contains a word that isn’t allowed here.")
    return ""


def why_muted(author: Guest) -> str:
    """Until when an author is muted, and why; empty if they aren't."""
    measure = mute_of(author)
    if measure is None:
        return ""
    return lazy_message(
        "You’re muted until {until}. Reason: {reason}",
        until=until_in_words(measure),
        reason=measure.reason,
    )


def on_one_line(text: str) -> str:
    """The text on one line, without unprintable characters."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def on_lines(text: str) -> str:
    """The text with its line breaks, but without repeated empty lines and unprintable characters."""
    lines = [on_one_line(line) for line in text.splitlines()]
    kept_lines = [line for number, line in enumerate(lines) if line or (number and lines[number - 1])]
    return "\n".join(kept_lines).strip()
