"""The studies API: find listed studies, download their records, and list your own."""

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Path, Router, Schema

from kakomi.server.accounts.auth import anyone, guests, optional_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis import permissions, selectors, services
from kakomi.server.analysis.commands import GameStillRunning
from kakomi.server.analysis.models import Study
from kakomi.server.site.api import GameName, Place, Strict, answers
from kakomi.server.tables.listings import ListQuery
from kakomi.session import Refused

router = Router(tags=["studies"])

Code = Annotated[str, Path(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]


class ListedStudyOut(Schema):
    """A summary of a listed study. `plies` is the number of actions in its main line."""

    code: str
    game: str
    title: str
    author: str
    plies: int
    listed_at: datetime
    changed_at: datetime


class ListedStudiesOut(Schema):
    """A page of the list, newest first. `older` is the next page's `before`; null on the last page."""

    studies: list[ListedStudyOut]
    older: str | None


class ListingIn(Strict):
    """Whether a study is in the public list."""

    is_listed: bool


@router.get("", auth=anyone("read"), response=answers(ListedStudiesOut), url_name="listed_studies")
def listed(request: HttpRequest, game: GameName = "", before: Place = "") -> ListedStudiesOut:
    """The public studies, most recently listed first, 24 at a time."""
    page = selectors.listed_studies(ListQuery.of({"game": game, "before": before}))
    studies = [ListedStudyOut.from_orm(study) for study in page.rows]
    return ListedStudiesOut(studies=studies, older=str(page.older) if page.older else None)


@router.get("/{code}/record", auth=anyone("read"), response=answers(dict), url_name="study_record")
def record(request: HttpRequest, code: Code) -> HttpResponse:
    """A study's record with its variations, in the format described in docs/records.md."""
    return HttpResponse(_found(code, optional_guest(request)).record, content_type="application/json")


@router.post("/{code}/listing", auth=guests("study"), response=answers(ListingIn), url_name="study_listing")
def listing(request: HttpRequest, code: Code, wish: ListingIn) -> ListingIn:
    """Add your own study to the public list, or remove it."""
    guest = optional_guest(request)
    services.set_listed(_found(code, guest), guest, is_listed=wish.is_listed)
    return wish


def _found(code: str, guest: Guest | None) -> Study:
    """Return the study. Raises `Http404`, or `Refused` while the guest is playing its game against others."""
    study = selectors.find_study(code, guest)
    try:
        permissions.require_may_analyse(study.table, study.game_number, guest)
    except GameStillRunning as running:
        raise Refused(str(running)) from None
    return study
