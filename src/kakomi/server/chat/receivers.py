"""What chat hears of people, inside the transaction of the cause."""

from typing import Any

from kakomi.server.accounts.models import Guest
from kakomi.server.chat.models import ChatChoice, Message
from kakomi.server.chat.notices import forget_author
from kakomi.server.chat.services import forget


def hear_of_joining(left: Guest, guest: Guest, **_named: Any) -> None:
    """Give a guest the messages and the choice of another one, who is the same person."""
    Message.objects.filter(author=left).update(author=guest)
    if not ChatChoice.objects.filter(guest=guest).exists():
        ChatChoice.objects.filter(guest=left).update(guest=guest)
    ChatChoice.objects.filter(guest=left).delete()


def hear_of_erasure(guest: Guest, **_named: Any) -> None:
    """Take the texts of an erased person away, and what others were told of them."""
    forget(guest)
    forget_author(guest)
