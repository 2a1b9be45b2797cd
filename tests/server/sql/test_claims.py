"""Who thinks for which bot."""

import time

import pytest
from django.db.models import F

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models, services
from kakomi.server.tables.deadlines import CLAIM_SECONDS, Claims
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig

pytestmark = pytest.mark.django_db


@pytest.fixture
def row() -> models.Table:
    """A table at which a bot begins."""
    return services.begin(
        MatchConfig(catalog.game("ren", size=8)), [Sitter(bot="1"), Sitter(Guest.objects.create())]
    )


def let_time_pass(row: models.Table, seconds: float) -> None:
    models.Table.objects.filter(pk=row.pk).update(claimed_until=F("claimed_until") - seconds)


def test_one_of_two_processes_takes_a_table(row: models.Table) -> None:
    mine, theirs = Claims(), Claims()
    assert mine.unclaimed() == theirs.unclaimed() == [row.code]
    assert mine.take(row.code)
    assert not theirs.take(row.code)
    assert mine.unclaimed() == theirs.unclaimed() == []


def test_the_claim_of_a_process_that_died_lapses(row: models.Table) -> None:
    mine, theirs = Claims(), Claims()
    mine.take(row.code)
    let_time_pass(row, CLAIM_SECONDS + 1)
    assert theirs.take(row.code)
    mine.renew([row.code])
    let_time_pass(row, CLAIM_SECONDS / 2)
    assert not mine.take(row.code)


def test_a_claim_that_is_renewed_holds(row: models.Table) -> None:
    mine, theirs = Claims(), Claims()
    mine.take(row.code)
    let_time_pass(row, CLAIM_SECONDS / 2)
    mine.renew([row.code])
    row.refresh_from_db()
    assert row.claimed_until > time.time() + CLAIM_SECONDS / 2
    assert not theirs.take(row.code)


def test_what_is_given_up_is_for_others(row: models.Table) -> None:
    mine, theirs = Claims(), Claims()
    mine.take(row.code)
    mine.give_up()
    assert theirs.take(row.code)


def test_an_entry_ends_the_claim(row: models.Table) -> None:
    mine, theirs = Claims(), Claims()
    mine.take(row.code)
    services.add(row.code, [("play", "a1")], seat=0, base=0, key="bot.0")
    assert not theirs.take(row.code)  # nobody waits for a bot
    row, _ = services.add(row.code, [("play", "b2")], seat=1, base=1, key="person-1")
    assert theirs.take(row.code)


def test_nobody_thinks_before_all_have_sat_down() -> None:
    row = services.begin(MatchConfig(catalog.game("ren", size=8)), [Sitter(bot="1"), Sitter()])
    assert Claims().unclaimed() == []
    services.sit_down(row.seats.get(number=1), Guest.objects.create())
    assert Claims().unclaimed() == [row.code]
