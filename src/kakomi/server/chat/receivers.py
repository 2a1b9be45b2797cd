"""What chat hears of people, inside the transaction of the cause."""

from typing import Any

from kakomi.server.accounts.models import Guest
from kakomi.server.chat.models import LONGEST_NOTE, ChatChoice, Message, Note


def hear_of_joining(left: Guest, guest: Guest, **_named: Any) -> None:
    """Give a guest the messages, the choice and the notes of another one, who is the same person."""
    Message.objects.filter(author=left).update(author=guest)
    if not ChatChoice.objects.filter(guest=guest).exists():
        ChatChoice.objects.filter(guest=left).update(guest=guest)
    ChatChoice.objects.filter(guest=left).delete()
    for note in Note.objects.filter(owner=left):
        if own := Note.objects.filter(owner=guest, table=note.table_id).first():
            own.text = f"{own.text}\n{note.text}"[:LONGEST_NOTE]
            own.save(update_fields=["text"])
            note.delete()
        else:
            note.owner = guest
            note.save(update_fields=["owner"])
