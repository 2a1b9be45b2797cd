"""The database: of every version since the first, made what this version needs."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.search.models import Opening, Unindexed
from kakomi.server.tables import models, selectors, services
from kakomi.session import Entry, MatchConfig, Seat, Table
from server.schemas import schema

FIRST = [("guests", "0001_initial"), ("tables", "0001_initial")]
BEFORE_ONE_ZONE = [
    ("guests", "0006_sign_ins"),
    ("rests", "0002_vacations_to_tell"),
    ("notices", "0003_rhythm"),
]
BEFORE_FOLDED_NAMES = [("guests", "0008_guests_by_handle"), ("tables", "0009_seats_by_name")]
BEFORE_FIRST_SHARES = [("search", "0001_initial"), ("tables", "0009_seats_by_name")]
ZONES = {
    "both": ("Europe/Berlin", "Asia/Tokyo"),
    "rests": ("Europe/Berlin", None),
    "mail": (None, "Asia/Tokyo"),
    "default": ("UTC", "Asia/Tokyo"),
    "neither": (None, "UTC"),
}
"""Name -> the time zones that somebody had chosen for rests and for mail, before there was one for both."""


@pytest.mark.django_db
def test_every_change_of_a_model_has_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.fixture
def versions() -> Iterator["Versions"]:
    """The database of the first version; in the end it is that of the latest again."""
    versions = Versions()
    try:
        versions.go_back()
        yield versions
    finally:
        versions.go_on()


@pytest.mark.django_db(transaction=True)
def test_a_database_of_every_version_goes_on(versions: "Versions") -> None:
    """One walk back and one forth for all that stood there before: each model that goes costs a rendering."""
    of_the_first_version = begin_in(versions.go_on(FIRST), "abcdefghjk")
    choose_zones(versions.go_on(BEFORE_ONE_ZONE))
    of_names = name_people(versions.go_on(BEFORE_FOLDED_NAMES))
    with_openings = open_in(versions.go_on(BEFORE_FIRST_SHARES))
    versions.go_on()
    assert schema() == versions.made, "migrations lead elsewhere than `make_tables`, which made this database"

    row = models.Table.objects.get(code=of_the_first_version)
    assert (row.entries, row.head, row.news) == (1, "first:0", 1)
    assert selectors.table_of(row).match.position.stones() == {"1,1": 0}
    row, table = services.add(row.code, [("play", "2,2 3,3")], seat=1, base=1, key="second")
    assert table.match.position.stones() == {"1,1": 0, "2,2": 1, "3,3": 1}

    people = Guest.objects.all()
    assert dict(people.filter(name__in=ZONES).values_list("name", "zone")) == {
        "both": "Europe/Berlin",
        "rests": "Europe/Berlin",
        "mail": "Asia/Tokyo",
        "default": "Asia/Tokyo",
        "neither": "",
    }

    assert people.get(handle_folded__prefix="ÖD").handle == "Ödön"
    assert models.Seat.objects.get(name_folded__prefix="STRASS").table.code == of_names
    assert set(people.values_list("handle_folded", flat=True)) == {"", "ödön"}

    assert not Opening.objects.exists()
    assert Unindexed.objects.filter(table__code=with_openings).count() == 1


class Versions:
    """A walk through the versions of the database."""

    def __init__(self) -> None:
        self.latest = MigrationExecutor(connection).loader.graph.leaf_nodes()
        self.made = schema()
        """What a first start makes."""

    def go_back(self) -> None:
        """To the first version, in which most apps had no tables."""
        first = dict(FIRST)
        MigrationExecutor(connection).migrate([(app, first.get(app)) for app, _ in self.latest])

    def go_on(self, to: list[tuple[str, str]] | None = None) -> Any:
        """To a version, or to the latest; what models it has."""
        executor = MigrationExecutor(connection)
        executor.migrate(to or self.latest)
        return executor.loader.project_state(to or self.latest).apps


def choose_zones(apps: Any) -> None:
    """People who have chosen time zones for their rests, for their mail, for both or for none."""
    for name, (rests, mail) in ZONES.items():
        guest = apps.get_model("guests", "Guest").objects.create(name=name, token=name)
        if rests:
            apps.get_model("rests", "Rests").objects.create(guest=guest, zone=rests)
        if mail:
            apps.get_model("notices", "Mailing").objects.create(guest=guest, zone=mail)


def name_people(apps: Any) -> str:
    """Somebody with a handle, nobody, and a table where the first has a seat under another name; its code."""
    guest = apps.get_model("guests", "Guest").objects.create(handle="Ödön", token="1")
    apps.get_model("guests", "Guest").objects.create(name="Nobody", token="2")
    code = begin_in(apps, "mnpqrstvwx")
    seats = apps.get_model("tables", "Seat").objects.filter(table__code=code, number=0)
    seats.update(name="Straße", guest=guest)
    return code


def open_in(apps: Any) -> str:
    """A table whose openings were kept without what the first player got; its code."""
    code = begin_in(apps, "npqrstvwxy")
    row = apps.get_model("tables", "Table").objects.get(code=code)
    for key in ("one", "other"):
        apps.get_model("search", "Opening").objects.create(table=row, key=key)
    return code


def begin_in(apps: Any, code: str) -> str:
    """A table with one entry in the database of an earlier version."""
    begun = Table.begun(MatchConfig(catalog.game("rin", size=8)), [Seat(), Seat()], at=1.0)
    row = apps.get_model("tables", "Table").objects.create(
        code=code, begun=begun.to_json(), entries=1, game="rin", to_act=1
    )
    for number in range(2):
        row.seats.create(number=number, invitation=f"{code}-{number}")
    row.log.create(number=1, key="first:0", content=Entry(0, "play", "1,1", 2.0).to_json())
    return code
