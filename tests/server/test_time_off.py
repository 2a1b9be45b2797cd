"""The page and the API of a guest's time off."""

import pytest
from django.test import Client

from kakomi.server.accounts.models import Guest
from kakomi.server.site import clock
from kakomi.server.tables.models import TimeOff, Vacation

pytestmark = pytest.mark.django_db


def test_somebody_chooses_their_time_off() -> None:
    client = Client()
    assert "Time off" in client.get("/me/time-off").content.decode()
    assert not Guest.objects.exists(), "looking makes nobody a guest"
    sent = {"zone": "Europe/Berlin", "weekend": ["5", "6"], "sleep_from": "23:00", "sleep_to": "7:30"}
    assert client.post("/me/time-off", sent).status_code == 302
    time_off = TimeOff.objects.get()
    assert (time_off.guest.zone, time_off.weekend, time_off.sleep_from, time_off.sleep_to) == (
        "Europe/Berlin",
        [5, 6],
        1380,
        450,
    )
    assert not time_off.is_automatic
    html = client.get("/me/time-off").content.decode()
    assert "<option selected>Europe/Berlin" in html and 'value="23:00"' in html


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"zone": "Mars/Base"}, "there is no time zone"),
        ({"zone": "UTC", "sleep_from": "23:00"}, "sleeping hours need a start and an end"),
        ({"zone": "UTC", "sleep_from": "25:00", "sleep_to": "7:00"}, "enter a time such as 23:30, not"),
        ({"zone": "UTC", "weekend": ["1", "2", "3"]}, "up to 2 days"),
        ({"first": "soon", "last": "2030-01-01"}, "enter a date such as 2026-12-24, not"),
        ({"first": "2030-01-02", "last": "2030-01-01"}, "must end after it starts"),
        (
            {"first": "2001-01-02", "last": "2001-01-03"},
            "a vacation must end after it starts, and in the future",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(sent: dict[str, object], said: str) -> None:
    response = Client().post("/me/time-off", sent)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert not Vacation.objects.exists()


def test_a_program_takes_a_vacation_and_ends_it() -> None:
    client = Client()
    token = client.post("/api/v1/guests", {"name": "Ada"}, "application/json").json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    wish = {"zone": "Asia/Tokyo", "weekend": [6], "sleep_from": "22:00", "sleep_to": "06:00"}
    time_off = client.post("/api/v1/time-off", wish, "application/json", headers=headers).json()
    assert (time_off["sleep"], time_off["allowance"]) == ([1320, 360], 30 * 86400)
    with clock.time_from(lambda: 1.8e9):
        sent = {"start": 0, "end": 1.8e9 + 86400}
        taken = client.post("/api/v1/time-off/vacations", sent, "application/json", headers=headers)
        assert taken.status_code == 201
        (vacation,) = taken.json()["vacations"]
        assert vacation["start"] == 1.8e9 and taken.json()["allowance"] == 29 * 86400
        address = f"/api/v1/time-off/vacations/{vacation['id']}"
        assert client.delete(address, headers=headers).json()["vacations"] == []
        assert client.delete(address, headers=headers).status_code == 404
