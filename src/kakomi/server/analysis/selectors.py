"""What is asked of studies and of the games at tables that they are of."""

from functools import lru_cache
from typing import NamedTuple

from django.http import Http404

from kakomi import catalog
from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, game_of, read_json
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis.models import Study
from kakomi.server.listings import ListQuery, Page
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import record_at, table_of
from kakomi.session import MatchGame


def record_of(study: Study) -> Record:
    """The record that a study holds."""
    return read_record(study.record)


def game_of_study(study: Study) -> Game:
    """The game that a study is of."""
    return game_of(record_of(study), catalog.game)


@lru_cache(maxsize=64)
def read_record(text: str) -> Record:
    """A record that is kept, as `records.write_json` gives it."""
    return read_json(text.encode())


def find_study(code: str, guest: Guest | None) -> Study:
    """The study with a code. Raises Http404 if there is none for this guest."""
    study = Study.objects.select_related("table", "owner").filter(code=code).first()
    if study is None or (study.is_deleted and (guest is None or study.owner_id != guest.pk)):
        raise Http404(
            lazy_message("There is no such study. It may have been deleted, or the link is not complete.")
        )
    return study


def study_of_table(owner: Guest | None, table: Table, leg: int) -> Study | None:
    """The owner's study of a game at a table, the first if there are several."""
    if owner is None:
        return None
    return Study.objects.filter(owner=owner, table=table, leg=leg, is_deleted=False).order_by("pk").first()


def listed_studies(query: ListQuery) -> Page[Study]:
    """A page of the studies that everybody may find, with their owners."""
    return query.page(Study.objects.select_related("owner").defer("record"))


class StudyList(NamedTuple):
    """A guest's studies, the ones changed last first."""

    studies: list[Study]
    deleted: Study | None
    """The one of the deleted ones that was changed last, which can be restored."""


def studies_of(guest: Guest | None) -> StudyList:
    """The studies of a guest; none of somebody who is unknown."""
    own = list(guest.studies.defer("record").order_by("-changed_at")) if guest else []
    return StudyList(
        [study for study in own if not study.is_deleted],
        next((study for study in own if study.is_deleted), None),
    )


def game_at_table(table: Table, number: int) -> MatchGame:
    """A game of a table's match, from 0. Raises Http404 if it has not been begun."""
    games = table_of(table).match.games
    if not 0 <= number < len(games):
        raise Http404(lazy_message("The match has no game {number} yet.", number=number + 1))
    return games[number]


def game_count(table: Table) -> int:
    """How many games of the table's match have been begun."""
    return len(table_of(table).match.games)


def record_at_table(table: Table, number: int) -> Record:
    """The record of a game at a table as it stands. Raises Refused before komi and colours are settled."""
    return record_at(table, game_at_table(table, number))
