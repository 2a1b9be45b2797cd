"""Studies in the database: made, edited by their owners only, and deleted, all of it to be undone."""

from django.utils import timezone
from msgspec.structs import replace

from kakomi.core.i18n import lazy_message
from kakomi.records import Record, write_json
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
from kakomi.server.analysis.game_analysis import answers_known
from kakomi.server.analysis.models import Revision, Study, Survey
from kakomi.server.database import writing
from kakomi.server.tables.models import Table
from kakomi.session import Refused

MOST_STUDIES = 500
"""Of one guest's."""
MOST_REVISIONS = 50
"""So many edits can be undone."""
MOST_BYTES = 1_000_000
"""Of a study's record, as JSON."""
MOST_PARTS, MOST_ACTIONS = 30_000, 6_000
"""Of a file that is uploaded: nodes and values, and actions. Reading them takes a tenth of a second."""
MOST_PLIES = 1_500
"""A longer game would keep the engines from everybody else for too long."""
MOST_ANALYSES = 2
"""Analyses of whole games that one guest may have waiting or under way."""


def create(
    owner: Guest, record: Record, *, title: str = "", table: Table | None = None, leg: int = 0
) -> Study:
    """A new study. Raises Refused if it is too large, or the owner has too many."""
    if owner.studies.filter(is_deleted=False).count() >= MOST_STUDIES:
        raise Refused(lazy_message("you have {most} studies: delete some first", most=MOST_STUDIES))
    text = _written(record)
    return Study.objects.create(owner=owner, record=text, game=record.game, title=title, table=table, leg=leg)


def study_of_table(owner: Guest, table: Table, leg: int, record: Record) -> Study:
    """The owner's study of a game at a table, made the first time, and brought up to date.

    Raises Refused like `create`.
    """
    known = selectors.study_of_table(owner, table, leg)
    if known is None:
        return create(owner, record, table=table, leg=leg)
    try:
        return edit(known, owner, CatchUp(record), node=0, version=known.version)[0]
    except Refused:  # full, or edited elsewhere at this moment: it is shown as it is
        return known


def copy(study: Study, owner: Guest) -> Study:
    """The same study as somebody else's own. Raises Refused if they have too many."""
    return create(owner, selectors.record_of(study), title=study.title, table=study.table, leg=study.leg)


def handle_command(study: Study, guest: Guest | None, submission: Submission) -> tuple[Study, int]:
    """A study after a command, on disk, and the node to look at.

    Raises Stale, Refused, or IllegalAction for what the rules forbid; then nothing has changed.
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
    """A study after an edit, like `handle_command`; `version` is the one that the editor saw."""
    with writing():
        row = _locked(study, guest, version)
        before = selectors.record_of(row)
        record, at = command.edit(before, selectors.game_of_study(row), node)
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
    permissions.expect_owner(study, guest)
    Study.objects.filter(pk=study.pk).update(title=title)
    study.title = title


def set_deleted(study: Study, guest: Guest | None, is_deleted: bool) -> None:
    """Delete a study, or take that back; what was deleted is listed no longer. Raises Refused."""
    permissions.expect_owner(study, guest)
    Study.objects.filter(pk=study.pk).update(is_deleted=is_deleted, listed_at=None)
    study.is_deleted, study.listed_at = is_deleted, None


def set_listed(study: Study, guest: Guest | None, *, is_listed: bool) -> None:
    """Show a study in the public list, or no longer. Raises Refused, also for one without a name, or of a
    game that isn't over."""
    with writing():
        row = Study.objects.select_for_update(of=("self",)).select_related("table").get(pk=study.pk)
        permissions.expect_owner(row, guest)
        if is_listed:
            permissions.expect_may_be_listed(row)
            row.plies = _plies(row.record)
            row.listed_at = row.listed_at or timezone.now()
        else:
            row.listed_at = None
        row.save(update_fields=["listed_at", "plies"])
    study.listed_at = row.listed_at


def start_analysis(study: Study, guest: Guest | None) -> None:
    """Have the main line analysed, from where it was left if it is the same. Raises Refused."""
    _expect_may_have_analysed(study, guest)
    record = selectors.record_of(study)
    plies = _plies(study.record)
    if not plies:
        raise Refused(lazy_message("nothing has been played yet: there is nothing to analyse"))
    check_length(lazy_message("actions of an analysed game"), plies, MOST_PLIES)
    running = Survey.objects.filter(study__owner=study.owner, state=Survey.State.RUNNING).exclude(study=study)
    if running.count() >= MOST_ANALYSES:
        raise Refused(
            lazy_message("two of your games are being analysed already: wait for them, or stop one")
        )
    main_line = replace(record, turns=record.turns[: record.length], comment="")
    text = write_json(main_line).decode()
    with writing():
        known = Survey.objects.select_for_update().filter(study=study).first() or Survey(study=study)
        if known.pk and known.state == Survey.State.RUNNING and known.record == text:
            return
        known.record, known.state, known.trouble = text, Survey.State.RUNNING, ""
        known.stage, known.done, known.total, known.seen_at = "", 0, 0, 0.0
        if len(known.answers) > 4 * MOST_PLIES:  # they name positions: some may not be asked for any more
            known.answers = {}
        if study.table:
            known.answers = {**answers_known(study.table.code, study.leg), **known.answers}
        known.save()


def stop_analysis(study: Study, guest: Guest | None) -> None:
    """End the analysis of a study's game where it is. Raises Refused."""
    _expect_may_have_analysed(study, guest)
    Survey.objects.filter(study=study, state=Survey.State.RUNNING).update(state=Survey.State.STOPPED)


def _expect_may_have_analysed(study: Study, guest: Guest | None) -> None:
    if not permissions.may_edit(study, guest):
        raise Refused(
            lazy_message("only its owner can have a study's game analysed: copy it to your own studies")
        )


def _locked(study: Study, guest: Guest | None, seen: int) -> Study:
    row = Study.objects.select_for_update().get(pk=study.pk)
    permissions.expect_owner(row, guest)
    if row.is_deleted:
        raise Refused(lazy_message("this study was deleted: restore it first"))
    if row.version != seen:
        raise Stale
    return row


def _keep(row: Study, text: str) -> None:
    row.record = text
    row.version += 1
    row.plies = _plies(text)
    row.save(update_fields=["record", "version", "plies", "changed_at"])


def _plies(text: str) -> int:
    """The actions of a record's main line."""
    record = selectors.read_record(text)
    return sum(len(turn.actions) for turn in record.turns[: record.length])


def _forget_oldest(row: Study) -> None:
    kept = row.revisions.values_list("pk", flat=True)[:MOST_REVISIONS]
    Revision.objects.filter(study=row).exclude(pk__in=list(kept)).delete()


def _written(record: Record) -> str:
    """Raises Refused for what is too large to be studied."""
    check_length(lazy_message("turns of a study"), len(record.turns), MOST_TURNS)
    text = write_json(record).decode()
    check_length(lazy_message("characters of a study"), len(text), MOST_BYTES)
    return text


def take_over_studies(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest all studies of another one, who turns out to be the same person."""
    Study.objects.filter(owner=left).update(owner=guest)
