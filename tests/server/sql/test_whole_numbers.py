"""Numbers in what strangers send: nothing that they write is a failure of the site."""

import pytest
from django.urls import reverse

from kakomi.server.site.whole_numbers import whole_number
from server.people import make_user, signed_in

ODD = ("", "x", "²", "٣", "1_0", " 1", "-1", "1.0", "9" * 10, "9" * 30, "9" * 5000)
"""No numbers, or too long ones."""


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("9" * 9, 999_999_999)])
def test_digits_are_a_number(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize("text", [None, *ODD])
def test_all_else_is_none(text: str | None) -> None:
    assert whole_number(text) is None


def test_a_number_fits_into_a_column_whatever_is_asked_for() -> None:
    assert whole_number("9" * 18, digits=40) == 10**18 - 1
    assert whole_number("9" * 19, digits=40) is None


@pytest.mark.django_db
@pytest.mark.parametrize("text", ODD)
def test_forms_and_addresses_take_anything_for_a_number(text: str) -> None:
    ada = make_user("ada")
    client = signed_in(ada)
    assert client.post(reverse("time_off"), {"end": text}).status_code in (302, 422)
    assert client.post(reverse("end_sign_ins"), {"number": text}).status_code == 302
    assert client.get(reverse("me")).status_code == 200  # none was ended
    seek = {"players": "4", "least": text, "times": text, "days": text}
    assert client.post(reverse("lobby_new", args=["rings"]), seek).status_code in (302, 422)
    assert client.get(reverse("lobby_new", args=["rings"]), seek).status_code == 200
    assert client.get(reverse("person", args=["ada"]), {"before": text}).status_code in (200, 404)
