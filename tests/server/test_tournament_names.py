"""Tournament names: reported once, and changed by staff with a log entry and a notice to the organiser."""

import pytest
from django.test import Client

from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.models import AuditEntry, Report
from kakomi.server.notices.models import Notice
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.tournaments.models import Tournament
from server.people import make_user, signed_in
from server.staff import at_work, make_staff
from server.tournament_people import organised

pytestmark = pytest.mark.django_db


def text(response: object) -> str:
    return response.content.decode()  # type: ignore[attr-defined, no-any-return]


def sent(row: Tournament, client: Client, **changes: str) -> object:
    form = {"name": "Spring Cup", "reason": "insults somebody", "key": "one", **changes}
    return client.post(f"/tournaments/{row.code}/rename", form)


def test_the_name_of_a_tournament_is_reported_once() -> None:
    row, other = organised(name="A rude name"), organised(name="Another")
    client = signed_in(make_user("ada"))
    path = f"/tournaments/{row.code}/report"
    assert f'href="{path}"' in text(client.get(f"/tournaments/{row.code}"))
    html = text(client.get(path))
    assert "<blockquote>A rude name</blockquote>" in html and 'value="tournament" selected' in html
    for _ in range(2):
        assert "Report sent" in text(client.post(path, {"kind": "tournament", "text": "look"}))
    report = Report.objects.get()
    assert (report.case.about, report.quote, report.kind) == (row.organiser, "A rude name", "tournament")
    staff = at_work(make_staff("mod", "moderate"))
    case = text(staff.get(f"/moderation/case/{report.case_id}"))
    assert f'href="/tournaments/{row.code}"' in case and "A rude name" in case
    Tournament.objects.filter(pk=other.pk).update(organiser=row.organiser, key="other")
    client.post(f"/tournaments/{other.code}/report", {"kind": "tournament"})
    assert Report.objects.count() == 2, "another tournament is another report"


def test_people_are_not_reported_for_the_names_of_tournaments() -> None:
    somebody = make_user("bob").guest
    html = text(signed_in(make_user("ada")).get(f"/report/person/{somebody.handle}"))
    assert 'value="name"' in html and 'value="tournament"' not in html


def test_nobody_reports_themselves_or_without_an_account() -> None:
    row = organised()
    path = f"/tournaments/{row.code}/report"
    assert "report yourself" in text(signed_in(row.organiser.user).get(path))
    assert "Without an account" in text(Client().get(path))
    assert not Report.objects.exists()


def test_staff_rename_a_tournament_once_with_an_entry_in_the_log() -> None:
    row = organised(name="A rude name")
    client = at_work(make_staff("mod", "moderate"))
    path = f"/tournaments/{row.code}/rename"
    assert path in text(client.get(f"/tournaments/{row.code}")) and "New name" in text(client.get(path))
    for _ in range(2):
        assert sent(row, client, name="Spring Cup").status_code == 302  # type: ignore[attr-defined]
    assert Tournament.objects.get().name == "Spring Cup", "one key is one deed"
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.about, entry.reason) == ("tournament", row.organiser, "insults somebody")
    assert entry.data == {"tournament": row.code}
    (notice,) = Notice.objects.filter(guest=row.organiser)
    assert "to Spring Cup. Reason: insults somebody" in NoticeView(notice).words
    assert "renamed a tournament" in text(client.get("/moderation/log"))


def test_a_description_is_reported_with_the_name_and_removed_by_staff() -> None:
    row = organised(name="Cup", description="rude words")
    html = text(signed_in(make_user("ada")).get(f"/tournaments/{row.code}/report"))
    assert "rude words" in html
    client = at_work(make_staff("mod", "moderate"))
    sent(row, client, name="Cup", takes_description="on")
    row.refresh_from_db()
    assert (row.name, row.description) == ("Cup", "") and AuditEntry.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "x"}, "characters, on one line"),
        ({"reason": " "}, "Enter a reason of up to"),
        ({"key": ""}, "incomplete"),
    ],
)
def test_what_can_not_be_is_said_and_changes_nothing(changes: dict[str, str], said: str) -> None:
    row = organised(name="A rude name")
    answer = sent(row, at_work(make_staff("mod", "moderate")), **changes)
    assert answer.status_code == 422 and said in text(answer)  # type: ignore[attr-defined]
    assert Tournament.objects.get().name == "A rude name" and not AuditEntry.objects.exists()


def test_others_rename_nothing_and_staff_not_their_own() -> None:
    row = organised(name="A rude name")
    for client in (Client(), signed_in(row.organiser.user), at_work(make_staff("plain"))):
        assert sent(row, client).status_code == 404  # type: ignore[attr-defined]
    mod = make_staff("mod", "moderate")
    Tournament.objects.update(organiser=Guest.objects.get(pk=mod.guest_id))
    assert "This is about you: another moderator has to decide" in text(sent(row, at_work(mod)))
    assert Tournament.objects.get().name == "A rude name" and not Notice.objects.exists()
