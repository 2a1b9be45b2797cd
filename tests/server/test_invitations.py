"""Who is invited to a table may decline, and who has invited hears of it."""

import pytest
from django.test import Client

from kakomi.server.notices.models import Notice
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.services import Sitter
from kakomi.session import Refused
from server.table_client import Person, opened

pytestmark = pytest.mark.django_db


def said_to(ada: Person) -> list[str]:
    found = Notice.objects.filter(guest=ada.guest, kind="invitation_declined").select_related("table")
    return [NoticeView(notice).words for notice in found]


def test_an_invitation_is_declined_for_a_reason(client: Client) -> None:
    ada = Person("Ada")
    row = opened(ada, Sitter())
    invitation = f"/join/{row.seats.get(number=1).invitation}"
    assert f'action="{invitation}/decline"' in client.get(invitation).content.decode()
    assert client.get(f"{invitation}/decline").status_code == 405
    answer = client.post(f"{invitation}/decline", {"reason": "declined busy"})
    assert answer.status_code == 200 and "Invitation declined" in answer.content.decode()
    table = selectors.table_of(models.Table.objects.get(pk=row.pk))
    assert table.is_over and table.abort is not None and table.abort.value == "declined busy"
    assert said_to(ada) == ["Your invitation to Rin was declined. No time right now."]
    assert "declined the game: no time right now" in ada.look(row)
    for again in (client.post(f"{invitation}/decline"), client.post(invitation), client.get(invitation)):
        assert again.status_code == 409 and "This invitation was declined" in again.content.decode()
    assert len(said_to(ada)) == 1


def test_no_reason_need_be_given_and_none_is_made_up(client: Client) -> None:
    ada = Person("Ada")
    invitation = f"/join/{opened(ada, Sitter()).seats.get(number=1).invitation}"
    refused = client.post(f"{invitation}/decline", {"reason": "stopped"})
    assert refused.status_code == 422 and not said_to(ada)
    client.post(f"{invitation}/decline")
    assert said_to(ada) == ["Your invitation to Rin was declined."]


def test_among_several_the_table_goes_on_waiting(client: Client) -> None:
    ada = Person("Ada")
    row = opened(ada, Sitter(), Sitter(), game="rings", size=3, players=3)
    seat = row.seats.get(number=1)
    assert client.post(f"/join/{seat.invitation}/decline").status_code == 200
    assert said_to(ada) == ["Your invitation to Rings was declined."]
    assert client.get(f"/join/{seat.invitation}").status_code == 404, "another is sent to somebody else"
    fresh = models.Seat.objects.get(pk=seat.pk)
    assert fresh.is_free and Client().post(f"/join/{fresh.invitation}").status_code == 302


def test_who_sits_there_or_came_too_late_declines_nothing(client: Client) -> None:
    ada, eve = Person("Ada"), Person("Eve")
    row = opened(ada, Sitter())
    invitation = f"/join/{row.seats.get(number=1).invitation}"
    assert ada.client.post(f"{invitation}/decline").status_code == 200
    assert not selectors.table_of(models.Table.objects.get(pk=row.pk)).is_over
    eve.client.post(invitation)
    assert client.post(f"{invitation}/decline").status_code == 409
    assert not selectors.table_of(models.Table.objects.get(pk=row.pk)).is_over and not said_to(ada)


def declined(seat: models.Seat, reason: str = "declined") -> str:
    """Why somebody who has read an invitation earlier can't decline it now."""
    with pytest.raises(Refused) as refused:
        services.decline(seat, reason)
    return str(refused.value)


def test_an_invitation_that_was_answered_meanwhile_says_so(client: Client) -> None:
    ada, eve = Person("Ada"), Person("Eve")
    row = opened(ada, Sitter())
    seat = row.seats.get(number=1)
    eve.client.post(f"/join/{seat.invitation}")
    assert "This seat has been taken" in declined(seat)
    services.add(row.code, [("play", "1,1")], seat=0, base=0, key="first")
    assert "The game has started: it’s too late to decline" in declined(seat)
    several = opened(ada, Sitter(), Sitter(), game="rings", size=3, players=3).seats.get(number=1)
    services.decline(several, "declined")
    assert "This invitation has already been declined" in declined(several), (
        "another invitation is none of theirs"
    )
    one = opened(ada, Sitter()).seats.get(number=1)
    services.decline(one, "declined")
    assert "This invitation has already been declined" in declined(one)
    assert len(said_to(ada)) == 2


def test_an_invitation_to_a_game_that_ended_says_so(client: Client) -> None:
    ada = Person("Ada")
    row = opened(ada, Sitter())
    seat = row.seats.get(number=1)
    services.add(row.code, [("abort", "stopped")], seat=0, base=0, key="stop")
    assert "This game is over" in declined(seat)
    for answer in (
        client.get(f"/join/{seat.invitation}"),
        client.post(f"/join/{seat.invitation}/decline"),
    ):
        page = answer.content.decode()
        assert answer.status_code == 409 and "This game is over" in page and "is taken" not in page
