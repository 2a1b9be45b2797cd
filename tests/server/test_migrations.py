"""The database: of every version since the first, made what this version needs."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models, selectors, services
from kakomi.session import Entry, MatchConfig, Seat, Table

FIRST = [("guests", "0001_initial"), ("tables", "0001_initial")]


@pytest.mark.django_db
def test_every_change_of_a_model_has_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_a_database_of_the_first_version_goes_on() -> None:
    executor = MigrationExecutor(connection)
    latest = executor.loader.graph.leaf_nodes()
    first = dict(FIRST)
    try:
        executor.migrate([(app, first.get(app)) for app, _ in latest])
        code = begin_in(executor.loader.project_state(FIRST).apps)
    finally:
        MigrationExecutor(connection).migrate(latest)
    row = models.Table.objects.get(code=code)
    assert (row.entries, row.head, row.news) == (1, "first:0", 1)
    assert selectors.table_of(row).match.position.stones() == {"1,1": 0}
    row, table = services.add(code, [("play", "2,2 3,3")], seat=1, base=1, key="second")
    assert table.match.position.stones() == {"1,1": 0, "2,2": 1, "3,3": 1}


@pytest.mark.django_db(transaction=True)
def test_people_keep_the_time_zone_that_they_have_chosen() -> None:
    executor = MigrationExecutor(connection)
    before = [("guests", "0006_sign_ins"), ("rests", "0002_vacations_to_tell"), ("notices", "0003_rhythm")]
    chosen = {
        "both": ("Europe/Berlin", "Asia/Tokyo"),
        "rests": ("Europe/Berlin", None),
        "mail": (None, "Asia/Tokyo"),
        "default": ("UTC", "Asia/Tokyo"),
        "neither": (None, "UTC"),
    }
    try:
        executor.migrate(before)
        apps = executor.loader.project_state(before).apps
        for name, (rests, mail) in chosen.items():
            guest = apps.get_model("guests", "Guest").objects.create(name=name, token=name)
            if rests:
                apps.get_model("rests", "Rests").objects.create(guest=guest, zone=rests)
            if mail:
                apps.get_model("notices", "Mailing").objects.create(guest=guest, zone=mail)
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
    kept = dict(Guest.objects.values_list("name", "zone"))
    assert kept == {
        "both": "Europe/Berlin",
        "rests": "Europe/Berlin",
        "mail": "Asia/Tokyo",
        "default": "Asia/Tokyo",
        "neither": "",
    }


@pytest.mark.django_db(transaction=True)
def test_names_are_found_that_were_there_before() -> None:
    executor = MigrationExecutor(connection)
    before = [("guests", "0008_guests_by_handle"), ("tables", "0009_seats_by_name")]
    try:
        executor.migrate(before)
        apps = executor.loader.project_state(before).apps
        guest = apps.get_model("guests", "Guest").objects.create(handle="Ödön", token="1")
        apps.get_model("guests", "Guest").objects.create(name="Nobody", token="2")
        code = begin_in(apps)
        apps.get_model("tables", "Seat").objects.filter(number=0).update(name="Straße", guest=guest)
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
    assert Guest.objects.get(handle_folded__prefix="ÖD").handle == "Ödön"
    assert models.Seat.objects.get(name_folded__prefix="STRASS").table.code == code
    assert set(Guest.objects.values_list("handle_folded", flat=True)) == {"", "ödön"}


def begin_in(apps: Any) -> str:
    """A table with one entry in the database of an earlier version."""
    begun = Table.begun(MatchConfig(catalog.game("rin", size=8)), [Seat(), Seat()], at=1.0)
    row = apps.get_model("tables", "Table").objects.create(
        code="abcdefghjk", begun=begun.to_json(), entries=1, game="rin", to_act=1
    )
    for number in range(2):
        row.seats.create(number=number, invitation=f"invitation-{number}")
    row.log.create(number=1, key="first:0", content=Entry(0, "play", "1,1", 2.0).to_json())
    return str(row.code)
