"""Studies, for programs: find those that are listed, take their records home, list one's own."""

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Path, Router, Schema

from kakomi.server.accounts.auth import anyone, guest_behind, guests
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis import permissions, selectors, services
from kakomi.server.analysis.commands import GameStillRunning
from kakomi.server.analysis.models import Study
from kakomi.server.api.errors import answers
from kakomi.server.api.schemas import GameName, Place, Strict
from kakomi.server.listings import ListQuery
from kakomi.session import Refused

router = Router(tags=["studies"])

Code = Annotated[str, Path(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]


class ListedStudyOut(Schema):
    """A listed study in a few words. `plies` are the actions of its main line."""

    code: str
    game: str
    title: str
    author: str
    plies: int
    listed_at: datetime
    changed_at: datetime


class ListedStudiesOut(Schema):
    """A page of the list, newest first. `older` is the next page's `before`; null at the end."""

    studies: list[ListedStudyOut]
    older: str | None


class ListingIn(Strict):
    """Whether everybody may find a study."""

    is_listed: bool


@router.get("", auth=anyone("read"), response=answers(ListedStudiesOut), url_name="listed_studies")
def listed(request: HttpRequest, game: GameName = "", before: Place = "") -> ListedStudiesOut:
    """The studies that their owners show to everybody, newest first, 24 at a time."""
    page = selectors.listed_studies(ListQuery.of({"game": game, "before": before}))
    studies = [ListedStudyOut.from_orm(study) for study in page.rows]
    return ListedStudiesOut(studies=studies, older=str(page.older) if page.older else None)


@router.get("/{code}/record", auth=anyone("read"), response=answers(dict), url_name="study_record")
def record(request: HttpRequest, code: Code) -> HttpResponse:
    """A study's record with its variations, as docs/records.md describes it."""
    return HttpResponse(_found(code, guest_behind(request)).record, content_type="application/json")


@router.post("/{code}/listing", auth=guests("study"), response=answers(ListingIn), url_name="study_listing")
def listing(request: HttpRequest, code: Code, wish: ListingIn) -> ListingIn:
    """Show one's own study to everybody, or no longer."""
    guest = guest_behind(request)
    services.set_listed(_found(code, guest), guest, is_listed=wish.is_listed)
    return wish


def _found(code: str, guest: Guest | None) -> Study:
    """Raises Http404, or Refused while the guest plays the game against others."""
    study = selectors.find_study(code, guest)
    try:
        permissions.expect_may_analyse(study.table, study.leg, guest)
    except GameStillRunning as running:
        raise Refused(str(running)) from None
    return study
