"""What a test that commits leaves behind, and the database that it began with."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import TransactionTestCase

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig
from server.people import make_user

pytestmark = pytest.mark.django_db(transaction=True)


def emptied() -> None:
    """Do what is done after each such test."""
    TransactionTestCase("run")._fixture_teardown()  # type: ignore[attr-defined]


def rows() -> dict[str, int]:
    """What holds something, of all models."""
    counted = {
        model._meta.label: model._default_manager.count()
        for model in apps.get_models(include_auto_created=True)
    }
    return {name: count for name, count in counted.items() if count}


def test_nothing_is_left_but_what_follows_from_the_models() -> None:
    before = rows()
    assert before.keys() == {"contenttypes.ContentType", "auth.Permission"}
    row = services.begin(MatchConfig(catalog.game("rin", size=4)), [Sitter(Guest.objects.create()), Sitter()])
    services.add(row.code, [("play", "0,0")], seat=0, base=0, key="a-key")
    helpers = Group.objects.create(name="helpers")
    helpers.permissions.add(Permission.objects.all()[0])
    make_user("ada").groups.add(helpers)
    assert len(rows()) > 6
    emptied()
    assert rows() == before


def test_what_follows_from_the_models_is_made_again_where_it_was_lost() -> None:
    before = rows()
    kind = ContentType.objects.get_for_model(Guest)
    Permission.objects.filter(content_type=kind).delete()
    Guest.objects.create()
    emptied()
    assert rows() == before


def test_no_migration_is_left_to_do() -> None:
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
