"""Chat's signal receivers, called inside the sender's transaction."""

from typing import Any

from kakomi.server.accounts.models import Guest
from kakomi.server.chat.models import LONGEST_NOTE, ChatChoice, Message, Note


def on_guests_joined(left: Guest, guest: Guest, **_named: Any) -> None:
    """Move the table messages, the choice and the notes of one guest to another who is the same person."""
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
