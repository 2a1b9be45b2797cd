"""Notices about vacations: of an allowance that runs low, and of an opponent's vacation."""

import pytest

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.notices import vacations as vacation_notices
from kakomi.server.notices.kinds import KINDS
from kakomi.server.notices.models import Notice
from kakomi.server.notices.preferences import save_preference, wanted_kinds
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.vacations import tell_vacations
from kakomi.server.site import clock
from kakomi.server.tables import models, services, vacations
from kakomi.server.tables.jobs import settle_due
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, TimeControl

pytestmark = pytest.mark.django_db
DAY, START = 86_400.0, 1_800_000_000.0
DAYS = TimeControl(DAY, kind="days")


class Moment:
    """The site's clock, which a test moves forward."""

    def __init__(self) -> None:
        self.now = START

    def after(self, days: float) -> None:
        """Move to `days` after the start, and run the jobs that are due."""
        self.now = START + days * DAY
        settle_due()
        tell_vacations()


@pytest.fixture
def moment():
    moment = Moment()
    with clock.time_from(lambda: moment.now):
        yield moment


@pytest.fixture
def ada() -> Guest:
    return Guest.objects.create(name="Ada")


@pytest.fixture
def eve() -> Guest:
    return Guest.objects.create(name="Eve")


def begun(*guests: Guest, control: TimeControl | None = DAYS) -> models.Table:
    config = MatchConfig(catalog.game("ren", size=7))
    return services.begin(config, [Sitter(guest) for guest in guests], control)


def told(guest: Guest) -> list[str]:
    kinds = ("opponent_rests", "vacation_begun", "vacation_low", "rest_ending", "rest_ended")
    found = Notice.objects.filter(guest=guest, kind__in=kinds).order_by("at", "pk")
    return [notice.kind for notice in found.select_related("table")]


def test_a_vacation_is_told_when_it_begins_and_before_it_ends(moment: Moment, ada: Guest, eve: Guest) -> None:
    row = begun(ada, eve)
    begun(eve, ada)
    begun(ada, Guest.objects.create(), control=TimeControl(600.0))
    vacations.take_vacation(ada, START + DAY / 2, START + 3 * DAY)
    moment.after(0.4)
    assert told(ada) == told(eve) == []
    news = models.Table.objects.get(pk=row.pk).news
    for _ in range(2):
        moment.after(0.5)
    assert told(eve) == ["opponent_rests"] and told(ada) == []
    assert Notice.objects.filter(kind="opponent_rests").count() == 1, "of live games nobody rests"
    notice = Notice.objects.select_related("table").get(kind="opponent_rests")
    assert NoticeView(notice).words.startswith("Ada is on vacation until Monday 18 January, 08:00 UTC.")
    assert notice.table is not None and notice.table.pace == "days"
    assert models.Table.objects.get(pk=row.pk).news == news + 1, (
        "in the database, whatever comes after a commit"
    )
    moment.after(2)
    assert told(ada) == ["rest_ending"]
    for _ in range(2):
        moment.after(3)
    assert told(ada) == ["rest_ending", "rest_ended"] and told(eve) == ["opponent_rests"]


@pytest.mark.django_db(transaction=True)
def test_whoever_looks_at_the_table_sees_it_begin(moment: Moment, ada: Guest, eve: Guest) -> None:
    row = begun(ada, eve)
    vacations.take_vacation(ada, START + DAY / 2, START + 3 * DAY)
    moment.after(0.4)
    news = models.Table.objects.get(pk=row.pk).news
    moment.after(0.5)
    assert models.Table.objects.get(pk=row.pk).news == news + 1
    moment.after(0.6)
    assert models.Table.objects.get(pk=row.pk).news == news + 1


