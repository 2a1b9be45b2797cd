"""Keeping notes of one's own."""

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.notebook.models import LONGEST, Note
from kakomi.server.tables.models import Table
from kakomi.session import Refused

MOST = 2_000
"""Notes of one person."""


def note_of(owner: Guest, subject: Table | Guest) -> str:
    """What somebody has noted down about a game or a person; empty if nothing."""
    return Note.objects.filter(owner=owner, **_on(subject)).values_list("text", flat=True).first() or ""


def keep(owner: Guest, subject: Table | Guest, text: str) -> None:
    """Keep a note in the place of the one before; an empty one deletes it. Raises Refused for a long text."""
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST:
        raise Refused(
            lazy_message(
                "A note may have {most} characters; this one has {count}.", most=LONGEST, count=len(text)
            )
        )
    if isinstance(subject, Guest) and (subject.pk == owner.pk or subject.is_erased):
        raise Refused(lazy_message("There is nobody else here to write a note about."))
    with writing():
        Guest.objects.select_for_update(no_key=True).get(pk=owner.pk)
        known = Note.objects.filter(owner=owner, **_on(subject))
        if not text:
            known.delete()
        elif not known.update(text=text, at=clock.now()):
            if Note.objects.filter(owner=owner).count() >= MOST:
                raise Refused(lazy_message("You have {most} notes: delete one of them first.", most=MOST))
            Note.objects.create(owner=owner, text=text, at=clock.now(), **_on(subject))


def take_over(left: Guest, guest: Guest, **_named: object) -> None:
    """Give a guest the notes of another one, who is the same person; two on the same become one."""
    for note in Note.objects.filter(owner=left):
        on = {"table": note.table, "about": note.about}
        if note.about_id == guest.pk:
            note.delete()  # on themselves
        elif own := Note.objects.filter(owner=guest, **on).first():
            own.text = f"{own.text}\n{note.text}"[:LONGEST]
            own.save(update_fields=["text"])
            note.delete()
        else:
            note.owner = guest
            note.save(update_fields=["owner"])
    for note in Note.objects.filter(about=left).exclude(owner=guest):
        if Note.objects.filter(owner=note.owner, about=guest).exists():
            note.delete()
        else:
            note.about = guest
            note.save(update_fields=["about"])
    Note.objects.filter(about=left).delete()


def _on(subject: Table | Guest) -> dict[str, Table | Guest | None]:
    if isinstance(subject, Table):
        return {"table": subject, "about": None}
    return {"table": None, "about": subject}
