"""Create studies, and let their owners edit, list and delete them; edits and deletion can be undone."""

from collections.abc import Set

from django.db.models import Model
from django.utils import timezone
from msgspec.structs import replace

from kakomi.core.i18n import lazy_message
from kakomi.records import Record, read_json, write_json
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis import permissions, selectors
from kakomi.server.analysis.commands import (
    MOST_TURNS,
    CatchUp,
    NodeCommand,
    Stale,
    Submission,
    Undo,
    check_length,
)
from kakomi.server.analysis.game_analysis import cached_search_answers
from kakomi.server.analysis.models import GameAnalysis, Revision, Study
from kakomi.server.site.database import writing
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import GONE
from kakomi.session import Refused

MOST_STUDIES = 500
"""Studies per guest, not counting deleted ones."""
MOST_REVISIONS = 50
"""How many edits can be undone."""
MOST_BYTES = 1_000_000
"""The size of a study's record as JSON, and of an uploaded file."""
MOST_PARTS, MOST_ACTIONS = 30_000, 6_000
"""Limits for an uploaded file: nodes and values, and actions. Reading that many takes a tenth of a second."""
MOST_PLIES = 1_500
"""Actions in an analysed game; a longer one would occupy the engines for too long."""
MOST_ANALYSES = 2
"""Whole-game analyses that a guest may have waiting or running."""


def create(
    owner: Guest, record: Record, *, title: str = "", table: Table | None = None, game_number: int = 0
) -> Study:
    """Create a study. Raises `Refused` if it is too large or the owner has too many."""
    if owner.studies.filter(is_deleted=False).count() >= MOST_STUDIES:
        raise Refused(lazy_message("you already have {most} studies: delete some first", most=MOST_STUDIES))
    text = _written(record)
    return Study.objects.create(
        owner=owner, record=text, game=record.game, title=title, table=table, game_number=game_number
    )


def study_of_table(owner: Guest, table: Table, game_number: int, record: Record) -> Study:
    """Get or create the owner's study of a game at a table, and bring it up to date.

    Raises `Refused` like `create`.
    """
    known = selectors.study_of_table(owner, table, game_number)
    if known is None:
        return create(owner, record, table=table, game_number=game_number)
    try:
        return edit(known, owner, CatchUp(record), node=0, version=known.version)[0]
    except Refused:  # it is full, or was just edited elsewhere: show it as it is
        return known


def copy(study: Study, owner: Guest) -> Study:
    """Copy a study for another owner. Raises `Refused` if they have too many."""
    return create(
        owner, selectors.record_of(study), title=study.title, table=study.table, game_number=study.game_number
    )


def handle_study_command(study: Study, guest: Guest | None, submission: Submission) -> tuple[Study, int]:
    """Carry out a command and save the study. Returns the study and the node to show.

    Raises `Stale`, `Refused` or `IllegalAction`; the study is then unchanged.
    """
    command, node = submission.command, submission.node
    if isinstance(command, Undo):
        return undo(study, guest, submission.version)
    if node > len(selectors.record_of(study).turns):
        raise Stale
    return edit(study, guest, command, node=node, version=submission.version)


def edit(
    study: Study, guest: Guest | None, command: NodeCommand, *, node: int, version: int
) -> tuple[Study, int]:
    """Edit a study, like `handle_study_command`; `version` is the one that the editor saw."""
    with writing():
        row = _locked(study, guest, version)
        before = selectors.record_of(row)
        record, at = command.edit(before, selectors.game_of_study(row), node)
        if record == before:
            return row, at
        row.revisions.create(version=row.version, record=row.record, node=min(node, len(before.turns)))
        _forget_oldest(row)
        _save(row, _written(record))
    return row, at


def undo(study: Study, guest: Guest | None, seen: int) -> tuple[Study, int]:
    """Undo the last edit. Returns the study and the node shown then. Raises `Stale` or `Refused`."""
    with writing():
        row = _locked(study, guest, seen)
        last = row.revisions.first()
        if last is None:
            raise Refused(lazy_message("nothing to undo"))
        _save(row, last.record)
        last.delete()
    return row, last.node


def rename(study: Study, guest: Guest | None, title: str) -> None:
    """Change a study's title. Raises `Refused` unless the guest owns it."""
    permissions.require_owner(study, guest)
    Study.objects.filter(pk=study.pk).update(title=title)
    study.title = title


def set_deleted(study: Study, guest: Guest | None, is_deleted: bool) -> None:
    """Delete or restore a study; either unlists it. Raises `Refused` unless the guest owns it."""
    permissions.require_owner(study, guest)
    study.is_deleted, study.listed_at = is_deleted, None
    study.save(update_fields=["is_deleted", "listed_at", "changed_at"])


