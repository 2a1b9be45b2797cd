"""An erased person's names are removed from what others wrote to staff, and the cases are logged."""

import pytest

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import pattern_of
from kakomi.server.moderation.models import Appeal, AuditEntry, Case, Measure, Report
from kakomi.server.people.erasure import erase
from server.people import make_user
from server.staff import at_work, make_staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[Guest]:
    return [make_user(name).guest for name in ("Wanda", "rolf", "zoe")]


def reported(about: Guest, by: Guest, text: str) -> Report:
    case = Case.objects.create(about=about, opened_at=1.0)
    return Report.objects.create(
        case=case, reporter=by, kind="other", text=text, quote=text, at=1.0, key=f"{case.pk}"
    )


def test_names_are_taken_out_as_whole_words_in_any_capitals(people: list[Guest]) -> None:
    wanda, rolf, zoe = people
    made = reported(rolf, zoe, "He and WANDA, (wanda) arrange; Wandas and wanda_x are others.")
    measure = Measure.objects.create(about=rolf, kind="mute", reason="insulted Wanda", at=1.0, until=2.0)
    appeal = Appeal.objects.create(measure=measure, by=rolf, text="wanda began", answer="Wanda?", at=1.0)
    log = AuditEntry.objects.create(key="k", about=rolf, act="mute", reason="Wanda complained", at=1.0)
    erase(wanda)
    for row in (made, measure, appeal, log):
        row.refresh_from_db()
    clean = "He and [deleted player], ([deleted player]) arrange; Wandas and wanda_x are others."
    assert made.text == made.quote == clean
    assert measure.reason == "insulted [deleted player]"
    assert (appeal.text, appeal.answer) == ("[deleted player] began", "[deleted player]?")
    assert log.reason == "[deleted player] complained"


def test_staff_hear_in_which_cases_it_was(people: list[Guest]) -> None:
    wanda, rolf, zoe = people
    made, other = reported(rolf, zoe, "Ask Wanda"), reported(zoe, rolf, "Nothing of the kind")
    erase(wanda)
    entry = AuditEntry.objects.get(act="redaction")
    assert entry.data == {"cases": [made.case_id]} and entry.by is None and entry.about is None
    page = at_work(make_staff("staff", "moderate")).get("/moderation/log").content.decode()
    assert f'/moderation/case/{made.case_id}"' in page and f'/moderation/case/{other.case_id}"' not in page
    assert "wanda" not in page.casefold()


def test_nothing_is_said_where_nothing_was(people: list[Guest]) -> None:
    reported(people[1], people[2], "He stalls")
    erase(people[0])
    assert not AuditEntry.objects.filter(act="redaction").exists()


def test_a_text_stays_within_its_field(people: list[Guest]) -> None:
    made = reported(people[1], people[0], " ".join(["zoe"] * 125))
    erase(people[2])
    made.refresh_from_db()
    assert len(made.text) == 500 and "zoe" not in made.text


@pytest.mark.parametrize(
    ("name", "text", "is_found"),
    [
        ("Straße", "in der STRASSE", True),
        ("a.b", "axb", False),
        ("Ann", "Anna", False),
        ("Ann", "ann!", True),
        ("Ann Lee", "ann lee said", True),
    ],
)
def test_what_a_name_is(name: str, text: str, is_found: bool) -> None:
    found = pattern_of([name])
    assert found is not None and bool(found.search(text)) == is_found
    assert pattern_of(["", " "]) is None