def test_a_process_that_dies_before_it_notes_what_it_told_leaves_it_to_the_next(
    moment: Moment, ada: Guest, eve: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commit hooks never run here, because the test's own transaction stays open."""
    row = begun(ada, eve)
    vacations.take_vacation(ada, START + DAY / 2, START + 3 * DAY)
    moment.after(0.4)
    news = models.Table.objects.get(pk=row.pk).news

    def die(*_: object, **_named: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(vacation_notices, "notify", die)
        with pytest.raises(SystemExit):
            moment.after(0.5)
    assert models.Table.objects.get(pk=row.pk).news == news + 1 and told(eve) == []
    moment.after(0.5)
    assert models.Table.objects.get(pk=row.pk).news == news + 2 and told(eve) == ["opponent_rests"]


def test_a_day_that_begins_by_itself_is_told_with_the_new_deadline(
    moment: Moment, ada: Guest, eve: Guest
) -> None:
    rows = [begun(ada, eve), begun(ada, Guest.objects.create(name="Joe"))]
    for row in rows:
        for number, action in enumerate(("a1", "b1")):
            services.add(row.code, [("play", action)], seat=number, base=number, key=f"key-{number}")
    vacations.take_vacation(ada, START + 5 * DAY, START + 32 * DAY)
    for tenth in range(10, 20, 5):
        moment.after(tenth / 10)
    assert told(ada) == ["vacation_low", "vacation_begun"] and told(eve) == ["opponent_rests"]
    assert "Vacation days left: 2.0" in NoticeView(Notice.objects.get(kind="vacation_low")).words
    (of_eve,) = Notice.objects.filter(kind="opponent_rests", guest=eve).select_related("table")
    assert NoticeView(of_eve).words == (
        "Ada is on vacation until Sunday 17 January, 08:00 UTC. Their clocks are paused until then. "
        "Ren, against Ada: Ada has until Sunday 17 January, 08:00 UTC to move."
    )
    assert of_eve.table == rows[0]
    moment.after(2.1)
    assert models.Table.objects.filter(is_over=True).count() == 2, "then the flags fell"
    assert told(ada)[2:] == ["rest_ended"]


def test_a_vacation_that_its_guest_ends_is_not_told_again(moment: Moment, ada: Guest, eve: Guest) -> None:
    begun(ada, eve)
    vacations.take_vacation(ada, START, START + 5 * DAY)
    moment.after(0)
    vacations.end_vacation(ada, ada.vacations.get().pk)
    for days in (0.1, 4, 5, 6):
        moment.after(days)
    assert told(ada) == [] and told(eve) == ["opponent_rests"]


def test_vacations_that_follow_each_other_end_once(moment: Moment, ada: Guest) -> None:
    vacations.take_vacation(ada, START, START + DAY)
    vacations.take_vacation(ada, START + DAY, START + 2 * DAY)
    for days in (0, 1, 1.5, 2, 3):
        moment.after(days)
    assert told(ada) == ["rest_ended"]


def test_a_site_that_was_down_tells_what_is_still_true(moment: Moment, ada: Guest, eve: Guest) -> None:
    begun(ada, eve)
    vacations.take_vacation(ada, START, START + 5 * DAY)
    moment.after(7)
    assert told(ada) == ["rest_ended"] and told(eve) == []


@pytest.mark.parametrize("kind", ["opponent_rests", "vacation_begun", "vacation_low"])
def test_each_is_switched_off_by_itself(kind: str, ada: Guest) -> None:
    assert kind in KINDS and kind in wanted_kinds(ada.pk, "page")
    save_preference(ada, kind, "page", is_on=False)
    assert kind not in wanted_kinds(ada.pk, "page")


def test_a_vacation_keeps_its_notices_when_its_guest_joins_another(
    moment: Moment, ada: Guest, eve: Guest
) -> None:
    left = Guest.objects.create()
    begun(left, eve)
    vacations.take_vacation(left, START + DAY / 2, START + 3 * DAY)
    models.Seat.objects.filter(guest=left).update(guest=ada)
    vacations.transfer_time_off(left, ada)
    moment.after(0.5)
    moment.after(3)
    assert told(ada) == ["rest_ended"] and told(eve) == ["opponent_rests"]
