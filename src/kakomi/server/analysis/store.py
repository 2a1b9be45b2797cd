"""Studies in the database: made, edited by their owners only, and deleted, all of it to be undone."""

from collections.abc import Callable
from functools import lru_cache

from kakomi import catalog
from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, game_of, read_json, write_json
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis import growing
from kakomi.server.analysis.growing import MOST_TURNS, Grown
from kakomi.server.analysis.models import Revision, Study
from kakomi.server.database import writing
from kakomi.server.tables.models import Table
from kakomi.session import Refused

MOST_STUDIES = 500
"""Of one guest's."""
MOST_REVISIONS = 50
"""So many edits can be undone."""
MOST_BYTES = 1_000_000
"""Of a study's record, as JSON."""

Edit = Callable[[Record, Game], Grown]


class Stale(Refused):
    """Somebody edited what they saw, and meanwhile it was edited elsewhere."""

    def __init__(self) -> None:
        super().__init__(
            lazy_message("the study was changed in another window meanwhile: look again, then go on")
        )


def record_of(study: Study) -> Record:
    """The record that a study holds."""
    return _read(study.record)


def game_in(study: Study) -> Game:
    """The game that a study is of."""
    return game_of(record_of(study), catalog.game)


@lru_cache(maxsize=32)
def _read(text: str) -> Record:
    return read_json(text.encode())


def create(
    owner: Guest, record: Record, *, title: str = "", table: Table | None = None, leg: int = 0
) -> Study:
    """A new study. Raises Refused if it is too large, or the owner has too many."""
    if owner.studies.filter(is_deleted=False).count() >= MOST_STUDIES:
        raise Refused(lazy_message("you have {most} studies: delete some first", most=MOST_STUDIES))
    text = _written(record)
    return Study.objects.create(owner=owner, record=text, game=record.game, title=title, table=table, leg=leg)


def of_table(owner: Guest, table: Table, leg: int, record: Record) -> Study:
    """The owner's study of a game at a table, made the first time, and brought up to date."""
    known = Study.objects.filter(owner=owner, table=table, leg=leg, is_deleted=False).order_by("pk").first()
    return _brought_up_to_date(known, record) if known else create(owner, record, table=table, leg=leg)


def _brought_up_to_date(study: Study, latest: Record) -> Study:
    def follow(record: Record, game: Game) -> Grown:
        del game
        return growing.brought_up_to_date(record, latest), 0

    try:
        return edit(study, study.owner, study.version, 0, follow)[0]
    except Refused:  # full, or edited elsewhere at this moment: it is shown as it is
        return study


def copy(study: Study, owner: Guest) -> Study:
    """The same study as somebody else's own. Raises Refused if they have too many."""
    return create(owner, record_of(study), title=study.title, table=study.table, leg=study.leg)


def edit(study: Study, guest: Guest | None, seen: int, node: int, change: Edit) -> tuple[Study, int]:
    """A study after an edit, on disk, and the node to look at.

    `seen` is the version that the editor saw. Raises Stale, Refused, or IllegalAction for what the rules
    forbid; then nothing has changed.
    """
    with writing():
        row = _locked(study, guest, seen)
        before = record_of(row)
        record, at = change(before, game_in(row))
        if record == before:
            return row, at
        row.revisions.create(version=row.version, record=row.record, node=min(node, len(before.turns)))
        _forget_oldest(row)
        _keep(row, _written(record))
    return row, at


def undo(study: Study, guest: Guest | None, seen: int) -> tuple[Study, int]:
    """A study before its last edit, and what was looked at then. Raises Stale or Refused."""
    with writing():
        row = _locked(study, guest, seen)
        last = row.revisions.first()
        if last is None:
            raise Refused(lazy_message("there is nothing to undo"))
        _keep(row, last.record)
        last.delete()
    return row, last.node


def rename(study: Study, guest: Guest | None, title: str) -> None:
    """Give a study another title. Raises Refused."""
    _expect_owner(study, guest)
    Study.objects.filter(pk=study.pk).update(title=title)
    study.title = title


def set_deleted(study: Study, guest: Guest | None, is_deleted: bool) -> None:
    """Delete a study, or take that back. Raises Refused."""
    _expect_owner(study, guest)
    Study.objects.filter(pk=study.pk).update(is_deleted=is_deleted)
    study.is_deleted = is_deleted


def _locked(study: Study, guest: Guest | None, seen: int) -> Study:
    row = Study.objects.select_for_update().get(pk=study.pk)
    _expect_owner(row, guest)
    if row.is_deleted:
        raise Refused(lazy_message("this study was deleted: restore it first"))
    if row.version != seen:
        raise Stale
    return row


def _expect_owner(study: Study, guest: Guest | None) -> None:
    if guest is None or study.owner_id != guest.pk:
        raise Refused(lazy_message("only its owner changes a study: copy it to your own"))


def _keep(row: Study, text: str) -> None:
    row.record = text
    row.version += 1
    row.save(update_fields=["record", "version", "changed_at"])


def _forget_oldest(row: Study) -> None:
    kept = row.revisions.values_list("pk", flat=True)[:MOST_REVISIONS]
    Revision.objects.filter(study=row).exclude(pk__in=list(kept)).delete()


def _written(record: Record) -> str:
    """Raises Refused for what is too large to be studied."""
    if len(record.turns) > MOST_TURNS:
        raise Refused(
            lazy_message(
                "a study holds at most {most:,} turns; this record has {count:,}",
                most=MOST_TURNS,
                count=len(record.turns),
            )
        )
    text = write_json(record).decode()
    if len(text) > MOST_BYTES:
        raise Refused(
            lazy_message(
                "a study is at most {most:,} characters long; this one has {count:,}",
                most=MOST_BYTES,
                count=len(text),
            )
        )
    return text
