"""What the tests of the site share, whatever database they run on."""

from collections.abc import Iterator
from importlib import import_module

import pytest
from django.db import connection
from django.http import HttpResponse
from django.utils import translation
from pytest_django.plugin import DjangoDbBlocker

from kakomi.kernel import Mode
from kakomi.server.site.configuration import configuration
from kakomi.server.site.middleware import StaticFiles
from server.emptying import empty_quickly
from server.mail_sink import Sink, mail_server, use_mail_server
from server.migrated import copy_instead_of_migrating, migrated_database


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> Iterator[None]:
    """The database of the tests is a copy, for which nothing has to be migrated."""
    with pytest.MonkeyPatch.context() as patch:
        if connection.vendor == "postgresql":
            connection.settings_dict["TEST"]["TEMPLATE"] = migrated_database(configuration().database_url)
        else:
            copy_instead_of_migrating(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_are_emptied_quickly(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        with django_db_blocker.unblock():
            if connection.introspection.table_names():  # none are made where no test of the run asks for them
                empty_quickly(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def _nobody_stays_connected(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """End the sessions that threads of tests left open: PostgreSQL drops no database that somebody uses."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_found_once() -> Iterator[None]:
    """Every test client makes middleware of its own, which would look for two hundred files each time."""
    found = StaticFiles(lambda request: HttpResponse()).files
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFiles, "add_files", lambda self, root, prefix=None: None)
        patch.setattr(StaticFiles, "add_files_from_finders", lambda self: self.files.update(found))
        yield


@pytest.fixture(autouse=True)
def _nobody_remembers_another_lobby() -> None:
    """Numbers of news begin anew with every test's database."""
    from kakomi.server.lobby.feed import FEED  # needs Django's apps
    from kakomi.server.lobby.pairing import PAIRING_SCHEDULE

    FEED.reset()
    PAIRING_SCHEDULE.reset()


@pytest.fixture(autouse=True)
def _nobody_leaves_a_language() -> Iterator[None]:
    """A request in German leaves its thread speaking German, for the next test as well."""
    yield
    translation.deactivate()


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sink]:
    """A mail server that the site sends by."""
    with mail_server() as (handler, url):
        use_mail_server(monkeypatch, url)
        yield handler


@pytest.fixture(autouse=True)
def _rules_are_interpreted() -> Iterator[None]:
    """In all threads, where `use_mode` is for this one and those that it asks, and in processes."""
    with pytest.MonkeyPatch.context() as patch:  # a test may undo its own
        patch.setattr(import_module("kakomi.kernel.driver"), "_default_mode", [Mode.INTERPRETED])
        patch.setenv("KAKOMI_KERNEL", Mode.INTERPRETED.value)
        yield