def set_listed(study: Study, guest: Guest | None, *, is_listed: bool) -> None:
    """Add a study to the public list, or remove it. Raises `Refused` unless the guest owns it, or for adding
    a study that is deleted, has no title, or is of a running game."""
    with writing():
        row = Study.objects.select_for_update(of=("self",)).select_related("table").get(pk=study.pk)
        permissions.require_owner(row, guest)
        if is_listed:
            permissions.require_may_be_listed(row)
            row.plies = _plies(row.record)
            row.listed_at = row.listed_at or timezone.now()
        else:
            row.listed_at = None
        row.save(update_fields=["listed_at", "plies"])
    study.listed_at = row.listed_at


def start_analysis(study: Study, guest: Guest | None) -> None:
    """Queue the main line for analysis, reusing earlier answers. Raises `Refused`."""
    _require_may_have_analysed(study, guest)
    record = selectors.record_of(study)
    plies = _plies(study.record)
    if not plies:
        raise Refused(lazy_message("no moves have been played yet"))
    check_length(lazy_message("actions in the game"), plies, MOST_PLIES)
    running = GameAnalysis.objects.filter(study__owner=study.owner, state=GameAnalysis.State.RUNNING).exclude(
        study=study
    )
    if running.count() >= MOST_ANALYSES:
        raise Refused(lazy_message("two of your games are already being analysed: wait for them or stop one"))
    main_line = replace(record, turns=record.turns[: record.length], comment="")
    text = write_json(main_line).decode()
    with writing():
        known = GameAnalysis.objects.select_for_update().filter(study=study).first() or GameAnalysis(
            study=study
        )
        if known.pk and known.state == GameAnalysis.State.RUNNING and known.record == text:
            return
        known.record, known.state, known.trouble = text, GameAnalysis.State.RUNNING, ""
        known.stage, known.done, known.total, known.seen_at = "", 0, 0, 0.0
        if len(known.answers) > 4 * MOST_PLIES:  # earlier edits may have left unused answers
            known.answers = {}
        if study.table:
            known.answers = {**cached_search_answers(study.table.code, study.game_number), **known.answers}
        known.save()


def stop_analysis(study: Study, guest: Guest | None) -> None:
    """Stop the analysis of a study's game; it can be resumed. Raises `Refused`."""
    _require_may_have_analysed(study, guest)
    GameAnalysis.objects.filter(study=study, state=GameAnalysis.State.RUNNING).update(
        state=GameAnalysis.State.STOPPED
    )


def _require_may_have_analysed(study: Study, guest: Guest | None) -> None:
    if not permissions.may_edit(study, guest):
        raise Refused(lazy_message("only the owner can analyse this study’s game: copy it to your studies"))


def _locked(study: Study, guest: Guest | None, seen: int) -> Study:
    row = Study.objects.select_for_update().get(pk=study.pk)
    permissions.require_owner(row, guest)
    if row.is_deleted:
        raise Refused(lazy_message("this study has been deleted: restore it first"))
    if row.version != seen:
        raise Stale
    return row


def _save(row: Study, text: str) -> None:
    row.record = text
    row.version += 1
    row.plies = _plies(text)
    row.save(update_fields=["record", "version", "plies", "changed_at"])


def _plies(text: str) -> int:
    """The number of actions in a record's main line."""
    record = selectors.read_record(text)
    return sum(len(turn.actions) for turn in record.turns[: record.length])


def _forget_oldest(row: Study) -> None:
    kept = row.revisions.values_list("pk", flat=True)[:MOST_REVISIONS]
    Revision.objects.filter(study=row).exclude(pk__in=list(kept)).delete()


def _written(record: Record) -> str:
    """Serialize a record. Raises `Refused` if it is too large for a study."""
    check_length(lazy_message("moves in the study"), len(record.turns), MOST_TURNS)
    text = write_json(record).decode()
    check_length(lazy_message("characters in the study"), len(text), MOST_BYTES)
    return text


def take_over_studies(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give `guest` all studies of `left`, a guest who turned out to be the same person."""
    Study.objects.filter(owner=left).update(owner=guest)


def forget_names(guest: Guest, names: Set[str]) -> None:
    """Replace a guest's names in everyone's studies of games that the guest played."""
    studies = Study.objects.filter(table__seats__guest=guest).values("pk")
    for rows in (
        Study.objects.filter(pk__in=studies),
        Revision.objects.filter(study__in=studies),
        GameAnalysis.objects.filter(study__in=studies),
    ):
        for row in rows.only("record").order_by("pk").iterator():
            _rename(row, row.record, names)


def _rename(row: Model, text: str, names: Set[str]) -> None:
    record = read_json(text.encode())
    seats = tuple(replace(seat, name=GONE) if seat.name in names else seat for seat in record.seats)
    if seats != record.seats:
        text = write_json(replace(record, seats=seats)).decode()
        type(row)._default_manager.filter(pk=row.pk).update(record=text)
