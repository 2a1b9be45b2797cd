"""Queries for studies, and for the games at tables that they show."""

from functools import lru_cache
from typing import NamedTuple

from django.http import Http404

from kakomi import catalog
from kakomi.core import Game
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, game_of, read_json
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis.models import Study
from kakomi.server.tables.listings import ListQuery, Page
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import record_at, table_of
from kakomi.session import MatchGame


def record_of(study: Study) -> Record:
    """The record of a study."""
    return read_record(study.record)


def game_of_study(study: Study) -> Game:
    """The game of a study, with its options."""
    return game_of(record_of(study), catalog.game)


@lru_cache(maxsize=64)
def read_record(text: str) -> Record:
    """Parse a stored record, in the format of `records.write_json`. Cached."""
    return read_json(text.encode())


def find_study(code: str, guest: Guest | None) -> Study:
    """The study with a code. Raises `Http404` if there is none, or if it is deleted and not the guest's."""
    study = Study.objects.select_related("table", "owner").filter(code=code).first()
    if study is None or (study.is_deleted and (guest is None or study.owner_id != guest.pk)):
        raise Http404(lazy_message("Study not found. It may have been deleted, or the link is incomplete."))
    return study


def study_of_table(owner: Guest | None, table: Table, game_number: int) -> Study | None:
    """The owner's study of a game at a table, the oldest if there are several; None if there is none."""
    if owner is None:
        return None
    return (
        Study.objects.filter(owner=owner, table=table, game_number=game_number, is_deleted=False)
        .order_by("pk")
        .first()
    )


def listed_studies(query: ListQuery) -> Page[Study]:
    """A page of the public list of studies, with their owners."""
    return query.page(Study.objects.select_related("owner").defer("record"))


class StudyList(NamedTuple):
    """A guest's studies, most recently changed first."""

    studies: list[Study]
    deleted: Study | None
    """The most recently changed deleted study, which can be restored."""


def studies_of(guest: Guest | None) -> StudyList:
    """The studies of a guest; empty for None."""
    own = list(guest.studies.defer("record").order_by("-changed_at")) if guest else []
    return StudyList(
        [study for study in own if not study.is_deleted],
        next((study for study in own if study.is_deleted), None),
    )


def game_at_table(table: Table, number: int) -> MatchGame:
    """A game of a table's match, numbered from 0. Raises `Http404` if it hasn't begun."""
    games = table_of(table).match.games
    if not 0 <= number < len(games):
        raise Http404(lazy_message("The match has no game {number} yet.", number=number + 1))
    return games[number]


def game_count(table: Table) -> int:
    """How many games of the table's match have begun."""
    return len(table_of(table).match.games)


def record_at_table(table: Table, number: int) -> Record:
    """The current record of a game at a table. Raises `Refused` before komi and colours are settled."""
    return record_at(table, game_at_table(table, number))
