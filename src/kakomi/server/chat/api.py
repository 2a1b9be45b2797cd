"""API operations for direct messages."""

from typing import Annotated

from django.http import Http404, HttpRequest
from ninja import Path, Query, Router, Schema, Status
from pydantic import ConfigDict, Field

from kakomi.server.accounts.auth import guests, required_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.chat import direct_messages
from kakomi.server.chat.direct_messages import Conversation, conversations_of, messages_between
from kakomi.server.chat.models import LONGEST_DIRECT, DirectMessage
from kakomi.server.people.profile import find_person
from kakomi.server.site.api import Key, Strict, answers
from kakomi.server.site.whole_numbers import whole_number

router = Router(tags=["messages"])
Handle = Annotated[str, Path(max_length=150, description="the name of an account")]
Before = Annotated[str, Query(max_length=18, description="messages before this one: `older` of another part")]


class MessageIn(Strict):
    """A message. Repeating a key with the same text returns the same message."""

    text: Annotated[str, Field(max_length=2 * LONGEST_DIRECT)]
    key: Key
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "Well played!", "key": "my-message-1"}]}
    )


class MessageOut(Schema):
    """A message. Times are in seconds since the epoch."""

    id: int
    is_own: bool
    text: str
    at: float


class ConversationOut(Schema):
    """A conversation with its last message."""

    person: str
    """The name of the account."""
    is_new: bool
    last: MessageOut


class PartOut(Schema):
    """Part of a conversation, the oldest message first. `older` is `before` for the preceding part."""

    person: str
    messages: list[MessageOut]
    older: int | None


@router.get("", auth=guests("messages"), response=answers(list[ConversationOut]), url_name="conversations")
def conversations(request: HttpRequest) -> list[ConversationOut]:
    """List your conversations, the latest first, at most 100."""
    guest = required_guest(request)
    return [_listed(each, guest) for each in conversations_of(guest)]


@router.get("/{handle}", auth=guests("messages"), response=answers(PartOut), url_name="conversation")
def conversation(request: HttpRequest, handle: Handle, before: Before = "") -> PartOut:
    """Return the last 50 messages of a conversation. This doesn't mark them as read."""
    guest, number = required_guest(request), whole_number(before, digits=18)
    if before and number is None:
        raise Http404("there is no such part")
    user = find_person(handle)
    part = messages_between(guest, user.guest, number)
    shown = [_message(each, guest) for each in part.messages]
    return PartOut(person=user.username, messages=shown, older=part.older)


@router.post("/{handle}", auth=guests("messages"), response=answers(MessageOut, 201), url_name="conversation")
def send(request: HttpRequest, handle: Handle, message: MessageIn) -> Status[MessageOut]:
    """Send a message to somebody."""
    guest = required_guest(request)
    made = direct_messages.send_message(guest, find_person(handle).guest, message.text, message.key)
    return Status(201, _message(made, guest))


@router.post("/{handle}/read", auth=guests("messages"), response=answers(None, 204), url_name="read_messages")
def note_read(request: HttpRequest, handle: Handle) -> Status[None]:
    """Mark somebody's messages to you as read."""
    direct_messages.mark_read(required_guest(request), find_person(handle).guest)
    return Status(204, None)


def _message(row: DirectMessage, guest: Guest) -> MessageOut:
    return MessageOut(id=row.pk, is_own=row.author_id == guest.pk, text=row.text, at=row.at)


def _listed(each: Conversation, guest: Guest) -> ConversationOut:
    return ConversationOut(
        person=each.other.handle or "", is_new=each.is_new, last=_message(each.last, guest)
    )
