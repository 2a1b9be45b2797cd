"""Mails that tell of a turn and of what came beside it: whoever is to act is never left untold."""

from collections.abc import Sequence
from typing import Any

import pytest

from kakomi.server.accounts.models import Guest
from kakomi.server.notices import services as notices
from kakomi.server.notices.models import Delivery
from kakomi.server.post import jobs
from kakomi.server.post.turn_mails import BESIDE
from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from server.correspondence import Postman, begun, correspondent, now

pytest_plugins = ("server.correspondence_fixtures",)
pytestmark = pytest.mark.django_db


@pytest.fixture
def three() -> list[Guest]:
    return [correspondent(name) for name in ("ada", "bob", "cyd")]


@pytest.fixture
def third(three: list[Guest], postman: Postman) -> models.Table:
    """A table at which the third of three is to act, and everybody has been mailed."""
    row = begun(*map(Sitter, three), game="rings", options={"size": 3, "players": 3})
    for seat in (0, 1, 2, 0, 1):
        while now(row).to_act == seat:
            add(row, seat, "play", now(row).match.position.legal()[0])
    postman.collect()
    return row


def add(row: models.Table, seat: int, kind: str, value: Any = None) -> None:
    before = now(row).history
    services.add(row.code, [(kind, value)], seat=seat, base=len(before), key=f"entry.{len(before)}")


def about(mails: Sequence[dict[str, Any]], guest: Guest) -> list[str]:
    return [mail["subject"].rpartition(": ")[2] for mail in mails if mail["to"] == guest.user.email]


def test_an_offer_that_its_owner_leaves_behind_hides_no_turn(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 2, "offer", "pause")
    add(third, 2, "resign")
    assert now(third).offer is None and now(third).to_act == 0
    assert about(postman.collect(), three[0]) == ["your turn"]
    assert postman.collect() == []


def test_a_turn_and_an_offer_are_told_in_one_mail(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 0, "offer", "pause")
    (mail,) = [mail for mail in postman.collect() if mail["to"] == three[2].user.email]
    assert mail["subject"].endswith("your turn") and "You are asked something" in mail["text"]
    told = [delivery.key.split(".")[1] for delivery in Delivery.objects.filter(guest=three[2])]
    assert told == ["turn", "offer"]


def test_an_offer_that_ends_on_the_way_leaves_the_turn(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 0, "offer", "pause")
    postman.wait(60)
    jobs.write_turn_mails()
    add(third, 0, "withdraw")
    mails = [mail for mail in postman.collect() if mail["to"] == three[2].user.email]
    assert [mail["subject"].rpartition(": ")[2] for mail in mails] == ["your turn"]
    assert "You are asked something" not in mails[0]["text"]


def test_an_offer_that_was_read_leaves_the_turn(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 0, "offer", "pause")
    postman.wait(60)
    jobs.write_turn_mails()
    notices.read_all(three[2], table=third.code)
    assert about(postman.collect(), three[2]) == ["your turn"]


def test_a_turn_that_is_over_is_not_told_with_an_offer_that_is(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 0, "offer", "pause")
    postman.wait(60)
    jobs.write_turn_mails()
    add(third, 2, "resign")
    assert about(postman.collect(), three[2]) == []


def test_a_mail_that_an_earlier_version_wrote_is_sent(
    third: models.Table, three: list[Guest], postman: Postman
) -> None:
    add(third, 0, "offer", "pause")
    postman.wait(60)
    jobs.write_turn_mails()
    for delivery in Delivery.objects.filter(state="waiting"):
        del delivery.content[BESIDE]
        delivery.save()
    assert about(postman.collect(), three[2]) == ["your turn"]
