"""Who may look at which game, and which record a table's game has."""

from datetime import date

from django.http import Http404

from kakomi.core.i18n import lazy_message
from kakomi.records import Record
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis.models import Study
from kakomi.server.tables import models, selectors
from kakomi.server.tables.permissions import Viewer
from kakomi.session import MatchGame
from kakomi.session.record import record_of


class Hidden(Exception):  # noqa: N818 (it says what the game is)
    """A game is running between people, and one of them wants it analysed."""

    def __init__(self, table: models.Table) -> None:
        super().__init__("while a game between people is running, its players can't analyse it")
        self.table = table


def expect_visible(table: models.Table | None, leg: int, guest: Guest | None) -> None:
    """Raises Hidden if the guest plays this game against other people, and it isn't over."""
    if table and Viewer.of(table, guest).faces_people and not _leg(table, leg).is_over:
        raise Hidden(table)


def record_at(table: models.Table, leg: int) -> Record:
    """The record of a game at a table as it stands. Raises Refused before komi and colours are settled."""
    return record_of(selectors.table_of(table).match, _leg(table, leg), date=_day(table))


def leg_count(table: models.Table) -> int:
    """How many games of the table's match have been begun."""
    return len(selectors.table_of(table).match.legs)


def study_seen_by(guest: Guest | None, code: str) -> Study:
    """The study with a code. Raises Http404 if there is none for this guest, and Hidden."""
    study = Study.objects.select_related("table", "owner").filter(code=code).first()
    if study is None or (study.is_deleted and (guest is None or study.owner_id != guest.pk)):
        raise Http404(
            lazy_message("There is no such study. It may have been deleted, or the link is not complete.")
        )
    expect_visible(study.table, study.leg, guest)
    return study


def _leg(table: models.Table, number: int) -> MatchGame:
    legs = selectors.table_of(table).match.legs
    if not 0 <= number < len(legs):
        raise Http404(lazy_message("The match has no game {number} yet.", number=number + 1))
    return legs[number]


def _day(table: models.Table) -> str:
    day: date = table.created_at.date()
    return day.isoformat()
